// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs another program to its end and keeps what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wakerace {

struct Command {
	std::vector<std::string> words;       // the program, looked up in PATH, and its arguments
	std::filesystem::path directory;      // where it runs; empty: here
	std::vector<std::string> environment; // NAME=value to set, NAME alone to unset
};

struct Finished {
	int code = 0;       // its exit code
	int signal = 0;     // or the signal that ended it
	std::string output; // standard output and standard error, in the order of arrival

	bool ok() const { return code == 0 && signal == 0; }
};

// Where in PATH @program is. Throws BadInput with the package that brings it.
std::filesystem::path find_program(const std::string &program);

// Throws BadInput, as find_program does, when the program cannot be started.
Finished run(const Command &command);

} // namespace wakerace
