// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line. DESIGN lists every command and flag; what is not built
// yet is known here too, so that it is refused by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wakerace {

struct RunOptions {
	std::vector<std::string> globs;
	std::vector<std::string> kernels;
	std::vector<std::string> engines;
	std::vector<std::string> models;
	std::vector<std::string> weaken;
	std::string search = "dpor";
	std::optional<std::string> irq; // none: what each scenario says
	bool large = false;
	unsigned jobs = 1;
	double time_limit_s = 0;
	unsigned memory_limit_mb = 0;
	uint64_t max_executions = 0;
	unsigned context_bound = 2;
	uint64_t seed = 1;
	std::string json;   // a file, "-", or ""
	std::string traces; // a directory, or ""
	bool terse = false;
	bool progress = true; // on a terminal
	bool verbose = false;
};

struct TraceOptions {
	std::string trace;
	bool verbose = false;
};

struct ListOptions {
	std::string what = "scenarios";
	std::string kernel; // whose; "": the head
	std::string json;
	bool verbose = false;
};

enum class CommandName { none, list, run, replay, explain };

struct Options {
	CommandName command = CommandName::none; // none: @text was asked for
	std::string text;                        // help or the version
	RunOptions run;
	TraceOptions trace;
	ListOptions list;
};

// Throws BadInput with one sentence.
Options parse_options(const std::vector<std::string> &arguments);

} // namespace wakerace
