// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engine says of programs that do what they must not (and of a few
// that only look so): tests/litmus/faults.cpp.
#include "tests/worker_fixture.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Faults : public WorkerTest {
protected:
	Result run(const std::string &scenario, const std::string &model = "sc",
		   const std::string &search = "dpor")
	{
		Request asked = request(path_from("WAKERACE_FAULTS"), scenario);
		asked.model = model;
		asked.search = search;
		return explore(asked);
	}

	void expect_error(const std::string &scenario, const std::string &text)
	{
		const Result result = run(scenario);
		EXPECT_EQ(result.verdict, "error") << scenario;
		EXPECT_THAT(result.error, HasSubstr(text)) << scenario;
	}
};

TEST_F(Faults, ReadThatEscapesInstrumentationIsSeen)
{
	expect_error("asm-read", "escaped instrumentation");
}

TEST_F(Faults, WriteThatEscapesInstrumentationIsSeen)
{
	expect_error("asm-write", "m.x was written by an access that escaped instrumentation");
}

TEST_F(Faults, BitfieldsAreReadModifyWritesOfTheirWord)
{
	// One of the two bits can be lost, which two separate variables could not.
	EXPECT_THAT(names(run("bitfield").outcomes),
		    UnorderedElementsAre("x=0 bits=1", "x=0 bits=2", "x=0 bits=3"));
}

TEST_F(Faults, StackIsNoCell)
{
	const Result result = run("stack");
	EXPECT_EQ(result.longest, 2u) << "only the two stores are events";
	EXPECT_THAT(names(result.outcomes), UnorderedElementsAre("x=28 bits=0"));
}

TEST_F(Faults, PrivateStateOfTheOwnThreadIsNoCell)
{
	const Result result = run("own-words");
	EXPECT_EQ(result.longest, 2u);
	EXPECT_THAT(names(result.outcomes), UnorderedElementsAre("x=3 bits=0"));
}

TEST_F(Faults, PlacesWithoutADescriptionAreRefused)
{
	expect_error("unnamed", "no field describes the access to offset 12");
}

TEST_F(Faults, AccessesOfAnotherWidthAreRefused)
{
	expect_error("narrow", "m.x is 4 bytes wide but 1 bytes are accessed");
}

TEST_F(Faults, ConstantsStayConstant)
{
	expect_error("constant", "a constant field is written");
}

TEST_F(Faults, PrivateStateOfAnotherThreadIsRefused)
{
	expect_error("foreign", "thread 0 touches the private state of thread 1");
}

TEST_F(Faults, ConditionsMustNotTouchTheImage)
{
	expect_error("condition", "the condition of a wait touches the image");
}

TEST_F(Faults, StateThatNothingRestoresIsRefused)
{
	expect_error("unsteady", "a static variable outside of the image is written");
}

TEST_F(Faults, UnbalancedBracketsAreRefused)
{
	expect_error("unbalanced", "wr_call_end without wr_call_begin");
}

TEST_F(Faults, MarkThatNoExecutionReachesIsAnError)
{
	expect_error("unreached", "no execution reaches \"x is 7\"");
}

TEST_F(Faults, LoopWithoutEndIsCutAndSaidToBe)
{
	const Result result = run("endless");
	EXPECT_FALSE(result.exhaustive);
	EXPECT_GT(result.executions.truncated, 0u);
	EXPECT_EQ(result.verdict, "inconclusive");
	EXPECT_THAT(result.bound, HasSubstr("length of an execution"));
}

// --- Invariants, from both sides -------------------------------------------------

struct Judged {
	const char *scenario;
	const char *types; // separated by blanks
	const char *text;  // of the first story
};

void PrintTo(const Judged &judged, std::ostream *out)
{
	*out << judged.scenario;
}

class Judging : public Faults, public testing::WithParamInterface<Judged> {};

TEST_P(Judging, NoticesWhatItMustAndNothingElse)
{
	const Result result = run(GetParam().scenario);
	EXPECT_TRUE(result.exhaustive);
	EXPECT_EQ(fmt::format("{}", fmt::join(names(result.violations), " ")), GetParam().types);
	if (!result.stories.empty()) {
		EXPECT_EQ(result.stories[0].violation.text, GetParam().text);
	}
}

INSTANTIATE_TEST_SUITE_P(
	All, Judging,
	testing::Values(
		Judged{"search", "NEEDLESS_SEARCH",
		       "P0 searched other CPUs for work although #0 had been committed to it "
		       "before"},
		Judged{"search-near", "", ""}, Judged{"search-elsewhere", "", ""},
		Judged{"search-after", "", ""},
		Judged{"kick", "NEEDLESS_IPI", "P1 interrupted P0, which polled the whole time"},
		Judged{"kick-near", "", ""}, Judged{"kick-end", "", ""},
		Judged{"stacked", "STACKED",
		       "#1 was placed on P0, to which #0 was committed during the whole "
		       "selection, while P1 was free"},
		Judged{"stacked-confined", "", ""}, Judged{"stacked-busy", "", ""},
		Judged{"stacked-nowhere", "", ""}, Judged{"failed-exchange", "", ""}));

TEST_F(Faults, WhatASearchLocksTellsItNothing)
{
	// Whoever has the lock first: two executions, and a search in vain in both.
	const Result result = run("search-lock");
	EXPECT_EQ(result.executions.complete, 2u);
	EXPECT_EQ(result.violations.at("NEEDLESS_SEARCH"), 2u);
}

TEST_F(Faults, KickIsNeedlessOnlyIfItCouldSeeThePolling)
{
	const Result result = run("kick");
	EXPECT_EQ(result.executions.complete, 2u);
	EXPECT_EQ(result.violations.at("NEEDLESS_IPI"), 1u);
	const Story &story = result.stories.at(0);
	EXPECT_THAT(story.events.at(0).notes, ElementsAre("P0 polls from here on"));
	EXPECT_THAT(story.events.at(1).notes, ElementsAre("so P0 is interrupted"));
}

TEST_F(Faults, OldValuesMakeAnInstantUnderWeakModelsOnly)
{
	const Result sc = run("instant");
	EXPECT_EQ(sc.executions.complete, 2u);
	EXPECT_EQ(sc.violations.at("FALSE_IDLE_INSTANT"), 1u);
	const Result c11 = run("instant", "c11");
	EXPECT_EQ(c11.violations.at("FALSE_IDLE_INSTANT"), c11.executions.complete);
}

// --- Stacks that move --------------------------------------------------------------

TEST_F(Faults, StackGoesOnWhereItIsHandedTo)
{
	for (const char *model : {"sc", "c11"}) {
		const Result dpor = run("handed-over", model);
		EXPECT_TRUE(dpor.exhaustive);
		EXPECT_THAT(names(dpor.outcomes), UnorderedElementsAre("x=42 bits=0"));
		EXPECT_THAT(dpor.violations, IsEmpty());
		const Result full = run("handed-over", model, "full");
		EXPECT_TRUE(full.exhaustive);
		EXPECT_EQ(names(full.outcomes), names(dpor.outcomes));
		EXPECT_EQ(names(full.violations), names(dpor.violations));
	}
}

TEST_F(Faults, HandingAStackOverOrdersNothing)
{
	EXPECT_THAT(run("handed-over-relaxed").violations, IsEmpty());
	EXPECT_THAT(names(run("handed-over-relaxed", "c11").violations),
		    UnorderedElementsAre("DATA_RACE"));
}

TEST_F(Faults, WhoIsOnAStackFirstIsAStepOfTheSearch)
{
	for (const char *search : {"dpor", "full"}) {
		const Result result = run("stack-contended", "sc", search);
		EXPECT_THAT(names(result.violations), UnorderedElementsAre("RUNNING_TWICE"));
		EXPECT_THAT(names(result.outcomes), UnorderedElementsAre("x=1 bits=0"));
	}
}

TEST_F(Faults, ThreadThatHasNotBegunStaysSoWhenAnotherFails)
{
	expect_error("foreign-first", "thread 0 touches the private state of thread 1");
}

TEST_F(Faults, OneStackUnderTwoThreadsEndsTheExecution)
{
	for (const char *search : {"dpor", "full"}) {
		const Result result = run("stack-in-use", "sc", search);
		EXPECT_THAT(names(result.violations), UnorderedElementsAre("RUNNING_TWICE"));
		EXPECT_EQ(result.verdict, "violation");
		EXPECT_FALSE(result.exhaustive);
		EXPECT_EQ(result.bound, "executions that could not go on");
		EXPECT_GT(result.executions.complete, 0u);
		EXPECT_EQ(result.executions.truncated, result.violations.at("RUNNING_TWICE"));
		EXPECT_EQ(result.stories.at(0).violation.text,
			  "a stack is entered that another thread is on");
	}
}

TEST_F(Faults, ThreadComesBackToItsOwnStack)
{
	const Result result = run("own-stack");
	EXPECT_TRUE(result.exhaustive);
	EXPECT_THAT(names(result.outcomes), UnorderedElementsAre("x=42 bits=0"));
	EXPECT_THAT(result.violations, IsEmpty());
}

TEST_F(Faults, StackThatIsNotThereIsRefused)
{
	expect_error("no-such-stack", "there is no stack 16; they end at 15");
}

TEST_F(Faults, NotesOfAnInterruptedAccessFollowItToAnotherThread)
{
	const Result result = run("interrupted");
	EXPECT_THAT(names(result.violations), UnorderedElementsAre("NEEDLESS_SEARCH"));
	EXPECT_THAT(names(result.outcomes), UnorderedElementsAre("x=1 bits=0"));
	bool seen = false;
	for (const StoryEvent &event : result.stories.at(0).events) {
		const bool noted = event.cell == "m.x";
		seen |= noted;
		EXPECT_EQ(event.thread == 1 && !event.notes.empty() && event.kind == "write",
			  noted);
		if (noted) {
			EXPECT_THAT(event.notes, UnorderedElementsAre("from here P1 has work: #0",
								      "from here P1 has work: #1"));
		}
	}
	EXPECT_TRUE(seen);
}

TEST_F(Faults, CallThatIsCarriedToAnotherThreadIsNotJudged)
{
	const Result result = run("carried-call");
	EXPECT_EQ(result.error, "");
	EXPECT_TRUE(result.exhaustive);
	EXPECT_THAT(result.violations, IsEmpty());
}

TEST_F(Faults, CrashEndsTheWorkerWithoutALastLine)
{
	EXPECT_ANY_THROW(run("crash"));
}

} // namespace
} // namespace wakerace
