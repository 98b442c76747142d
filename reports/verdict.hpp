// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one record that every report is rendered from: a result, what was
// expected of it, and the totals of a run.
#pragma once

#include "checker/result/result.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wakerace {

struct Expectation {
	std::set<std::string> types; // the exact set; empty: no violation
	std::string source;          // "commit d6962c4fe8f9"
};

struct Verdict {
	Result result;
	std::optional<Expectation> expectation;
	bool as_expected = false;
	std::vector<std::string> traces; // the file of each of result.stories, or ""
};

struct Summary {
	std::map<std::string, uint64_t> verdicts; // verdict -> how many
	uint64_t as_expected = 0;
	uint64_t unexpected = 0;
	uint64_t no_expectation = 0; // nothing to compare with
	uint64_t not_applicable = 0; // the engine does not run that model
	uint64_t not_run = 0;        // stopped before their turn
	uint64_t executions = 0;
	double wall_s = 0;
	bool interrupted = false;
	int exit_code = 0;
};

} // namespace wakerace
