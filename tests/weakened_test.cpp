// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a scenario expects when an ordering is taken away. Each such row is a
// claim that this ordering is needed, or that another one covers it.
#include "cli/describe.hpp"
#include "tests/kernel_fixture.hpp"

namespace wakerace {
namespace {

class Weakened : public KernelTest {
protected:
	// The rows that name sites, and hold on the head.
	static std::vector<ExpectationRow> rows_of(const ScenarioInfo &scenario)
	{
		std::vector<ExpectationRow> rows;
		for (const ExpectationRow &row : scenario.expectations)
			if (!row.weaken.empty() && row.names_kernel("v6.2"))
				rows.push_back(row);
		return rows;
	}
};

TEST_F(Weakened, EveryRowHolds)
{
	const std::string module = kernel_module("v6.2");
	const std::vector<std::pair<const char *, const char *>> memories = {
		{"relacy", "sc"}, {"relacy", "c11"}, {"graph", "sc"},
		{"graph", "tso"}, {"graph", "rc11"}, {"graph", "lkmm"}};
	unsigned checked = 0, noticed = 0;
	for (const ScenarioInfo &scenario :
	     describe_module(path_from("WAKERACE_WORKER"), module).scenarios)
		for (const ExpectationRow &row : rows_of(scenario))
			for (const auto &[engine, model] : memories) {
				if (!row.names_model(model))
					continue;
				Request asked = request(module, scenario.name);
				asked.engine = engine;
				asked.model = model;
				asked.weaken = {row.weaken.begin(), row.weaken.end()};
				const auto found = names(explore(asked).violations);
				EXPECT_EQ(found, row.expectation.types)
					<< scenario.name << " " << engine << "/" << model
					<< " without "
					<< fmt::format("{}", fmt::join(row.weaken, " "));
				++checked;
				noticed += !found.empty();
			}
	EXPECT_GT(checked, 0u);
	EXPECT_GT(noticed, 0u);
}

// A site that no kernel has would be a row that nobody can ask for.
TEST_F(Weakened, EveryRowNamesSitesOfItsKernels)
{
	for (const KernelInfo &kernel : list_kernels(source_root())) {
		const ModuleInfo info =
			describe_module(path_from("WAKERACE_WORKER"), kernel_module(kernel.name));
		EXPECT_EQ(info.unknown_sites(), std::vector<std::string>{}) << kernel.name;
	}
}

} // namespace
} // namespace wakerace
