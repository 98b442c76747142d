// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engine says of programs that do what they must not (and of a few
// that only look so): tests/litmus/faults.cpp.
#include "tests/worker_fixture.hpp"

#include <gmock/gmock.h>

namespace wakerace {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Faults : public WorkerTest {
protected:
	Result run(const std::string &scenario, double time_limit_s = 60)
	{
		Request asked = request(path_from("WAKERACE_FAULTS"), scenario);
		asked.time_limit_s = time_limit_s;
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

TEST_F(Faults, CrashEndsTheWorkerWithoutALastLine)
{
	EXPECT_ANY_THROW(run("crash"));
}

} // namespace
} // namespace wakerace
