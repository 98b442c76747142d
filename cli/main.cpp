// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <iostream>

using namespace wakerace;

namespace {

int dispatch(const Options &options)
{
	if (options.command == CommandName::none) {
		fmt::print("{}", options.text);
		return exit_expected;
	}
	const Paths paths = find_paths();
	switch (options.command) {
	case CommandName::list:
		return list_command(paths, options.list);
	case CommandName::run:
		return run_command(paths, options.run);
	case CommandName::replay:
		return replay_command(paths, options.trace);
	case CommandName::explain:
		return explain_command(paths, options.trace);
	case CommandName::none:
		break;
	}
	return exit_internal;
}

} // namespace

int main(int count, char **words)
{
	try {
		const int code = dispatch(parse_options({words + 1, words + count}));
		// A report that did not reach its reader must not look like a success.
		if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout.flush())
			throw BadInput("cannot write to standard output");
		return code;
	} catch (const BadInput &problem) {
		fmt::print(stderr, "wakerace: error: {}\n", problem.what());
		return exit_bad_input;
	} catch (const std::exception &problem) {
		fmt::print(stderr, "wakerace: internal error: {}\n", problem.what());
		return exit_internal;
	}
}
