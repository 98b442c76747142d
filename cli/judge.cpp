// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/judge.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace wakerace {

namespace {

// Coarse interrupt places are a bound of the scenario itself: its expectation
// was written for it. Every other bound leaves the question open.
const std::string steps_bound = "interrupts at steps";

bool cut(const Result &result)
{
	return !result.exhaustive && result.bound != steps_bound;
}

std::set<std::string> types_of(const Result &result)
{
	std::set<std::string> types;
	for (const auto &[type, count] : result.violations)
		types.insert(type);
	return types;
}

void make_error(Result &result, const std::string &why)
{
	result.verdict = "error";
	result.error = why;
}

} // namespace

void settle(Result &result)
{
	if (result.verdict == "error")
		return;
	if (result.exhaustive && result.irq == "steps") {
		result.exhaustive = false;
		result.bound = steps_bound;
	}
	if (!result.exhaustive && result.bound.empty())
		result.bound = "search " + result.search;
	const uint64_t executions = result.executions.complete + result.executions.blocked +
				    result.executions.truncated;
	if (executions == 0 && !cut(result))
		return make_error(result, "no execution was explored");
	// A violation stands whatever else was not reached; a pass does not.
	if (!result.unreached.empty() && result.violations.empty() && !cut(result))
		return make_error(result,
				  fmt::format("{} of the scenario's marks {} never reached",
					      result.unreached.size(),
					      result.unreached.size() == 1 ? "was" : "were"));
	if (result.verdict == "pass" && (cut(result) || executions == 0))
		result.verdict = "inconclusive";
	if (!result.violations.empty())
		result.verdict = "violation";
}

Verdict judge(Result result, const std::optional<Expectation> &expectation)
{
	settle(result);
	Verdict verdict;
	verdict.expectation = expectation;
	const bool sure = result.verdict == "pass" || result.verdict == "violation";
	// A scenario that does not come where it says is not what was expected, either.
	const bool whole = result.unreached.empty() || cut(result);
	verdict.as_expected =
		sure && whole && expectation && types_of(result) == expectation->types;
	verdict.traces.resize(result.stories.size());
	verdict.result = std::move(result);
	return verdict;
}

ExitCode exit_code_of(const Verdict &verdict)
{
	const Result &result = verdict.result;
	if (result.verdict == "error")
		return exit_internal;
	if (!verdict.expectation)
		return exit_unexpected;
	if (verdict.as_expected)
		return exit_expected;
	if (result.verdict == "inconclusive")
		return exit_inconclusive;
	// A search that was cut may have missed types, but it invents none.
	const std::set<std::string> found = types_of(result),
				    &expected = verdict.expectation->types;
	if (cut(result) &&
	    std::includes(expected.begin(), expected.end(), found.begin(), found.end()))
		return exit_inconclusive;
	return exit_unexpected;
}

ExitCode graver(ExitCode a, ExitCode b)
{
	constexpr std::array order = {exit_internal,     exit_bad_input, exit_unexpected,
				      exit_inconclusive, exit_nothing,   exit_expected};
	return *std::find_if(order.begin(), order.end(),
			     [&](ExitCode code) { return code == a || code == b; });
}

void add(Summary &summary, const Verdict &verdict)
{
	const ExitCode code = exit_code_of(verdict);
	const Executions &executions = verdict.result.executions;
	summary.verdicts[verdict.result.verdict]++;
	summary.executions += executions.complete + executions.blocked + executions.truncated;
	summary.as_expected += verdict.as_expected;
	summary.no_expectation += !verdict.expectation;
	summary.unexpected += verdict.expectation && code == exit_unexpected;
	summary.exit_code = graver(ExitCode(summary.exit_code), code);
}

} // namespace wakerace
