// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `wakerace run`, `replay`, `explain` and `list` do, whatever workers do.
#include "checker/result/json.hpp"
#include "cli/describe.hpp"
#include "tests/cli_fixture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace json = boost::json;

namespace wakerace {
namespace {

std::string text(const json::value &value)
{
	return json::value_to<std::string>(value);
}

TEST_F(CliTest, PassIsExpected)
{
	const Finished run = explore("passes");
	EXPECT_EQ(run.code, 0) << run.output;
	EXPECT_THAT(run.output, HasSubstr("passes v6.2 relacy/sc  pass (as expected)  none  "
					  "executions 10+1, 0.2 s  exhaustive"));
	const auto lines = json_lines();
	ASSERT_EQ(lines.size(), 2u);
	EXPECT_EQ(text(lines[0].at("kernel")), "v6.2");
	EXPECT_EQ(text(lines[1].at("kind")), "summary");
	EXPECT_EQ(lines[1].at("exit_code").as_int64(), 0);
}

TEST_F(CliTest, ExpectedRaceIsOnlyPointedAt)
{
	const Finished run = explore("races");
	EXPECT_EQ(run.code, 0) << run.output;
	EXPECT_THAT(run.output,
		    AllOf(HasSubstr("violation (as expected)  FALSE_IDLE x3"),
			  HasSubstr("story: ./wakerace explain "), Not(HasSubstr("idle_cpu()"))));
	EXPECT_TRUE(std::filesystem::exists(trace()));
	EXPECT_THAT(text(json_lines()[0].at("trace")), HasSubstr("FALSE_IDLE-1.json"));
}

TEST_F(CliTest, UnexpectedRaceIsTold)
{
	const Finished run = explore("races_unexpected");
	EXPECT_EQ(run.code, 1) << run.output;
	EXPECT_THAT(run.output, AllOf(HasSubstr("NOT as expected"), HasSubstr("idle_cpu"),
				      HasSubstr("replay: ./wakerace replay ")));
}

TEST_F(CliTest, ResultsComeInOrderHoweverManyWorkers)
{
	wakerace({"run", "races", "passes", "--kernel", "all", "-j", "8", "--json", "out.jsonl"});
	std::string order;
	for (const json::object &line : json_lines())
		if (text(line.at("kind")) == "result")
			order += fmt::format("{} {} {}\n", text(line.at("scenario")),
					     text(line.at("kernel")), text(line.at("model")));
	EXPECT_EQ(order, "passes v5.7 sc\npasses v5.7 c11\npasses v6.1 sc\npasses v6.1 c11\n"
			 "passes v6.2 sc\npasses v6.2 c11\nraces v5.7 sc\nraces v5.7 c11\n"
			 "races v6.1 sc\nraces v6.1 c11\nraces v6.2 sc\nraces v6.2 c11\n");
}

TEST_F(CliTest, PairsThatNoEngineRunsAreCounted)
{
	wakerace({"run", "passes", "--model", "all", "--json", "out.jsonl"});
	EXPECT_EQ(json_lines().back().at("not_applicable").as_int64(), 6);
}

TEST_F(CliTest, NoExpectationIsUnexpected)
{
	const Finished run = explore("no_expectation");
	EXPECT_EQ(run.code, 1);
	EXPECT_THAT(run.output, AllOf(HasSubstr("(no expectation)"),
				      HasSubstr("0 as expected, 1 without an expectation;"),
				      Not(HasSubstr("NOT as expected"))));
	EXPECT_TRUE(json_lines()[0].at("expect_types").is_null());
	EXPECT_EQ(json_lines()[1].at("no_expectation").as_int64(), 1);
	EXPECT_EQ(json_lines()[1].at("not_as_expected").as_int64(), 0);
}

TEST_F(CliTest, JsonOnStandardOutputStandsAlone)
{
	const Finished run = shell("\"$WAKERACE_TOOL\" run passes 'races*' --json - 2>/dev/null");
	EXPECT_EQ(run.code, 1);
	std::istringstream lines(run.output);
	json::object last;
	for (std::string line; std::getline(lines, line);)
		ASSERT_NO_THROW(last = json::parse(line).as_object()) << line;
	EXPECT_EQ(text(last.at("kind")), "summary");
}

TEST_F(CliTest, AnOptionTakesOneValueEachTime)
{
	// What follows the value is a GLOB again.
	EXPECT_EQ(wakerace({"run", "--kernel", "v6.2", "passes", "--json", "out.jsonl"}).code, 0);
	EXPECT_EQ(json_lines().size(), 3u);
	EXPECT_EQ(wakerace({"run", "--kernel=v6.1", "--kernel", "v6.2", "--model", "sc", "passes",
			    "--engine=relacy", "coarse", "--json=out.jsonl"})
			  .code,
		  0);
	EXPECT_EQ(json_lines().size(), 5u);
	// No row is for this site.
	EXPECT_EQ(explore("races", {"--weaken", "idle_cpu:READ_ONCE", "passes"}).code, 1);
	EXPECT_EQ(json_lines().size(), 3u);
}

TEST_F(CliTest, OptionsThatChangeTheSearchAreInATracesName)
{
	const auto name = [&](const std::vector<std::string> &options) {
		explore("races", options);
		const auto file = std::filesystem::path(text(json_lines()[0].at("trace")));
		EXPECT_EQ(file.filename().string().find_first_of(":#/ "), std::string::npos);
		return file.filename().string();
	};
	EXPECT_EQ(name({}), "races-v6.2-relacy-sc-FALSE_IDLE-1.json");
	EXPECT_EQ(name({"--irq", "steps"}), "races-v6.2-relacy-sc-steps-FALSE_IDLE-1.json");
	EXPECT_EQ(name({"--search", "full"}), "races-v6.2-relacy-sc-full-FALSE_IDLE-1.json");
	EXPECT_EQ(name({"--context-bound", "3"}),
		  "races-v6.2-relacy-sc-bounded3-FALSE_IDLE-1.json");
	EXPECT_EQ(name({"--search", "random", "--seed", "7", "--max-executions", "5"}),
		  "races-v6.2-relacy-sc-random7-FALSE_IDLE-1.json");
	const std::vector<std::string> weaken = {"--weaken", "idle_cpu:READ_ONCE#2"};
	EXPECT_EQ(name(weaken), "races-v6.2-relacy-sc-weak.idle_cpu.READ_ONCE.2-FALSE_IDLE-1.json");
	// The shortest story of a trace stands beside it under its name.
	const Finished run = wakerace({"explain", text(json_lines()[0].at("trace"))});
	EXPECT_THAT(run.output, HasSubstr("weak.idle_cpu.READ_ONCE.2-FALSE_IDLE-shortest.json"));
}

TEST_F(CliTest, TheWorkerHasItsOwnLimitOfARandomSearch)
{
	// The fake worker reports what it was sent as the size of its longest execution.
	const std::vector<std::string> random = {"--search", "random"};
	explore("limits", random);
	EXPECT_EQ(json_lines()[0].at("longest").as_int64(), 0);
	explore("limits", {"--search", "random", "--max-executions", "12"});
	EXPECT_EQ(json_lines()[0].at("longest").as_int64(), 12);
}

TEST_F(CliTest, Terse)
{
	EXPECT_THAT(
		explore("races", {"--terse"}).output,
		HasSubstr("races:v6.2:relacy/sc: violation: FALSE_IDLE: as expected: exhaustive"));
}

struct Broken {
	const char *scenario;
	const char *says;
	int code;
};

class BrokenWorker : public CliTest, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenWorker, IsAnErrorAndNoPass)
{
	const Finished run = explore(GetParam().scenario);
	EXPECT_EQ(run.code, GetParam().code) << run.output;
	EXPECT_THAT(run.output, HasSubstr(GetParam().says));
	ASSERT_EQ(json_lines().size(), 2u);
	EXPECT_NE(text(json_lines()[0].at("verdict")), "pass");
	EXPECT_EQ(json_lines()[1].at("exit_code").as_int64(), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
	All, BrokenWorker,
	testing::Values(Broken{"crashes", "died of signal 11 (Segmentation fault)", 3},
			Broken{"silent", "ended without its last line", 3},
			Broken{"babbles", "no report: \"Segmentation fault? no, just words\"", 3},
			Broken{"refuses", "error: there is no such thing", 3},
			Broken{"fails_after_report", "ended with exit code 9", 3},
			Broken{"damaged", "report is damaged: member \"scenario\"", 3},
			Broken{"unreached", "never reached: the IPI is elided", 3},
			Broken{"empty", "no execution was explored", 3},
			Broken{"cut", "inconclusive (expected no violation)", 5}),
	[](const auto &info) { return std::string(info.param.scenario); });

TEST_F(CliTest, HangIsKilledSoonAfterItsTimeLimit)
{
	const Finished run = explore("hangs", {"--time-limit", "0.2"});
	EXPECT_EQ(run.code, 3);
	EXPECT_THAT(run.output, HasSubstr("did not stop at its time limit of 0.2 s"));
}

TEST_F(CliTest, CoarseInterruptsOfTheScenarioAreNoLimit)
{
	const Finished run = explore("coarse");
	EXPECT_EQ(run.code, 0) << run.output;
	EXPECT_THAT(run.output, HasSubstr("pass (as expected)"));
	EXPECT_THAT(run.output, HasSubstr("within bound interrupts at steps"));
	EXPECT_FALSE(json_lines()[0].at("exhaustive").as_bool());
}

TEST_F(CliTest, InterruptStillGivesAReport)
{
	const Finished stopped =
		wakerace({"run", "passes", "interrupts", "unreached", "--kernel", "v6.2", "--model",
			  "sc", "-j", "1", "--json", "out.jsonl"});
	EXPECT_EQ(stopped.code, 5) << stopped.output;
	EXPECT_THAT(stopped.output, HasSubstr("1 not run; stopped by a signal"));
	const auto lines = json_lines();
	ASSERT_EQ(lines.size(), 3u);
	EXPECT_EQ(text(lines[0].at("verdict")), "pass");
	EXPECT_EQ(text(lines[1].at("verdict")), "inconclusive");
	EXPECT_EQ(text(lines[1].at("bound")), "signal");
	EXPECT_TRUE(lines[2].at("interrupted").as_bool());
	EXPECT_EQ(lines[2].at("exit_code").as_int64(), 5);
}

TEST_F(CliTest, InterruptWhileCompilingSaysThatNothingRan)
{
	const auto compiler = scratch_.path() / "bin/clang++";
	write_file(compiler, "#!/bin/sh\nkill -INT $PPID\nexec sleep 2\n");
	std::filesystem::permissions(compiler, std::filesystem::perms(0755));
	const Finished stopped =
		shell("unset WAKERACE_MODULES; PATH=$PWD/bin:$PATH; \"$WAKERACE_TOOL\" run passes");
	EXPECT_EQ(stopped.code, 5);
	EXPECT_EQ(stopped.output, "wakerace: stopped by a signal while a kernel was compiled; "
				  "nothing ran\n");
}

TEST_F(CliTest, AStoryIsAsWideAsColumnsSays)
{
	const std::string replay = "\"$WAKERACE_TOOL\" replay '" + trace().string() + "'";
	const std::string lanes = "       CPU0  ";
	EXPECT_THAT(shell(replay, {"COLUMNS=140"}).output, HasSubstr(lanes));
	EXPECT_THAT(shell(replay, {"COLUMNS=60"}).output, Not(HasSubstr(lanes)));
	const std::string otherwise = shell(replay, {"COLUMNS"}).output;
	EXPECT_EQ(shell(replay, {"COLUMNS=wide"}).output, otherwise);
	EXPECT_EQ(shell(replay, {"COLUMNS=100"}).output, otherwise);
}

TEST_F(CliTest, ReplayReproduces)
{
	const Finished run = wakerace({"replay", trace()});
	EXPECT_EQ(run.code, 0) << run.output;
	EXPECT_THAT(run.output, AllOf(HasSubstr("reproduced: FALSE_IDLE"),
				      HasSubstr("rq[1].ttwu_pending: 0 -> 1")));
}

TEST_F(CliTest, ReplaySaysWhereItDiverges)
{
	Trace changed = trace_from_text(read_file(trace()), "trace");
	changed.story.context_switches = 1; // what makes the fake worker diverge
	changed.module_hash = "another";
	write_file(scratch_.path() / "old.json", json::serialize(to_json(changed)));
	const Finished run = wakerace({"replay", "old.json"});
	EXPECT_EQ(run.code, 1) << run.output;
	EXPECT_THAT(run.output,
		    AllOf(HasSubstr("changed since this trace was recorded"),
			  HasSubstr("diverges at #4:"), HasSubstr("recorded: CPU1 reads x"),
			  HasSubstr("found:    CPU1 writes y")));
}

TEST_F(CliTest, ExplainFindsTheFewestSwitches)
{
	const Finished run = wakerace({"explain", trace()});
	EXPECT_EQ(run.code, 0) << run.output;
	EXPECT_THAT(run.output,
		    AllOf(HasSubstr("no violating execution has fewer than 3 context switches"),
			  HasSubstr("FALSE_IDLE-shortest.json")));
}

TEST_F(CliTest, Lists)
{
	EXPECT_THAT(wakerace({"list"}).output, HasSubstr("passes"));
	EXPECT_THAT(wakerace({"list", "kernels", "-v"}).output,
		    AllOf(ContainsRegex("v6.2 +the head \\(head\\)"),
			  HasSubstr("model/patches/early.patch"),
			  // In the patched tree, and in the head's.
			  ContainsRegex("early.patch\n    model/kernel/core.cpp:1: Mirrors "
					"kernel/sched/core.c:idle_cpu, v6.2. Leaves out: all that "
					"is slow.\n(.*\n)*.*functions of the head.*\n"
					"    model/kernel/core.cpp:1: Mirrors")));
	EXPECT_THAT(wakerace({"list", "engines"}).output,
		    AllOf(ContainsRegex("relacy +models sc, c11"),
			  ContainsRegex("graph +models sc, tso, rc11, lkmm")));
	EXPECT_THAT(wakerace({"list", "types"}).output, HasSubstr("FALSE_IDLE_INSTANT"));
	EXPECT_THAT(wakerace({"list", "sites"}).output, HasSubstr("idle_cpu:READ_ONCE#2"));
	EXPECT_EQ(wakerace({"list", "kernels", "--json", "out.jsonl"}).code, 0);
	ASSERT_EQ(json_lines().size(), 3u);
	EXPECT_EQ(text(json_lines()[0].at("functions").at(0).at("function")), "idle_cpu");
}

// The litmus module as the head, under the worker that explores.
class RealWorkerTest : public CliTest {
protected:
	void SetUp() override
	{
		const char *worker = std::getenv("WAKERACE_WORKER");
		if (!worker)
			GTEST_SKIP() << "WAKERACE_WORKER names no worker";
		worker_ = worker;
		module_ = scratch_.path() / "litmus/v6.2.so";
		write_file(module_, read_file(std::getenv("WAKERACE_LITMUS")));
	}

	std::string said(const std::string &words) const
	{
		return shell(fmt::format("WAKERACE_WORKER='{}' WAKERACE_MODULES=$PWD/litmus "
					 "\"$WAKERACE_TOOL\" {}",
					 worker_.string(), words))
			.output;
	}

	// The verdict on HANDING-OVER under c11 without the order of @sites.
	std::string verdict(const std::vector<std::string> &sites) const
	{
		std::string words = "run HANDING-OVER --kernel v6.2 --model c11 --terse";
		for (const std::string &site : sites)
			words += " --weaken handing_over:" + site;
		return said(words);
	}

	std::filesystem::path worker_, module_;
};

TEST_F(RealWorkerTest, ExpectationIsThatOfTheWeakenedSites)
{
	const std::string race = "violation: DATA_RACE: ";
	EXPECT_THAT(verdict({}), HasSubstr("pass: none: as expected"));
	EXPECT_THAT(verdict({"smp_store_release"}), HasSubstr(race + "as expected"));
	// A set has no order, and has nothing twice.
	for (const char *last : {"smp_store_release", "smp_load_acquire"})
		EXPECT_THAT(verdict({"smp_load_acquire", "smp_store_release", last}),
			    HasSubstr(race + "as expected"));
	// The row without weakened sites is not for this, nor one with more of them.
	EXPECT_THAT(verdict({"smp_load_acquire"}), HasSubstr(race + "no expectation"));
}

TEST_F(RealWorkerTest, WeakenedSitesAreListed)
{
	EXPECT_THAT(said("list scenarios -v --json out.jsonl"),
		    AllOf(HasSubstr("    * under *: no violation (catalogue)\n"),
			  HasSubstr("    litmus under c11, weakened handing_over:smp_load_acquire "
				    "handing_over:smp_store_release: DATA_RACE (finding)\n")));
	for (const json::object &line : json_lines())
		if (text(line.at("name")) == "HANDING-OVER") {
			const json::array &rows = line.at("expectations").as_array();
			EXPECT_EQ(rows.at(0).at("weaken"), json::array());
			EXPECT_EQ(rows.at(1).at("weaken"),
				  json::array({"handing_over:smp_store_release"}));
		}
}

TEST_F(RealWorkerTest, SitesThatAKernelDoesNotHaveAreFound)
{
	// Rows for another kernel are about another module's sites.
	EXPECT_THAT(describe_module(worker_, module_).unknown_sites(),
		    testing::ElementsAre("HANDING-OVER: handing_over:smp_wmb"));
}

TEST_F(CliTest, SitesOfAKernel)
{
	const std::string long_name = "idle_cpu_of_this_kernel_only_and_of_no_other:READ_ONCE";
	const std::string old = wakerace({"list", "sites", "--kernel", "v5.7"}).output;
	EXPECT_THAT(old, AllOf(HasSubstr(long_name + "  model/core.cpp:9  "),
			       ContainsRegex("idle_cpu:READ_ONCE {38}model/core.cpp:7")));
	EXPECT_THAT(wakerace({"list", "sites"}).output, Not(HasSubstr(long_name)));
}

} // namespace
} // namespace wakerace
