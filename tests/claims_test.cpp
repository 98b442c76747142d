// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the five mails claim, one test a claim, named by what the tool finds.
// The pages docs/results-00*.md tell the same with traces.
#include "tests/kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace wakerace {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class Claims : public KernelTest {
protected:
	Result run(const std::string &scenario, const std::string &kernel,
		   const std::string &model = "sc")
	{
		Request asked = request(kernel_module(kernel), scenario);
		asked.model = model;
		const Result result = explore(asked);
		EXPECT_TRUE(result.exhaustive) << scenario << " " << kernel << " " << model;
		return result;
	}

	std::set<std::string> types(const std::string &scenario, const std::string &kernel,
				    const std::string &model = "sc")
	{
		return names(run(scenario, kernel, model).violations);
	}

	// The executions whose final state has all of @words.
	static uint64_t executions(const Result &result, const std::vector<std::string> &words)
	{
		uint64_t count = 0;
		for (const auto &[outcome, executions] : result.outcomes) {
			const std::string padded = " " + outcome + " ";
			count += std::ranges::all_of(words, [&](const std::string &word) {
				return padded.find(" " + word + " ") != std::string::npos;
			}) * executions;
		}
		return count;
	}

	static std::map<int, uint64_t> by_depth(const Result &result)
	{
		std::map<int, uint64_t> depths;
		for (int depth = 0; depth < 10; ++depth)
			if (const uint64_t count =
				    executions(result, {fmt::format("deepest={}", depth)}))
				depths[depth] = count;
		return depths;
	}
};

// --- Mail 000: clear ttwu_pending after the enqueue ---

TEST_F(Claims, M000_TheCpuLooksIdleUntilTheTaskIsEnqueued)
{
	EXPECT_THAT(types("ttwu_pending", "v6.1"),
		    ElementsAre("FALSE_IDLE", "FALSE_IDLE_INSTANT", "STACKED"));
}

TEST_F(Claims, M000_TheFixLeavesNoSuchInstantInOneBatch)
{
	EXPECT_THAT(types("ttwu_pending", "v6.2"), Not(Contains("FALSE_IDLE_INSTANT")));
}

TEST_F(Claims, M000_TheFixLeavesATornRead)
{
	EXPECT_THAT(types("ttwu_pending", "v6.2"), ElementsAre("FALSE_IDLE", "STACKED"));
}

TEST_F(Claims, M000_TheCommentOnOneMoreWakeupDoesNotHold)
{
	EXPECT_THAT(types("ttwu_pending_two_batches", "v6.2"), Contains("FALSE_IDLE_INSTANT"));
	EXPECT_THAT(types("ttwu_pending_pull", "v6.2"), Contains("FALSE_IDLE_INSTANT"));
}

// --- Mail 001: skip newidle balance if a wakeup is pending ---

TEST_F(Claims, M001_BeforeTheCpuSearchesWhileItsWakeeWaits)
{
	EXPECT_THAT(types("newidle_pending", "newidle-before"), Contains("NEEDLESS_SEARCH"));
}

TEST_F(Claims, M001_WithV4ItDoesNotAndNoWakeupIsLost)
{
	EXPECT_THAT(types("newidle_pending", "newidle-v4"), IsEmpty());
	EXPECT_THAT(types("newidle_pending", "newidle-v4", "c11"), IsEmpty());
}

TEST_F(Claims, M001_V3HidesTheTimeOfASearchThatWasMade)
{
	const std::vector<std::string> hidden{"idle_times=2", "balances=3", "counted=1"};
	EXPECT_GT(executions(run("newidle_pending", "newidle-v3"), hidden), 0u);
	EXPECT_EQ(executions(run("newidle_pending", "newidle-v4"), hidden), 0u);
	EXPECT_EQ(executions(run("newidle_pending", "newidle-before"), hidden), 0u);
}

TEST_F(Claims, M001_V4CountsAnIdleTimeOrNotByWhenTheWakeupCame)
{
	const Result v4 = run("newidle_idle_time", "newidle-v4");
	EXPECT_GT(executions(v4, {"idle_times=2", "counted=1"}), 0u);
	EXPECT_GT(executions(v4, {"idle_times=2", "counted=2"}), 0u);
	EXPECT_EQ(executions(run("newidle_idle_time", "newidle-before"),
			     {"idle_times=2", "counted=1"}),
		  0u);
}

// --- Mail 002: the check of nr_running at the wakelist ---

TEST_F(Claims, M002_WhoSeesOnCpuMayStillFindTheTaskInNrRunning)
{
	for (const char *kernel : {"v5.8", "v5.19", "v6.1", "v6.2", "nr-running-eq-0"})
		EXPECT_THAT(types("wakelist_nr_running_claim", kernel),
			    Contains("ACCOUNTING_DRIFT"))
			<< kernel;
}

TEST_F(Claims, M002_AtMostOneStacksWhileAnotherCpuIsFree)
{
	EXPECT_THAT(types("wakelist_nr_running", "nr-running-le-1"), Contains("STACKED"));
	EXPECT_THAT(types("wakelist_nr_running", "v5.19"), Contains("STACKED"));
}

TEST_F(Claims, M002_NoneDoesNot)
{
	for (const char *model : {"sc", "c11"})
		EXPECT_THAT(types("wakelist_nr_running", "nr-running-eq-0", model), IsEmpty());
}

// --- Mail 003: stacking by policy in a burst of wakeups ---

TEST_F(Claims, M003_LockstepAloneReachesTheFullDepth)
{
	const auto plain = by_depth(run("stacking_burst", "wa-weight-off"));
	const auto weighed = by_depth(run("stacking_burst", "v6.2"));
	EXPECT_EQ(plain.rbegin()->first, 3);
	EXPECT_THAT(types("stacking_burst", "wa-weight-off"), IsEmpty());
	// WA_WEIGHT raises neither the ceiling nor the number of executions that reach it.
	EXPECT_EQ(*plain.rbegin(), *weighed.rbegin());
}

TEST_F(Claims, M003_WaWeightSendsTasksBehindTheirWakerThoughACpuIsFree)
{
	EXPECT_THAT(types("stacking_burst_two", "v6.2"), ElementsAre("STACKED"));
	EXPECT_THAT(types("stacking_burst", "v6.2"), ElementsAre("STACKED"));
}

TEST_F(Claims, M003_WaWeightStacksAPoolWithoutAnyRace)
{
	EXPECT_THAT(by_depth(run("stacking_pool", "v6.2")), ElementsAre(testing::Pair(5, 1)));
	EXPECT_THAT(by_depth(run("stacking_pool", "wa-weight-off")),
		    ElementsAre(testing::Pair(2, 1)));
}

TEST_F(Claims, M003_SisCurrentIsBoundedButLeavesACpuFree)
{
	const Result burst = run("stacking_burst", "sis-current");
	EXPECT_THAT(by_depth(burst), ElementsAre(testing::Pair(2, 1)));
	EXPECT_THAT(names(burst.violations), ElementsAre("STACKED"));
}

// --- Mail 004: the wakelist within a cache ---

TEST_F(Claims, M004_TheTestForTheOwnCpuKeepsTasksOffTheOwnWakelist)
{
	const Result without = run("wakelist_same_llc", "rfc-same-llc-no-self-test");
	EXPECT_EQ(without.violations.at("NEEDLESS_IPI"), without.executions.complete);
	EXPECT_THAT(types("wakelist_same_llc", "rfc-same-llc"), Not(Contains("NEEDLESS_IPI")));
}

TEST_F(Claims, M004_OneWakeupCostsNoMoreInterruptsThanBefore)
{
	for (const char *kernel : {"v5.19", "rfc-same-llc", "v6.2"}) {
		const Result result = run("wakelist_same_llc", kernel);
		const uint64_t none = executions(result, {"interrupts=0"});
		const uint64_t one = executions(result, {"interrupts=1"});
		EXPECT_GT(none, 0u) << kernel;
		EXPECT_GT(one, 0u) << kernel;
		EXPECT_EQ(none + one, result.executions.complete) << kernel;
	}
}

TEST_F(Claims, M004_TwoWakeupsMay)
{
	const std::vector<std::string> two{"interrupts=2"};
	EXPECT_EQ(executions(run("wakelist_same_llc_burst", "v5.19"), two), 0u);
	EXPECT_GT(executions(run("wakelist_same_llc_burst", "rfc-same-llc"), two), 0u);
	EXPECT_GT(executions(run("wakelist_same_llc_burst", "v6.2"), two), 0u);
}

TEST_F(Claims, M004_TheEarlyClearConcernsTheseWakeupsToo)
{
	EXPECT_THAT(types("wakelist_same_llc", "v5.19"), IsEmpty());
	EXPECT_THAT(types("wakelist_same_llc", "rfc-same-llc"),
		    ElementsAre("FALSE_IDLE_INSTANT"));
	EXPECT_THAT(types("wakelist_same_llc", "v6.2"), IsEmpty());
}

} // namespace
} // namespace wakerace
