// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/progress.hpp"

#include "reports/story.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace wakerace {

Progress::Progress(bool wanted, size_t total)
    : shown_(wanted && isatty(STDERR_FILENO)), total_(total)
{
}

Progress::~Progress()
{
	clear();
}

void Progress::start(size_t task, const std::string &name)
{
	running_[task].name = name;
	draw();
}

void Progress::update(size_t task, const WorkerProgress &progress)
{
	running_[task].progress = progress;
	draw();
}

void Progress::end(size_t task)
{
	running_.erase(task);
	done_++;
	draw();
}

void Progress::clear()
{
	if (drawn_)
		fmt::print(stderr, "\r\033[K");
	drawn_ = false;
}

void Progress::draw()
{
	if (!shown_)
		return;
	std::string line = fmt::format("[{}/{}]", done_, total_);
	for (const auto &[number, task] : running_) {
		const WorkerProgress &now = task.progress;
		line += fmt::format("  {}", task.name);
		if (now.wall_s > 0)
			line += fmt::format(" {} executions, {:.0f}/s", now.executions,
					    double(now.executions) / now.wall_s);
	}
	// A line that wraps could not be redrawn in place.
	line.resize(std::min<size_t>(line.size(), output_width(STDERR_FILENO) - 1));
	fmt::print(stderr, "\r\033[K{}", line);
	std::fflush(stderr);
	drawn_ = true;
}

} // namespace wakerace
