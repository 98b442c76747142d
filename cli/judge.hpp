// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a result is worth, and the exit code of a run.
#pragma once

#include "reports/verdict.hpp"

namespace wakerace {

// Exit codes, as scripts rely on them.
enum ExitCode : int {
	exit_expected = 0,
	exit_unexpected = 1,
	exit_bad_input = 2,
	exit_internal = 3,
	exit_nothing = 4, // nothing ran, or something is not covered
	exit_inconclusive = 5,
};

// Makes sure that no result claims more than was explored, whatever a worker
// says: an unreached mark, no execution at all, or a bound never end as a pass.
void settle(Result &result);

Verdict judge(Result result, const std::optional<Expectation> &expectation);

// What one verdict asks the exit code to be.
ExitCode exit_code_of(const Verdict &verdict);

// Where several hold, the gravest wins: 3, 2, 1, 5, 4, 0.
ExitCode graver(ExitCode a, ExitCode b);

// Counts the verdict in; the exit code too.
void add(Summary &summary, const Verdict &verdict);

} // namespace wakerace
