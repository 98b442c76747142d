// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line on a terminal that tells what is going on, redrawn in place.
#pragma once

#include "cli/worker.hpp"

#include <map>
#include <string>

namespace wakerace {

class Progress {
public:
	// Shows nothing unless @wanted and standard error is a terminal.
	Progress(bool wanted, size_t total);
	~Progress();

	void start(size_t task, const std::string &name);
	void update(size_t task, const WorkerProgress &progress);
	void end(size_t task);
	// Takes the line away before something else is printed.
	void clear();

private:
	struct Task {
		std::string name;
		WorkerProgress progress;
	};
	void draw();

	bool shown_;
	bool drawn_ = false;
	size_t total_;
	size_t done_ = 0;
	std::map<size_t, Task> running_;
};

} // namespace wakerace
