// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/lines.hpp"

#include "reports/counted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wakerace {

namespace {

std::string expected_types(const Expectation &expectation)
{
	if (expectation.types.empty())
		return "no violation";
	return fmt::format("{}", fmt::join(expectation.types, ", "));
}

std::string judgement(const Verdict &verdict)
{
	if (!verdict.expectation)
		return "no expectation";
	if (verdict.as_expected)
		return "as expected";
	if (verdict.result.verdict == "error" || verdict.result.verdict == "inconclusive")
		return "expected " + expected_types(*verdict.expectation);
	if (!verdict.result.unreached.empty())
		return "NOT as expected: a mark of the scenario is not reached";
	return "NOT as expected: expected " + expected_types(*verdict.expectation);
}

std::string found_types(const Result &result)
{
	std::string found;
	for (const auto &[type, count] : result.violations)
		found += fmt::format("{}{} x{}", found.empty() ? "" : ", ", type, count);
	return found.empty() ? "none" : found;
}

std::string executions(const Result &result)
{
	const Executions &count = result.executions;
	std::string text = fmt::format("executions {}+{}", count.complete, count.blocked);
	if (count.truncated)
		text += fmt::format("+{} cut", count.truncated);
	return text;
}

// What the verdict is worth: its bounds, and whatever was not the default.
std::string bounds(const Result &result)
{
	std::string text = result.exhaustive ? "exhaustive" : "within bound";
	if (!result.exhaustive && !result.bound.empty())
		text += " " + result.bound;
	text += fmt::format("  search {}, irq {}", result.search, result.irq);
	if (result.search == "random")
		text += fmt::format(", seed {}", result.seed);
	if (!result.weaken.empty())
		text += fmt::format(", weakened {}", fmt::join(result.weaken, " "));
	return text;
}

} // namespace

std::string text_verdict(const Verdict &verdict)
{
	const Result &result = verdict.result;
	std::string text = fmt::format("{} {} {}/{}  {} ({})  {}  {}, {:.1f} s  {}",
				       result.scenario, result.kernel, result.engine, result.model,
				       result.verdict, judgement(verdict), found_types(result),
				       executions(result), result.wall_s, bounds(result));
	if (!result.limits.empty())
		text += fmt::format("; not explored: {}", fmt::join(result.limits, "; "));
	text += '\n';
	if (!result.error.empty())
		text += fmt::format("    error: {}\n", result.error);
	for (const std::string &mark : result.unreached)
		text += fmt::format("    never reached: {}\n", mark);
	return text;
}

std::string text_summary(const Summary &summary)
{
	uint64_t total = 0;
	std::string verdicts;
	for (const auto &[verdict, count] : summary.verdicts) {
		total += count;
		verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", count, verdict);
	}
	std::string text = counted(total, "verdict");
	if (!verdicts.empty())
		text += ": " + verdicts;
	text += fmt::format("; {} as expected", summary.as_expected);
	if (summary.unexpected)
		text += fmt::format(", {} NOT as expected", summary.unexpected);
	if (summary.no_expectation)
		text += fmt::format(", {} without an expectation", summary.no_expectation);
	if (summary.not_applicable)
		text += fmt::format("; {} not applicable", summary.not_applicable);
	if (summary.not_run)
		text += fmt::format("; {} not run", summary.not_run);
	if (summary.interrupted)
		text += "; stopped by a signal";
	const double rate = summary.wall_s > 0 ? double(summary.executions) / summary.wall_s : 0;
	text += fmt::format("; {} in {:.1f} s ({:.0f}/s); exit code {}\n",
			    counted(summary.executions, "execution"), summary.wall_s, rate,
			    summary.exit_code);
	return text;
}

std::string terse_verdict(const Verdict &verdict)
{
	const Result &result = verdict.result;
	std::string types;
	for (const auto &[type, count] : result.violations)
		types += (types.empty() ? "" : ",") + type;
	const char *judged = !verdict.expectation  ? "no expectation"
			     : verdict.as_expected ? "as expected"
						   : "NOT as expected";
	return fmt::format("{}:{}:{}/{}: {}: {}: {}: {}\n", result.scenario, result.kernel,
			   result.engine, result.model, result.verdict,
			   types.empty() ? "none" : types, judged,
			   result.exhaustive ? "exhaustive" : "within bound");
}

std::string terse_summary(const Summary &summary)
{
	uint64_t total = 0;
	for (const auto &[verdict, count] : summary.verdicts)
		total += count;
	return fmt::format("total: {}, {} as expected, {} not as expected, "
			   "{} without an expectation, {} not applicable, {} not run, "
			   "exit code {}\n",
			   counted(total, "verdict"), summary.as_expected, summary.unexpected,
			   summary.no_expectation, summary.not_applicable, summary.not_run,
			   summary.exit_code);
}

} // namespace wakerace
