// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the Relacy engine explores, read off litmus tests: the dpor search sees
// what Relacy's full search sees; under sc exactly the interleavings; under c11
// what docs/engines.md says.
#include "tests/worker_fixture.hpp"

#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

class Litmus : public WorkerTest {
protected:
	Result run(const std::string &scenario, const std::string &model,
		   const std::string &search = "dpor") const
	{
		Request asked = request(path_from("WAKERACE_LITMUS"), scenario);
		asked.model = model;
		asked.search = search;
		return explore(asked);
	}
};

// --- The two searches --------------------------------------------------------

struct Pair {
	const char *scenario;
	const char *model;
};

void PrintTo(const Pair &pair, std::ostream *out)
{
	*out << pair.scenario << " under " << pair.model;
}

class Searches : public Litmus, public testing::WithParamInterface<Pair> {};

TEST_P(Searches, DporSeesWhatTheFullSearchSees)
{
	const auto [scenario, model] = GetParam();
	const Result dpor = run(scenario, model);
	const Result full = run(scenario, model, "full");
	ASSERT_TRUE(dpor.exhaustive && full.exhaustive);
	EXPECT_EQ(names(dpor.outcomes), names(full.outcomes));
	EXPECT_EQ(names(dpor.violations), names(full.violations));
	EXPECT_EQ(dpor.executions.blocked > 0, full.executions.blocked > 0);
	EXPECT_LE(dpor.executions.complete, full.executions.complete);
}

constexpr const char *scenarios[] = {
	"SB",
	"SB+mb",
	"SB+mb+po",
	"SB+xchg",
	"SB+rel+acq",
	"MP",
	"MP+wmb",
	"MP+rmb",
	"MP+wmb+rmb",
	"MP+rel+acq",
	"MP+fetch_add_release+acq",
	"SB+await",
	"INTERRUPT",
	"MP+rel+ctrl-acquire",
	"MP+wmb+rmb+old-values",
	"MP+unlock-lock+rmb",
	"MP+lock+rmb",
	"LB",
	"LB+mb",
	"S",
	"S+wmb+acq",
	"R",
	"R+mb",
	"R+wmb+mb",
	"2+2W",
	"2+2W+wmb",
	"WRC",
	"WRC+wmb+rmb",
	"WRC+rel+acq",
	"IRIW",
	"IRIW+rmb",
	"IRIW+mb",
	"CoRR",
	"CoRR2",
	"CoWR",
	"CAS",
	"ADD",
	"AWAIT",
	"AWAIT+toggle",
	"LOCK",
	"RACE",
	"DEADLOCK",
	"CHOICE",
	"HANDING-OVER",
};

std::vector<Pair> pairs()
{
	std::vector<Pair> pairs;
	for (const char *scenario : scenarios)
		for (const char *model : {"sc", "c11"})
			pairs.push_back({scenario, model});
	return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, Searches, testing::ValuesIn(pairs()));

// --- What can be seen ---------------------------------------------------------

// The outcome that gives a test its name, and who allows it. LKMM's column is
// the kernel's memory model; "seen" is what the engine explores under c11.
struct Row {
	const char *scenario;
	const char *outcome;
	bool lkmm;
	bool seen;
};

constexpr Row rows[] = {
	{"SB", "0:r0=1 1:r0=1 x=1 y=1", true, true},
	{"SB+mb", "0:r0=1 1:r0=1 x=1 y=1", false, false},
	{"SB+mb+po", "0:r0=1 1:r0=1 x=1 y=1", true, true},
	{"SB+xchg", "0:r0=1 1:r0=1 x=1 y=1", false, false},
	{"SB+rel+acq", "0:r0=1 1:r0=1 x=1 y=1", true, true},
	{"MP", "1:r0=2 1:r1=1 x=1 y=1", true, true},
	{"MP+wmb", "1:r0=2 1:r1=1 x=1 y=1", true, true},
	{"MP+rmb", "1:r0=2 1:r1=1 x=1 y=1", true, true},
	{"MP+wmb+rmb", "1:r0=2 1:r1=1 x=1 y=1", false, false},
	{"MP+rel+acq", "1:r0=2 1:r1=1 x=1 y=1", false, false},
	{"MP+fetch_add_release+acq", "1:r0=2 1:r1=1 x=1 y=1", false, false},
	{"SB+await", "0:r0=1 1:r0=1 x=1 y=1", true, true},
	{"MP+rel+ctrl-acquire", "1:r0=2 1:r1=1 x=1 y=1", false, false},
	{"MP+wmb+rmb+old-values", "1:r0=1 1:r1=1 x=3 y=1", true, true},
	{"MP+unlock-lock+rmb", "1:r0=2 1:r1=1 x=1 y=1", false, false},
	{"MP+lock+rmb", "1:r0=2 1:r1=1 x=1 y=1", true, true},
	{"LB", "0:r0=2 1:r0=2 x=1 y=1", true, false},
	{"LB+mb", "0:r0=2 1:r0=2 x=1 y=1", false, false},
	{"S", "1:r0=2 x=2 y=1", true, false},
	{"S+wmb+acq", "1:r0=2 x=2 y=1", false, false},
	{"R", "1:r0=1 x=1 y=2", true, true},
	{"R+mb", "1:r0=1 x=1 y=2", false, false},
	{"R+wmb+mb", "1:r0=1 x=1 y=2", true, true},
	{"2+2W", "x=1 y=1", true, false},
	{"2+2W+wmb", "x=1 y=1", false, false},
	{"WRC", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", true, true},
	{"WRC+wmb+rmb", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", true, false},
	{"WRC+rel+acq", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", false, false},
	{"IRIW", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", true, true},
	{"IRIW+rmb", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", true, true},
	{"IRIW+mb", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", false, false},
	{"CoRR", "1:r0=2 1:r1=1 x=1 y=0", false, false},
};

void PrintTo(const Row &row, std::ostream *out)
{
	*out << row.scenario;
}

class Shapes : public Litmus, public testing::WithParamInterface<Row> {};

TEST_P(Shapes, ScForbidsIt)
{
	const Row row = GetParam();
	// The one shape that needs no reordering at all.
	const bool plain = std::string(row.scenario) == "MP+wmb+rmb+old-values";
	EXPECT_EQ(run(row.scenario, "sc").outcomes.contains(row.outcome), plain);
}

TEST_P(Shapes, C11ShowsItIfTheTableSaysSo)
{
	const Row row = GetParam();
	EXPECT_EQ(run(row.scenario, "c11").outcomes.contains(row.outcome), row.seen);
}

TEST_P(Shapes, NothingIsSeenThatTheKernelForbids)
{
	EXPECT_LE(GetParam().seen, GetParam().lkmm);
}

INSTANTIATE_TEST_SUITE_P(All, Shapes, testing::ValuesIn(rows));

// The table in the documentation is this one.
TEST(Documentation, ShowsTheSameTable)
{
	const std::string text = read_file(source_root() / "docs/engines.md");
	for (const Row &row : rows)
		EXPECT_THAT(text, testing::HasSubstr(fmt::format("| {} | {} | {} |", row.scenario,
								 row.lkmm ? "allowed" : "forbidden",
								 row.seen ? "explored" : "never")));
}

// --- Values, locks, waits -----------------------------------------------------

TEST_F(Litmus, ReadsGoTwoWritesBackAndNoFurther)
{
	// y is still 0 in all of them, so nothing but staleness decides about x.
	const auto outcomes = names(run("MP+wmb+rmb+old-values", "c11").outcomes);
	EXPECT_TRUE(outcomes.contains("1:r0=1 1:r1=2 x=3 y=1"));
	EXPECT_TRUE(outcomes.contains("1:r0=1 1:r1=4 x=3 y=1"));
	EXPECT_FALSE(outcomes.contains("1:r0=2 1:r1=1 x=3 y=1"));
}

TEST_F(Litmus, InterruptsComeBetweenTwoAccesses)
{
	// The handler sees x between its two stores, unless it comes at steps only.
	Request asked = request(path_from("WAKERACE_LITMUS"), "INTERRUPT");
	EXPECT_TRUE(explore(asked).outcomes.contains("0:r0=2 x=2 y=1"));
	asked.irq = "steps";
	EXPECT_EQ(names(explore(asked).outcomes), std::set<std::string>{"x=2 y=1"});
}

TEST_F(Litmus, LocksExclude)
{
	const Result result = run("LOCK", "c11");
	EXPECT_EQ(result.executions.complete, 6u) << "three critical sections have 3! orders";
	EXPECT_TRUE(result.violations.empty()) << "no data race on what the lock protects";
}

TEST_F(Litmus, RacingPlainAccessesAreReported)
{
	EXPECT_EQ(names(run("RACE", "c11").violations), std::set<std::string>{"DATA_RACE"});
}

TEST_F(Litmus, WhoWaitsForWhatIsTold)
{
	const Result result = run("DEADLOCK", "sc");
	ASSERT_EQ(result.stories.size(), 1u);
	EXPECT_EQ(result.stories[0].violation.text,
		  "P0 waits for ever for m.x; P1 waits for ever for m.y");
	EXPECT_EQ(result.executions.complete, 0u);
}

TEST_F(Litmus, WeakeningASiteOpensTheShape)
{
	Request asked = request(path_from("WAKERACE_LITMUS"), "SB+mb");
	asked.model = "c11";
	EXPECT_FALSE(explore(asked).outcomes.contains("0:r0=1 1:r0=1 x=1 y=1"));
	asked.weaken = {"sb_mb:smp_mb"};
	EXPECT_TRUE(explore(asked).outcomes.contains("0:r0=1 1:r0=1 x=1 y=1"));
}

TEST_F(Litmus, UnknownSiteIsBadInput)
{
	Request asked = request(path_from("WAKERACE_LITMUS"), "SB+mb");
	asked.weaken = {"sb_mb:smp_wmb"};
	EXPECT_ANY_THROW(explore(asked));
	EXPECT_EQ(status_ >> 8, 2);
}

// --- Other searches -----------------------------------------------------------

TEST_F(Litmus, RandomSearchRepeatsItselfAndSaysThatItIsASample)
{
	Request asked = request(path_from("WAKERACE_LITMUS"), "IRIW");
	asked.model = "c11";
	asked.search = "random";
	asked.seed = 5;
	asked.max_executions = 300;
	const Result one = explore(asked), two = explore(asked);
	EXPECT_EQ(one.outcomes, two.outcomes);
	EXPECT_EQ(one.executions.complete, 300u);
	EXPECT_FALSE(one.exhaustive);
	asked.seed = 6;
	EXPECT_NE(explore(asked).outcomes, one.outcomes);
}

TEST_F(Litmus, BoundedSearchGrowsWithItsBound)
{
	Request asked = request(path_from("WAKERACE_LITMUS"), "ADD");
	asked.search = "bounded";
	asked.scenario = "IRIW";
	uint64_t before = 0;
	for (unsigned bound : {0, 1, 2}) {
		asked.context_bound = bound;
		const Result result = explore(asked);
		EXPECT_FALSE(result.exhaustive);
		EXPECT_GT(result.executions.complete, before) << bound;
		before = result.executions.complete;
	}
}

TEST_F(Litmus, EveryStoryReplays)
{
	for (const char *scenario : {"RACE", "AWAIT+toggle", "DEADLOCK"})
		for (const char *model : {"sc", "c11"}) {
			const Result result = run(scenario, model);
			ASSERT_FALSE(result.stories.empty());
			for (const Story &story : result.stories) {
				Trace trace;
				trace.kernel = "litmus";
				trace.request = request("", scenario);
				trace.request.model = model;
				trace.story = story;
				const Replay again = replay(trace, path_from("WAKERACE_LITMUS"));
				EXPECT_TRUE(again.reproduced) << scenario;
				EXPECT_EQ(again.diverged_at, -1) << scenario;
			}
		}
}

TEST_F(Litmus, ChangedScheduleDivergesAndSaysWhere)
{
	Trace trace;
	trace.kernel = "litmus";
	trace.request = request("", "RACE");
	trace.story = run("RACE", "sc").stories.at(0);
	trace.story.events.at(1).value = "77";
	const Replay again = replay(trace, path_from("WAKERACE_LITMUS"));
	EXPECT_EQ(again.diverged_at, 1);
	EXPECT_NE(again.expected, again.found);
}

} // namespace
} // namespace wakerace
