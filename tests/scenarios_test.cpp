// SPDX-License-Identifier: GPL-2.0-or-later
//
// The scenarios as a whole: no other search sees what dpor does not, every
// story replays, and coarser interrupts show a subset.
#include "tests/kernel_fixture.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

using testing::IsSubsetOf;

struct Verdict {
	const char *scenario, *kernel, *model;
};

void PrintTo(const Verdict &verdict, std::ostream *out)
{
	*out << verdict.scenario << " " << verdict.kernel << " " << verdict.model;
}

class Scenarios : public KernelTest, public testing::WithParamInterface<Verdict> {
protected:
	// On the verdict's kernel, with @patches on top.
	Request asked(const std::vector<std::filesystem::path> &patches = {})
	{
		Request asked =
			request(kernel_module(GetParam().kernel, patches), GetParam().scenario);
		asked.model = GetParam().model;
		return asked;
	}
};

TEST_P(Scenarios, OtherSearchesSeeNothingElse)
{
	const Result dpor = explore(asked());
	ASSERT_TRUE(dpor.exhaustive);
	Request other = asked();
	other.search = "random";
	other.max_executions = 3000;
	const Result random = explore(other);
	EXPECT_EQ(random.executions.complete + random.executions.blocked, 3000u);
	EXPECT_THAT(names(random.outcomes), IsSubsetOf(names(dpor.outcomes)));
	EXPECT_THAT(names(random.violations), IsSubsetOf(names(dpor.violations)));
	other.search = "bounded";
	other.context_bound = 1;
	const Result bounded = explore(other);
	EXPECT_THAT(names(bounded.outcomes), IsSubsetOf(names(dpor.outcomes)));
	EXPECT_THAT(names(bounded.violations), IsSubsetOf(names(dpor.violations)));
}

TEST_P(Scenarios, InterruptsAtStepsShowASubsetAndAreABound)
{
	Request coarse = asked();
	coarse.irq = "steps";
	const Result steps = explore(coarse);
	EXPECT_FALSE(steps.exhaustive);
	EXPECT_THAT(names(steps.violations), IsSubsetOf(names(explore(asked()).violations)));
}

TEST_P(Scenarios, EveryStoryReplays)
{
	const Request here = asked();
	for (const Story &story : explore(here).stories) {
		Trace trace;
		trace.kernel = GetParam().kernel;
		trace.request = here;
		trace.story = story;
		const Replay again = replay(trace, here.module);
		EXPECT_TRUE(again.reproduced) << story.violation.type;
		EXPECT_EQ(again.diverged_at, -1) << story.violation.type;
	}
}

// Under weak memory a story may have to stay as it was found; under sc it is
// told so that the commit comes first and then the reads that were told "idle".
class ScStories : public Scenarios {};

TEST_P(ScStories, ShowTheCommitBeforeTheReads)
{
	for (const Story &story : explore(asked()).stories) {
		if (story.violation.type != "FALSE_IDLE" && story.violation.type != "STACKED")
			continue;
		EXPECT_TRUE(std::ranges::is_sorted(story.violation.steps)) << story.violation.type;
	}
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios,
			 testing::Values(Verdict{"ttwu_pending", "v6.1", "sc"},
					 Verdict{"ttwu_pending", "v6.1", "c11"},
					 Verdict{"ttwu_pending", "v6.2", "sc"},
					 Verdict{"ttwu_pending", "v6.2", "c11"},
					 Verdict{"ttwu_pending_two_batches", "v6.2", "sc"},
					 Verdict{"ttwu_pending_pull", "v6.2", "sc"},
					 Verdict{"ttwu_pending_pull", "v6.2", "c11"},
					 Verdict{"ttwu_pending_pull", "v5.7", "sc"},
					 Verdict{"wake_while_blocking", "v6.2", "sc"},
					 Verdict{"wake_while_blocking", "v6.2", "c11"},
					 Verdict{"newidle_pending", "newidle-before", "sc"},
					 Verdict{"newidle_pending", "newidle-v3", "sc"},
					 Verdict{"polling_handoff_told", "v6.2", "sc"},
					 Verdict{"stale_task_cpu", "v5.8-rc1", "sc"},
					 Verdict{"stale_task_cpu", "v6.2", "sc"},
					 Verdict{"bitfield_word", "v5.8", "c11"},
					 Verdict{"iowait_order", "v5.8", "c11"},
					 Verdict{"on_cpu_handoff", "v6.2", "c11"},
					 Verdict{"stacking_burst_two", "v6.2", "c11"},
					 Verdict{"wakelist_nr_running", "nr-running-le-1", "c11"}));

INSTANTIATE_TEST_SUITE_P(All, ScStories,
			 testing::Values(Verdict{"ttwu_pending", "v6.1", "sc"},
					 Verdict{"ttwu_pending", "v6.2", "sc"},
					 Verdict{"ttwu_pending_two_batches", "v6.2", "sc"},
					 Verdict{"ttwu_pending_pull", "v5.7", "sc"}));

// Relacy's own search goes through every interleaving, and finishes only the
// smallest scenarios. There it must see what dpor sees.
class Finished : public Scenarios {
protected:
	void expect_the_same(Request asked)
	{
		const Result dpor = explore(asked);
		asked.search = "full";
		const Result full = explore(asked);
		ASSERT_TRUE(dpor.exhaustive && full.exhaustive);
		EXPECT_EQ(names(dpor.outcomes), names(full.outcomes));
		EXPECT_EQ(names(dpor.violations), names(full.violations));
		EXPECT_LT(dpor.executions.complete, full.executions.complete / 10);
	}
};

TEST_P(Finished, DporSeesWhatRelacysFullSearchSees)
{
	expect_the_same(asked());
}

INSTANTIATE_TEST_SUITE_P(All, Finished,
			 testing::Values(Verdict{"ptrace_state", "v5.8-rc6", "sc"},
					 Verdict{"ptrace_state", "v5.8-rc6", "c11"},
					 Verdict{"share_cache_twice", "v5.14", "sc"},
					 Verdict{"share_cache_twice", "v5.14", "c11"},
					 Verdict{"wakelist_nr_running_claim", "v6.2", "sc"},
					 Verdict{"wakelist_nr_running_claim", "v6.2", "c11"},
					 Verdict{"wakelist_nr_running_claim", "v5.8", "sc"}));

// The example of the README, two CPUs and one wakeup, comes as a patch that adds the file.
class Smallest : public Finished {
protected:
	std::filesystem::path example_as_patch()
	{
		const std::string example = read_file(source_root() / "docs/wake_then_ask.cpp");
		std::string added;
		std::istringstream lines(example);
		size_t count = 0;
		for (std::string line; std::getline(lines, line); ++count)
			added += "+" + line + "\n";
		const auto patch = scratch_.path() / "example.patch";
		write_file(patch, fmt::format("--- /dev/null\n+++ b/scenarios/wake_then_ask.cpp\n"
					      "@@ -0,0 +1,{} @@\n{}",
					      count, added));
		return patch;
	}
};

TEST_P(Smallest, DporSeesWhatRelacysFullSearchSees)
{
	expect_the_same(asked({example_as_patch()}));
}

INSTANTIATE_TEST_SUITE_P(All, Smallest,
			 testing::Values(Verdict{"wake_then_ask", "v5.7", "sc"},
					 Verdict{"wake_then_ask", "v6.1", "sc"},
					 Verdict{"wake_then_ask", "v6.1", "c11"},
					 Verdict{"wake_then_ask", "v6.2", "sc"},
					 Verdict{"wake_then_ask", "v6.2", "c11"},
					 Verdict{"wake_then_ask", "idle-swapped", "sc"},
					 Verdict{"wake_then_ask", "idle-swapped", "c11"}));

} // namespace
} // namespace wakerace
