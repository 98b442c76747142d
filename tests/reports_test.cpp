// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "reports/lines.hpp"
#include "reports/story.hpp"
#include "reports/story_view.hpp"
#include "tests/golden.hpp"

#include <sstream>

namespace json = boost::json;
using namespace wakerace;

namespace {

Story sample_story()
{
	return story_from_json(json::parse(golden_text("story.json")));
}

Trace sample_trace()
{
	Trace trace;
	trace.kernel = "v6.1";
	trace.request.scenario = "ttwu_pending";
	trace.story = sample_story();
	return trace;
}

Verdict base_verdict()
{
	Verdict verdict;
	Result &result = verdict.result;
	result.scenario = "ttwu_pending";
	result.kernel = "v6.1";
	result.engine = "relacy";
	result.model = "c11";
	result.search = "dpor";
	result.irq = "every-access";
	result.executions = {98, 2, 0, 40};
	result.wall_s = 0.5;
	result.peak_mb = 21.5;
	result.longest = 61;
	result.limits = {"load buffering, 2+2W, S", "values more than two writes old"};
	result.exhaustive = true;
	return verdict;
}

// One of each kind of line.
std::vector<Verdict> sample_verdicts()
{
	Verdict expected = base_verdict();
	expected.result.verdict = "violation";
	expected.result.violations = {{"FALSE_IDLE", 12}, {"STACKED", 3}};
	expected.result.outcomes = {{"A.cpu=1 B.cpu=1", 3}, {"A.cpu=1 B.cpu=2", 7}};
	expected.result.stories = {sample_story()};
	expected.traces = {"build/traces/one.json"};
	expected.expectation = Expectation{{"FALSE_IDLE", "STACKED"}, "commit d6962c4fe8f9"};
	expected.as_expected = true;

	Verdict unexpected = expected;
	unexpected.result.kernel = "v6.2";
	unexpected.result.weaken = {"idle_cpu:READ_ONCE#2"};
	unexpected.expectation = Expectation{{}, "mail 1"};
	unexpected.as_expected = false;

	Verdict pass = base_verdict();
	pass.result.verdict = "pass";
	pass.result.exhaustive = false;
	pass.result.bound = "interrupts at steps";
	pass.result.irq = "steps";
	pass.expectation = Expectation{{}, "mail 1"};
	pass.as_expected = true;

	Verdict open = base_verdict();
	open.result.verdict = "inconclusive";
	open.result.exhaustive = false;
	open.result.bound = "time limit 1 s";
	open.result.search = "random";
	open.result.seed = 7;
	open.result.executions.truncated = 5;
	open.expectation = expected.expectation;

	Verdict error = base_verdict();
	error.result.verdict = "error";
	error.result.error = "1 of the scenario's marks was never reached";
	error.result.unreached = {"the IPI is elided"};
	error.result.limits.clear();
	return {expected, unexpected, pass, open, error};
}

Summary sample_summary()
{
	Summary summary;
	summary.verdicts = {{"violation", 2}, {"pass", 1}, {"inconclusive", 1}, {"error", 1}};
	summary.as_expected = 2;
	summary.unexpected = 1;
	summary.no_expectation = 1;
	summary.not_applicable = 6;
	summary.executions = 505;
	summary.wall_s = 2.5;
	summary.exit_code = 3;
	return summary;
}

std::string render(const Story &story, unsigned width, bool verbose)
{
	return story_text(story, {width, verbose}, "build/traces/one.json");
}

} // namespace

TEST(Reports, Text)
{
	std::string text;
	for (const Verdict &verdict : sample_verdicts())
		text += text_verdict(verdict);
	expect_golden("run.txt", text + text_summary(sample_summary()));
}

TEST(Reports, Terse)
{
	std::string text;
	for (const Verdict &verdict : sample_verdicts())
		text += terse_verdict(verdict);
	expect_golden("run.terse", text + terse_summary(sample_summary()));
}

TEST(Reports, JsonLines)
{
	std::string text;
	for (const Verdict &verdict : sample_verdicts())
		text += json::serialize(json_verdict(verdict)) + "\n";
	text += json::serialize(json_summary(sample_summary())) + "\n";
	expect_golden("run.jsonl", text);
}

TEST(Reports, StoryInLanes)
{
	expect_golden("story-120.txt",
		      story_heading(sample_trace()) + render(sample_story(), 120, false));
}

TEST(Reports, StoryInOneColumn)
{
	expect_golden("story-60.txt",
		      story_heading(sample_trace()) + render(sample_story(), 60, false));
}

TEST(Reports, StoryInFull)
{
	expect_golden("story-verbose.txt", render(sample_story(), 120, true));
}

TEST(Reports, LanesEndBeforeTheEdge)
{
	for (unsigned width = 90; width <= 200; width += 5) {
		const std::string text = render(sample_story(), width, false);
		if (text.find("CPU0  ") == std::string::npos)
			continue; // in one column
		std::istringstream lines(text.substr(0, text.find("\n\n")));
		for (std::string line; std::getline(lines, line);)
			EXPECT_LE(line.size(), width) << line;
	}
}

TEST(Reports, StepsOfTheProofAreNeverFolded)
{
	Story story = sample_story();
	story.violation.steps = {8}; // in the middle of three equal reads
	bool shown = false;
	for (const StoryRow &row : view_story(story, false).rows)
		shown |= row.step == 8 && row.proof && row.times == 1;
	EXPECT_TRUE(shown);
}

TEST(Reports, LoopsOfSeveralReadsAreFolded)
{
	Story story;
	story.threads = {"CPU0"};
	for (unsigned i = 0; i < 24; i++) {
		StoryEvent event;
		event.step = i;
		event.kind = "read";
		event.cell = i % 2 ? "b" : "a";
		event.value = "0";
		event.reads_from = StoryEvent::initial;
		story.events.push_back(event);
	}
	const std::vector<StoryRow> rows = view_story(story, false).rows;
	ASSERT_EQ(rows.size(), 2u);
	EXPECT_EQ(rows[0].times, 12u);
	EXPECT_EQ(rows[1].text(), "b = 0 ... x12");
	EXPECT_EQ(view_story(story, true).rows.size(), 24u);
}

TEST(Reports, InitialValuesAreNamedWhereTheyMatter)
{
	Story story = sample_story();
	const auto text = [&](unsigned step, bool verbose) {
		for (const StoryRow &row : view_story(story, verbose).rows)
			if (row.step == step)
				return row.text();
		return std::string("no such step");
	};
	EXPECT_EQ(text(11, false), "lock rq[1].lock");
	EXPECT_EQ(text(11, true), "lock rq[1].lock (initial)");
	EXPECT_EQ(text(12, false), "rq[1].nr_running = 0 (initial)"); // of the proof
	EXPECT_EQ(text(16, false), "rq[1].nr_running = 0 (initial, stale)");
}

TEST(Reports, OneOfAThing)
{
	Trace trace = sample_trace();
	trace.story.context_switches = 1;
	EXPECT_NE(story_heading(trace).find("19 steps, 1 context switch\n"), std::string::npos);
	Summary summary;
	summary.verdicts = {{"pass", 1}};
	summary.executions = 1;
	EXPECT_NE(text_summary(summary).find("1 verdict: "), std::string::npos);
	EXPECT_NE(text_summary(summary).find("; 1 execution in "), std::string::npos);
	EXPECT_NE(terse_summary(summary).find("total: 1 verdict, "), std::string::npos);
}

TEST(Reports, WhatComesAfterTheProofIsLeftOut)
{
	Story story = sample_story();
	story.violation.steps = {1, 10};
	story.also.clear();
	EXPECT_EQ(view_story(story, false).left_out, 8u);
	EXPECT_EQ(view_story(story, true).left_out, 0u);
	// A lost wakeup is proved by what does not come, so the end matters.
	story.violation.type = "LOST_WAKEUP";
	EXPECT_EQ(view_story(story, false).left_out, 0u);
}

TEST(Reports, UntoldStorySaysSo)
{
	Story story;
	story.violation = {"DEADLOCK", "CPU0 and CPU1 wait for each other", {}};
	EXPECT_NE(render(story, 100, false).find("not recorded"), std::string::npos);
}
