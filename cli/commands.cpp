// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/commands.hpp"

#include "cli/judge.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace wakerace {

namespace {

void stop_building(int)
{
	constexpr std::string_view said =
		"wakerace: stopped by a signal while a kernel was compiled; nothing ran\n";
	[[maybe_unused]] const ssize_t written = write(STDERR_FILENO, said.data(), said.size());
	_exit(exit_inconclusive);
}

// Until the first worker starts there is nothing to report. What half a build
// leaves in the cache is removed by a later one.
class BuildScope {
public:
	BuildScope()
	{
		struct sigaction action = {};
		action.sa_handler = stop_building;
		sigaction(SIGINT, &action, &old_interrupt_);
		sigaction(SIGTERM, &action, &old_terminate_);
	}
	~BuildScope()
	{
		sigaction(SIGINT, &old_interrupt_, nullptr);
		sigaction(SIGTERM, &old_terminate_, nullptr);
	}
	BuildScope(const BuildScope &) = delete;
	BuildScope &operator=(const BuildScope &) = delete;

private:
	struct sigaction old_interrupt_ = {}, old_terminate_ = {};
};

} // namespace

void note(const std::string &text)
{
	fmt::print(stderr, "wakerace: {}\n", text);
}

KernelModule ready_module_noted(const Paths &paths, const std::string &kernel)
{
	const BuildScope building;
	KernelModule module =
		ready_module(paths, kernel, std::max(1u, std::thread::hardware_concurrency()));
	if (!module.warnings.empty())
		note(fmt::format("warning: the compiler says about kernel {}:\n{}", kernel,
				 module.warnings));
	if (module.compiled)
		note(fmt::format("note: compiled {} file{} for kernel {}", module.compiled,
				 module.compiled == 1 ? "" : "s", kernel));
	return module;
}

} // namespace wakerace
