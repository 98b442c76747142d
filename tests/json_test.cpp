// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "tests/golden.hpp"

#include <functional>
#include <gmock/gmock.h>

namespace json = boost::json;
using namespace wakerace;
using testing::AllOf;
using testing::HasSubstr;

namespace {

Story sample_story()
{
	return story_from_json(json::parse(golden_text("story.json")));
}

Trace sample_trace()
{
	Trace trace;
	trace.kernel = "v6.1";
	trace.module_hash = "0123abcd";
	trace.request.scenario = "ttwu_pending";
	trace.request.weaken = {"idle_cpu:READ_ONCE#2"};
	trace.request.seed = UINT64_MAX;
	trace.request.time_limit_s = 1.5;
	trace.story = sample_story();
	return trace;
}

std::string refusal(const std::string &text)
{
	try {
		trace_from_text(text, "some.json");
	} catch (const BadInput &problem) {
		return problem.what();
	}
	return "accepted";
}

// The refusal of a trace after @change, with a checksum that fits again.
std::string refusal_after(const std::function<void(Trace &)> &change)
{
	Trace trace = sample_trace();
	change(trace);
	return refusal(json::serialize(to_json(trace)));
}

} // namespace

TEST(Json, StoryGoesThereAndBack)
{
	const json::object first = to_json(sample_story());
	EXPECT_EQ(first, to_json(story_from_json(first)));
	EXPECT_EQ(sample_story().events.size(), 19u);
}

TEST(Json, ResultGoesThereAndBack)
{
	Result result;
	result.scenario = "ttwu_pending";
	result.kernel = "v6.1";
	result.verdict = "violation";
	result.executions = {98, 2, 1, 17};
	result.violations = {{"FALSE_IDLE", 12}};
	result.outcomes = {{"A.cpu=1", 3}};
	result.limits = {"load buffering"};
	result.unreached = {"IPI elided"};
	result.wall_s = 0.25;
	result.stories = {sample_story()};
	const json::object first = to_json(result);
	EXPECT_EQ(first, to_json(result_from_json(json::parse(json::serialize(first)))));
	EXPECT_EQ(first.at("executions_per_s").as_double(), 404.0);
}

TEST(Json, RequestGoesThereAndBack)
{
	Request request = sample_trace().request;
	request.module = "modules/x.so";
	EXPECT_EQ(to_json(request), to_json(request_from_json(to_json(request))));
}

TEST(Json, ReplayGoesThereAndBack)
{
	const Replay replay = {false, 7, "read x", "write y", sample_story()};
	EXPECT_EQ(to_json(replay), to_json(replay_from_json(to_json(replay))));
}

TEST(Json, TraceGoesThereAndBack)
{
	const std::string text = json::serialize(to_json(sample_trace()));
	EXPECT_EQ(text, json::serialize(to_json(trace_from_text(text, "some.json"))));
}

TEST(Json, TraceDoesNotSayWhereTheModuleWas)
{
	Trace trace = sample_trace();
	trace.request.module = "modules/x.so";
	EXPECT_EQ(json::serialize(to_json(trace)).find("/tmp"), std::string::npos);
}

TEST(Json, EveryCutTraceIsRefusedByName)
{
	const std::string text = json::serialize(to_json(sample_trace()));
	for (size_t size = 0; size < text.size(); size += 97)
		EXPECT_THAT(refusal(text.substr(0, size)),
			    AllOf(HasSubstr("some.json"), HasSubstr("wakerace run")));
}

TEST(Json, ChangedTraceIsRefused)
{
	std::string text = json::serialize(to_json(sample_trace()));
	text.replace(text.find("\"v6.1\""), 6, "\"v6.2\"");
	EXPECT_THAT(refusal(text), AllOf(HasSubstr("some.json"), HasSubstr("changed after")));
}

TEST(Json, WrongVersionIsRefused)
{
	std::string text = json::serialize(to_json(sample_trace()));
	text.replace(text.find("\"version\":1"), 11, "\"version\":9");
	EXPECT_THAT(refusal(text), AllOf(HasSubstr("version 9"), HasSubstr("reads version 1")));
}

TEST(Json, WrongTypeIsNamed)
{
	json::object story = to_json(sample_story());
	story["events"].as_array()[3].as_object()["line"] = "forty";
	try {
		story_from_json(story);
		FAIL() << "accepted";
	} catch (const BadInput &problem) {
		EXPECT_THAT(problem.what(),
			    AllOf(HasSubstr("events[3].line"), HasSubstr("a whole number"),
				  HasSubstr("a string")));
	}
	EXPECT_THROW(story_from_json(json::value(3)), BadInput);
}

TEST(Json, EveryMissingMemberOfAStoryIsNamed)
{
	const json::object whole = to_json(sample_story());
	for (const auto &member : whole) {
		json::object story = whole;
		story.erase(member.key());
		try {
			story_from_json(story);
			ADD_FAILURE() << "accepted without " << member.key();
		} catch (const BadInput &problem) {
			EXPECT_THAT(problem.what(), HasSubstr(std::string(member.key())));
		}
	}
}

TEST(Json, NumbersOutOfRangeAreRefused)
{
	json::object request = to_json(sample_trace().request);
	request["context_bound"] = -1;
	EXPECT_THROW(request_from_json(request), BadInput);
	request["context_bound"] = 1e30;
	EXPECT_THROW(request_from_json(request), BadInput);
}

TEST(Json, StepsThatAreNotThereAreRefused)
{
	EXPECT_THAT(refusal_after([](Trace &trace) { trace.story.events[2].reads_from = 99; }),
		    HasSubstr("reads from step 99"));
	EXPECT_THAT(refusal_after([](Trace &trace) { trace.story.events[2].thread = 9; }),
		    HasSubstr("thread 9"));
	EXPECT_THAT(refusal_after([](Trace &trace) { trace.story.events[2].step = 5; }),
		    HasSubstr("calls itself step 5"));
	EXPECT_THAT(refusal_after([](Trace &trace) { trace.story.violation.steps = {77}; }),
		    HasSubstr("step 77"));
}
