// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each mistake of a user ends in exit code 2 and one sentence that helps.
#include "tests/cli_fixture.hpp"

#include <algorithm>
#include <gtest/gtest.h>

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace wakerace {
namespace {

using Words = std::vector<std::string>;

struct Mistake {
	const char *name;
	Words words;
	const char *says;
};

class BadInputTest : public CliTest, public testing::WithParamInterface<Mistake> {};

void expect_one_sentence(const Finished &run)
{
	EXPECT_EQ(run.code, 2) << run.output;
	EXPECT_THAT(run.output, StartsWith("wakerace: error: "));
	EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
}

TEST_P(BadInputTest, IsOneSentence)
{
	const Finished run = wakerace(GetParam().words);
	expect_one_sentence(run);
	EXPECT_THAT(run.output, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
	All, BadInputTest,
	testing::Values(
		Mistake{"no_command", {}, "say what to do"},
		Mistake{"command", {"rum"}, "there is no command 'rum'; the nearest are run"},
		Mistake{"option",
			{"run", "--kernal", "v6.1"},
			"no option '--kernal'; the nearest are --kernel"},
		Mistake{"early_option", {"--kernel", "v6.1", "run"}, "'--kernel'"},
		Mistake{"number", {"run", "-j", "many"}, "-j"},
		Mistake{"negative", {"run", "--max-executions", "-5"}, "--max-executions"},
		Mistake{"negative_time", {"run", "--time-limit", "-1"}, "--time-limit"},
		Mistake{"no_value", {"run", "--seed"}, "--seed"},
		Mistake{"kernel", {"run", "--kernel", "v6.3"}, "there is no kernel 'v6.3'"},
		Mistake{"site",
			{"run", "--weaken", "idle_cpu:READ_ONC"},
			"the nearest are idle_cpu:READ_ONCE"},
		Mistake{"engine",
			{"run", "--engine", "graf"},
			"--engine has no 'graf'; the nearest are graph"},
		Mistake{"model",
			{"run", "--model", "lkm"},
			"--model has no 'lkm'; the nearest are lkmm"},
		Mistake{"equivalence_later", {"run", "--equivalence", "rf"}, "rf is not built yet"},
		Mistake{"ktap_later", {"run", "--ktap", "x"}, "--ktap is not built yet"},
		Mistake{"junit_later", {"run", "--junit", "x"}, "--junit is not built yet"},
		Mistake{"html_later", {"run", "--html", "x"}, "--html is not built yet"},
		Mistake{"verify_later", {"verify", "a.patch"}, "verify is not built yet"},
		Mistake{"audit_later", {"audit", "--strengthen"}, "audit is not built yet"},
		Mistake{"litmus_later", {"litmus", "MP.litmus"}, "litmus is not built yet"},
		Mistake{"resume_later", {"resume", "x"}, "resume is not built yet"},
		Mistake{"test_elsewhere", {"test"}, "./wakerace test"},
		Mistake{"search", {"run", "--search", "fast"}, "--search has no 'fast'"},
		Mistake{"irq", {"run", "--irq", "never"}, "--irq has no 'never'"},
		Mistake{"idle_seed", {"run", "--seed", "3"}, "--search random"},
		Mistake{"idle_bound",
			{"run", "--search", "full", "--context-bound", "3"},
			"--search bounded"},
		Mistake{"json_nowhere",
			{"run", "passes", "--json", "no/such/dir/x"},
			"no/such/dir/x cannot be written"},
		Mistake{"list_kind",
			{"list", "kernel"},
			"list has no 'kernel'; the nearest are kernels"},
		Mistake{"list_kernel", {"list", "types", "--kernel", "v6.1"}, "--kernel chooses"},
		Mistake{"sites_of_none",
			{"list", "sites", "--kernel", "v6.3"},
			"there is no kernel 'v6.3'"},
		Mistake{"no_trace", {"replay"}, "TRACE"},
		Mistake{"missing_trace", {"replay", "none.json"}, "there is no trace none.json"},
		Mistake{"directory", {"explain", "modules"}, "modules"},
		Mistake{"two_traces", {"replay", "a", "b"}, "does not take the argument 'b'"}),
	[](const auto &info) { return std::string(info.param.name); });

TEST_F(CliTest, UnknownScenarioRunsNothing)
{
	const Finished run = explore("paces");
	EXPECT_EQ(run.code, 4);
	EXPECT_THAT(run.output, AllOf(HasSubstr("no scenario matches paces"), HasSubstr("passes")));
	EXPECT_EQ(json_lines().back().at("exit_code").as_int64(), 4);
}

TEST_F(CliTest, LargeScenarioAsksForLarge)
{
	EXPECT_EQ(explore("huge").code, 4);
	EXPECT_THAT(explore("huge").output, HasSubstr("add --large"));
	EXPECT_EQ(explore("huge", {"--large"}).code, 0);
}

TEST_F(CliTest, TraceThatIsNoFile)
{
	const Finished finished = wakerace({"replay", "/dev/zero"});
	EXPECT_EQ(finished.code, 2);
	EXPECT_THAT(finished.output, testing::HasSubstr("/dev/zero is no file"));
}

TEST_F(CliTest, CutTrace)
{
	const std::string whole = read_file(trace());
	write_file(scratch_.path() / "cut.json", whole.substr(0, whole.size() / 2));
	for (const char *command : {"replay", "explain"}) {
		const Finished run = wakerace({command, "cut.json"});
		expect_one_sentence(run);
		EXPECT_THAT(run.output, AllOf(HasSubstr("cut.json"), HasSubstr("wakerace run")));
	}
}

TEST_F(CliTest, ChangedTrace)
{
	std::string text = read_file(trace());
	text.replace(text.find("A runs on CPU1"), 14, "B runs on CPU1");
	write_file(scratch_.path() / "changed.json", text);
	const Finished run = wakerace({"replay", "changed.json"});
	expect_one_sentence(run);
	EXPECT_THAT(run.output, HasSubstr("changed after it was written"));
}

TEST_F(CliTest, MissingWorker)
{
	const Finished missing =
		run({{std::getenv("WAKERACE_TOOL"), "run", "passes"},
		     scratch_.path(),
		     {"WAKERACE_ROOT=" + tree().string(), "WAKERACE_WORKER=/none",
		      "WAKERACE_MODULES=" + (scratch_.path() / "modules").string()}});
	expect_one_sentence(missing);
	EXPECT_THAT(missing.output, HasSubstr("/none"));
}

} // namespace
} // namespace wakerace
