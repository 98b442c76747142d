// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engines explore, read off litmus tests: the dpor search sees what
// Relacy's full search sees; the engines see the same; and docs/engines.md says
// what each memory model shows.
#include "tests/worker_fixture.hpp"

#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

// An engine and a memory model.
struct Memory {
	const char *engine;
	const char *model;
};

constexpr Memory memories[] = {
	{"relacy", "c11"}, {"graph", "tso"}, {"graph", "rc11"}, {"graph", "lkmm"}};

class Litmus : public WorkerTest {
protected:
	Result run(const Memory &memory, const std::string &scenario) const
	{
		Request asked = request(path_from("WAKERACE_LITMUS"), scenario);
		asked.engine = memory.engine;
		asked.model = memory.model;
		return explore(asked);
	}

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

// Two engines, one truth. Under weak memory the graphs hold more.
TEST_P(Searches, GraphsSeeWhatRelacySees)
{
	const auto [scenario, model] = GetParam();
	const bool weak = model == std::string("c11");
	const Result relacy = run(scenario, model);
	const Result graph = run(Memory{"graph", weak ? "rc11" : "sc"}, scenario);
	ASSERT_TRUE(graph.exhaustive) << graph.error;
	EXPECT_THAT(names(relacy.outcomes), testing::IsSubsetOf(names(graph.outcomes)));
	if (!weak) {
		EXPECT_EQ(names(relacy.outcomes), names(graph.outcomes));
		EXPECT_LE(graph.executions.complete, relacy.executions.complete);
	}
	EXPECT_EQ(names(relacy.violations), names(graph.violations));
	EXPECT_EQ(relacy.executions.blocked > 0, graph.executions.blocked > 0);
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

// The outcome that gives a test its name, whether the kernel's memory model allows
// it, and whether it is explored under each of @memories.
struct Row {
	const char *scenario;
	const char *outcome;
	bool kernel;
	bool seen[4];
};

constexpr Row rows[] = {
	{"SB", "0:r0=1 1:r0=1 x=1 y=1", true, {true, true, true, true}},
	{"SB+mb", "0:r0=1 1:r0=1 x=1 y=1", false, {false, false, false, false}},
	{"SB+mb+po", "0:r0=1 1:r0=1 x=1 y=1", true, {true, true, true, true}},
	{"SB+xchg", "0:r0=1 1:r0=1 x=1 y=1", false, {false, false, false, false}},
	{"SB+rel+acq", "0:r0=1 1:r0=1 x=1 y=1", true, {true, true, true, true}},
	{"MP", "1:r0=2 1:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"MP+wmb", "1:r0=2 1:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"MP+rmb", "1:r0=2 1:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"MP+wmb+rmb", "1:r0=2 1:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"MP+rel+acq", "1:r0=2 1:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"MP+fetch_add_release+acq", "1:r0=2 1:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"SB+await", "0:r0=1 1:r0=1 x=1 y=1", true, {true, true, true, true}},
	{"MP+rel+ctrl-acquire", "1:r0=2 1:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"MP+wmb+rmb+old-values", "1:r0=1 1:r1=1 x=3 y=1", true, {true, true, true, true}},
	{"MP+unlock-lock+rmb", "1:r0=2 1:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"MP+lock+rmb", "1:r0=2 1:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"LB", "0:r0=2 1:r0=2 x=1 y=1", true, {false, false, false, false}},
	{"LB+mb", "0:r0=2 1:r0=2 x=1 y=1", false, {false, false, false, false}},
	{"S", "1:r0=2 x=2 y=1", true, {false, false, true, true}},
	{"S+wmb+acq", "1:r0=2 x=2 y=1", false, {false, false, false, false}},
	{"R", "1:r0=1 x=1 y=2", true, {true, true, true, true}},
	{"R+mb", "1:r0=1 x=1 y=2", false, {false, false, false, false}},
	{"R+wmb+mb", "1:r0=1 x=1 y=2", true, {true, false, true, true}},
	{"2+2W", "x=1 y=1", true, {false, false, true, true}},
	{"2+2W+wmb", "x=1 y=1", true, {false, false, true, true}},
	{"WRC", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"WRC+wmb+rmb", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", true, {false, false, false, true}},
	{"WRC+rel+acq", "1:r0=2 2:r0=2 2:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"IRIW", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"IRIW+rmb", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", true, {true, false, true, true}},
	{"IRIW+mb", "2:r0=2 2:r1=1 3:r0=2 3:r1=1 x=1 y=1", false, {false, false, false, false}},
	{"CoRR", "1:r0=2 1:r1=1 x=1 y=0", false, {false, false, false, false}},
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
	for (const char *engine : {"relacy", "graph"})
		EXPECT_EQ(run(Memory{engine, "sc"}, row.scenario).outcomes.contains(row.outcome),
			  plain);
}

TEST_P(Shapes, IsShownWhereTheTableSaysSo)
{
	const Row row = GetParam();
	for (size_t i = 0; i < std::size(memories); ++i)
		EXPECT_EQ(run(memories[i], row.scenario).outcomes.contains(row.outcome),
			  row.seen[i])
			<< memories[i].engine << "/" << memories[i].model;
}

// The kernel's model, but for load buffering.
TEST_P(Shapes, LkmmShowsWhatTheKernelAllows)
{
	const Row row = GetParam();
	const bool buffers_loads = std::string(row.scenario) == "LB";
	EXPECT_EQ(row.seen[3], row.kernel && !buffers_loads);
}

// rc11 has a weaker smp_wmb() than the kernel where only writes are concerned, and
// a stronger one where it is a release; all else is the kernel's.
TEST_P(Shapes, TsoAndC11ShowNothingThatTheKernelForbids)
{
	EXPECT_LE(GetParam().seen[0], GetParam().kernel);
	EXPECT_LE(GetParam().seen[1], GetParam().kernel);
}

INSTANTIATE_TEST_SUITE_P(All, Shapes, testing::ValuesIn(rows));

// The table in the documentation is this one.
TEST(Documentation, ShowsTheSameTable)
{
	const std::string text = read_file(source_root() / "docs/engines.md");
	for (const Row &row : rows) {
		std::string line = fmt::format("| {} | {} |", row.scenario,
					       row.kernel ? "allowed" : "forbidden");
		for (bool seen : row.seen)
			line += seen ? " explored |" : " never |";
		EXPECT_THAT(text, testing::HasSubstr(line));
	}
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
