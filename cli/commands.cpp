// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/commands.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace wakerace {

void note(const std::string &text)
{
	fmt::print(stderr, "wakerace: {}\n", text);
}

Module ready_module_noted(const Paths &paths, const std::string &kernel)
{
	Module module =
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
