// SPDX-License-Identifier: GPL-2.0-or-later
//
// A scenario that is wrong in itself gets an error with its reason, under both
// engines, and no verdict that blames a kernel.
#include "tests/kernel_fixture.hpp"

#include <filesystem>
#include <gmock/gmock.h>

namespace wakerace {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Odd {
	const char *scenario;
	const char *says;
};

void PrintTo(const Odd &odd, std::ostream *out)
{
	*out << odd.scenario;
}

class OddScenarios : public WorkerTest, public testing::WithParamInterface<Odd> {
protected:
	// A tree with this tree's model and no scenarios but the odd ones.
	static std::string module()
	{
		static const std::string path = [] {
			static const Scratch tree;
			for (const char *folder : {"model", "checker"})
				fs::copy(source_root() / folder, tree.path() / folder,
					 fs::copy_options::recursive);
			fs::create_directory(tree.path() / "scenarios");
			for (const char *file : {"scenarios/scenario.h", "tests/odd/odd.cpp"})
				fs::copy(source_root() / file,
					 tree.path() / "scenarios" / fs::path(file).filename());
			ModuleRequest request;
			request.root = tree.path();
			request.cache = path_from("WAKERACE_CACHE");
			request.kernel = "v6.2";
			return build_module(request).path.string();
		}();
		return path;
	}
};

TEST_P(OddScenarios, AreToldWhatIsWrong)
{
	for (const char *engine : {"relacy", "graph"}) {
		Request asked = request(module(), GetParam().scenario);
		asked.engine = engine;
		const Result result = explore(asked);
		EXPECT_EQ(result.verdict, "error") << engine;
		EXPECT_THAT(result.error, HasSubstr(GetParam().says)) << engine;
	}
}

INSTANTIATE_TEST_SUITE_P(
	All, OddScenarios,
	testing::Values(Odd{"cpu_number", "there is no CPU of this number"},
			Odd{"cpu_twice", "a CPU is set up twice"},
			Odd{"no_such_cpu", "a task is set up on a CPU that is not"},
			Odd{"nowhere_to_run", "a task is set up that may run on no CPU"},
			Odd{"no_body", "a task is set up without a body"},
			Odd{"runner_on_busy", "only a CPU_IDLE takes a task to run"},
			Odd{"two_runners", "and only one"},
			Odd{"runner_elsewhere", "the task may not run there"},
			Odd{"queued_on_idle", "what a task waits behind comes first"},
			Odd{"uncounted_cpu", "counts fewer CPUs than are set up"},
			Odd{"wakes_nobody", "the task was not set up"},
			Odd{"asks_nobody", "the CPU was not set up"},
			Odd{"affinity_to_none", "there is no CPU left to run on"},
			Odd{"tick_of_none", "the CPU was not set up"}));

} // namespace
} // namespace wakerace
