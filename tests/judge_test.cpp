// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/judge.hpp"

#include <gtest/gtest.h>

namespace wakerace {
namespace {

Result found(const std::string &verdict, const std::map<std::string, uint64_t> &violations = {})
{
	Result result;
	result.verdict = verdict;
	result.violations = violations;
	result.exhaustive = true;
	result.irq = "every-access";
	result.search = "dpor";
	result.executions.complete = 10;
	return result;
}

Result cut_short(Result result)
{
	result.exhaustive = false;
	result.bound = "time limit 1 s";
	return result;
}

ExitCode code(const Result &result, const std::set<std::string> &expected)
{
	return exit_code_of(judge(result, Expectation{expected, "mail"}));
}

TEST(Judge, TheSetsMustBeEqual)
{
	EXPECT_EQ(code(found("pass"), {}), exit_expected);
	EXPECT_EQ(code(found("pass"), {"STACKED"}), exit_unexpected);
	EXPECT_EQ(code(found("violation", {{"STACKED", 1}}), {"STACKED"}), exit_expected);
	EXPECT_EQ(code(found("violation", {{"STACKED", 1}}), {}), exit_unexpected);
	EXPECT_EQ(code(found("violation", {{"STACKED", 1}}), {"STACKED", "DEADLOCK"}),
		  exit_unexpected);
	EXPECT_EQ(code(found("violation", {{"STACKED", 1}, {"DEADLOCK", 1}}), {"STACKED"}),
		  exit_unexpected);
}

TEST(Judge, ACutSearchProvesNothing)
{
	EXPECT_EQ(code(cut_short(found("pass")), {}), exit_inconclusive);
	EXPECT_EQ(code(cut_short(found("pass")), {"STACKED"}), exit_inconclusive);
	EXPECT_EQ(judge(cut_short(found("pass")), Expectation{}).result.verdict, "inconclusive");
}

TEST(Judge, WhatACutSearchFoundCounts)
{
	const Result result = cut_short(found("violation", {{"STACKED", 1}}));
	EXPECT_EQ(code(result, {"STACKED"}), exit_expected);
	EXPECT_EQ(code(result, {"STACKED", "DEADLOCK"}), exit_inconclusive);
	EXPECT_EQ(code(result, {"DEADLOCK"}), exit_unexpected);
}

TEST(Judge, WithoutExpectationNothingIsExpected)
{
	EXPECT_EQ(exit_code_of(judge(found("pass"), std::nullopt)), exit_unexpected);
}

TEST(Judge, NothingExploredIsAnError)
{
	Result result = found("pass");
	result.executions = {};
	EXPECT_EQ(judge(result, Expectation{}).result.verdict, "error");
	EXPECT_EQ(code(result, {}), exit_internal);
	EXPECT_EQ(code(cut_short(result), {}), exit_inconclusive);
}

TEST(Judge, APassWithUnreachedMarksIsAnError)
{
	Result result = found("pass");
	result.unreached = {"a mark"};
	EXPECT_EQ(code(result, {}), exit_internal);
	EXPECT_EQ(code(cut_short(result), {}), exit_inconclusive);
}

TEST(Judge, AViolationStandsWhateverWasNotReachedButIsNotAsExpected)
{
	Result result = found("violation", {{"STACKED", 1}});
	result.unreached = {"a mark"};
	EXPECT_EQ(judge(result, Expectation{{"STACKED"}, ""}).result.verdict, "violation");
	EXPECT_EQ(code(result, {"STACKED"}), exit_unexpected);
	EXPECT_EQ(code(result, {}), exit_unexpected);
	EXPECT_EQ(code(cut_short(result), {"STACKED"}), exit_expected);
}

TEST(Judge, StepsAreABoundButNoCut)
{
	Result result = found("pass");
	result.irq = "steps";
	const Verdict verdict = judge(result, Expectation{});
	EXPECT_EQ(verdict.result.verdict, "pass");
	EXPECT_FALSE(verdict.result.exhaustive);
	EXPECT_TRUE(verdict.as_expected);
}

TEST(Judge, TheGravestCodeWins)
{
	const std::vector<ExitCode> order = {exit_internal,     exit_bad_input, exit_unexpected,
					     exit_inconclusive, exit_nothing,   exit_expected};
	for (size_t i = 0; i < order.size(); i++)
		for (size_t k = i; k < order.size(); k++) {
			EXPECT_EQ(graver(order[i], order[k]), order[i]);
			EXPECT_EQ(graver(order[k], order[i]), order[i]);
		}
}

TEST(Judge, TheSummaryTakesTheGravest)
{
	Summary summary;
	add(summary, judge(found("pass"), Expectation{}));
	EXPECT_EQ(summary.exit_code, exit_expected);
	add(summary, judge(cut_short(found("pass")), Expectation{}));
	EXPECT_EQ(summary.exit_code, exit_inconclusive);
	add(summary, judge(found("pass"), Expectation{{"STACKED"}, ""}));
	EXPECT_EQ(summary.exit_code, exit_unexpected);
	EXPECT_EQ(summary.as_expected, 1u);
	EXPECT_EQ(summary.unexpected, 1u);
	EXPECT_EQ(summary.executions, 30u);
	add(summary, judge(found("pass"), std::nullopt));
	EXPECT_EQ(summary.no_expectation, 1u);
	EXPECT_EQ(summary.unexpected, 1u);
	EXPECT_EQ(summary.exit_code, exit_unexpected);
}

} // namespace
} // namespace wakerace
