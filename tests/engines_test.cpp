// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two engines, one truth: on every scenario that Relacy's dpor finishes the graph
// engine finds the same. Under weak memory it explores more, see docs/engines.md.
#include "cli/describe.hpp"
#include "tests/kernel_fixture.hpp"

#include <algorithm>
#include <cctype>
#include <gmock/gmock.h>
#include <ostream>

namespace wakerace {
namespace {

using testing::IsSubsetOf;

class Engines : public KernelTest, public testing::WithParamInterface<const char *> {
protected:
	static std::vector<std::string> scenarios(const std::string &module)
	{
		std::vector<std::string> names;
		for (const ScenarioInfo &scenario :
		     describe_module(path_from("WAKERACE_WORKER"), module).scenarios)
			if (!scenario.large)
				names.push_back(scenario.name);
		return names;
	}

	Result explored(const std::string &module, const std::string &scenario,
			const std::string &engine, const std::string &model)
	{
		Request asked = request(module, scenario);
		asked.engine = engine;
		asked.model = model;
		const Result result = explore(asked);
		EXPECT_EQ(result.error, "") << scenario << " " << engine << "/" << model;
		return result;
	}
};

TEST_P(Engines, SeeTheSameUnderSc)
{
	const std::string module = kernel_module(GetParam());
	unsigned compared = 0;
	for (const std::string &scenario : scenarios(module)) {
		const Result relacy = explored(module, scenario, "relacy", "sc");
		const Result graph = explored(module, scenario, "graph", "sc");
		if (relacy.bound == "time limit")
			continue;
		EXPECT_EQ(names(relacy.violations), names(graph.violations)) << scenario;
		EXPECT_EQ(names(relacy.outcomes), names(graph.outcomes)) << scenario;
		EXPECT_EQ(relacy.executions.blocked > 0, graph.executions.blocked > 0) << scenario;
		// Each graph once, where dpor tells some apart that are one.
		EXPECT_LE(graph.executions.complete, relacy.executions.complete) << scenario;
		++compared;
	}
	EXPECT_GT(compared, 20u);
}

TEST_P(Engines, GraphsHoldWhatRelacySeesUnderC11)
{
	const std::string module = kernel_module(GetParam());
	for (const std::string &scenario : scenarios(module)) {
		const Result relacy = explored(module, scenario, "relacy", "c11");
		const Result graph = explored(module, scenario, "graph", "rc11");
		if (relacy.bound == "time limit")
			continue;
		EXPECT_EQ(names(relacy.violations), names(graph.violations)) << scenario;
		EXPECT_THAT(names(relacy.outcomes), IsSubsetOf(names(graph.outcomes))) << scenario;
	}
}

TEST_P(Engines, EveryStoryOfAGraphReplays)
{
	const std::string module = kernel_module(GetParam());
	unsigned told = 0;
	for (const std::string &scenario : scenarios(module))
		for (const char *model : {"sc", "lkmm"}) {
			Request asked = request(module, scenario);
			asked.engine = "graph";
			asked.model = model;
			for (const Story &story : explore(asked).stories) {
				Trace trace;
				trace.kernel = GetParam();
				trace.request = asked;
				trace.story = story;
				const Replay again = replay(trace, module);
				EXPECT_TRUE(again.reproduced)
					<< scenario << " " << story.violation.type;
				++told;
			}
		}
	EXPECT_GT(told, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::Values("v6.2", "v6.1", "v5.8-rc1"),
			 [](const auto &info) {
				 std::string name = info.param;
				 std::replace_if(
					 name.begin(), name.end(),
					 [](unsigned char letter) { return !std::isalnum(letter); },
					 '_');
				 return name;
			 });

} // namespace
} // namespace wakerace
