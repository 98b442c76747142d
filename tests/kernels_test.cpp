// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernel variants as modules, on a small tree of their own: what is built, what
// is built again, and what a user is told when it cannot be.
#include "cli/kernels.hpp"

#include "checker/result/json.hpp"
#include "cli/describe.hpp"
#include "cli/mirrors.hpp"
#include "cli/process.hpp"
#include "tests/scratch.hpp"

#include <chrono>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace wakerace {
namespace {

constexpr const char *core_cpp = R"(#include <linux/kernel.h>

int first(struct rq *rq)
{
	return rq->nr_running;
}

int second(struct rq *rq)
{
	rq->nr_running = 1;
	return rq->curr;
}
)";

constexpr const char *entry_cpp = R"(#include "checker/program/contract.h"
#include <linux/kernel.h>

int first(struct rq *rq);

static rq image;

extern "C" __attribute__((visibility("default"))) const char *wakerace_module()
{
	wr_thread();
	return first(&image) ? "" : WR_KERNEL;
}
)";

// One changed line of second(), below a sentence that git apply skips.
constexpr const char *swap_patch = R"(Counts in twos.

--- a/model/kernel/sched/core.cpp
+++ b/model/kernel/sched/core.cpp
@@ -8,5 +8,5 @@
 int second(struct rq *rq)
 {
-	rq->nr_running = 1;
+	rq->nr_running = 2;
 	return rq->curr;
 }
)";

class Kernels : public testing::Test {
protected:
	Scratch scratch_;
	fs::path root_ = scratch_.path() / "tree";

	void SetUp() override
	{
		write("model/include/linux/kernel.h",
		      "#pragma once\nstruct rq {\n\tint nr_running;\n\tint curr;\n};\n");
		write("model/kernel/sched/core.cpp", core_cpp);
		write("model/machine/entry.cpp", entry_cpp);
		write("scenarios/one.cpp", "#include <linux/kernel.h>\n");
		write("checker/program/contract.h",
		      "#pragma once\nextern \"C\" unsigned wr_thread(void);\n");
		fs::copy_file(source_root() / "model/module.flags", root_ / "model/module.flags");
		write("model/patches/v6.2.series", "# title: the head\n");
		write("model/patches/v6.1.series", "# title: older\n\nswap.patch # why\n");
		write("model/patches/swap.patch", swap_patch);
	}

	void write(const std::string &path, const std::string &text) const
	{
		write_file(root_ / path, text);
	}

	// A kernel "bad" that is one patch of @text.
	void write_bad(const std::string &text) const
	{
		write("model/patches/bad.patch", text);
		write("model/patches/bad.series", "bad.patch\n");
	}

	ModuleRequest request(const std::string &kernel) const
	{
		return {.root = root_, .cache = scratch_.path() / "cache", .kernel = kernel};
	}

	std::string refusal(const ModuleRequest &request) const
	{
		try {
			build_module(request);
		} catch (const BadInput &error) {
			return error.what();
		}
		return "was not refused";
	}
	std::string refusal(const std::string &kernel) const { return refusal(request(kernel)); }
};

std::string symbols_of(const fs::path &module)
{
	return run({.words = {"nm", "--dynamic", "--defined-only", module}}).output +
	       run({.words = {"nm", "--undefined-only", module}}).output;
}

TEST_F(Kernels, AreListedByVersionThenName)
{
	for (const char *name : {"v6.12", "v5.8", "v5.8-rc1", "v5.8-rc12", "v5.8-rc2", "swapped",
				 "in-loop", "v6.2-rmb"})
		write(std::string("model/patches/") + name + ".series", "swap.patch\n");
	std::vector<std::string> names;
	for (const KernelInfo &kernel : list_kernels(root_))
		names.push_back(kernel.name);
	EXPECT_THAT(names, testing::ElementsAre("v5.8-rc1", "v5.8-rc2", "v5.8-rc12", "v5.8", "v6.1",
						"v6.2", "v6.12", "in-loop", "swapped", "v6.2-rmb"));
}

TEST_F(Kernels, SeriesHasTitleAndPatches)
{
	const KernelInfo older = find_kernel(root_, "v6.1");
	EXPECT_EQ(older.title, "older");
	EXPECT_THAT(older.patches, testing::ElementsAre("swap.patch"));
	EXPECT_TRUE(find_kernel(root_, "v6.2").is_head());
}

TEST_F(Kernels, ModuleExportsOneEntryAndLeavesTheEngineUndefined)
{
	const KernelModule module = build_module(request("v6.2"));
	EXPECT_EQ(module.compiled, 3u);
	EXPECT_EQ(module.warnings, "");
	EXPECT_EQ(module.path.stem(), module.hash);
	const std::string symbols = symbols_of(module.path);
	EXPECT_THAT(symbols, HasSubstr("T wakerace_module"));
	EXPECT_THAT(symbols, Not(HasSubstr("T _Z5first")));
	EXPECT_THAT(symbols, HasSubstr("U wr_thread"));
	EXPECT_THAT(symbols, HasSubstr("U __tsan_read4"));
}

TEST_F(Kernels, PathsInsideAModuleAreThoseOfTheTree)
{
	const KernelModule module = build_module(request("v6.2"));
	const std::string text = read_file(module.path);
	EXPECT_EQ(text.find(scratch_.path()), std::string::npos);
	EXPECT_NE(text.find("model/kernel/sched/core.cpp"), std::string::npos);
	EXPECT_EQ(text.find("./model"), std::string::npos);
}

TEST_F(Kernels, SecondBuildComesFromTheCache)
{
	const KernelModule first = build_module(request("v6.2"));
	const KernelModule second = build_module(request("v6.2"));
	EXPECT_EQ(second.compiled, 0u);
	EXPECT_EQ(second.path, first.path);
	EXPECT_EQ(module_hash(request("v6.2")), first.hash);
}

TEST_F(Kernels, VariantCompilesWhatItChangesAndWhatNamesIt)
{
	const KernelModule head = build_module(request("v6.2"));
	const KernelModule older = build_module(request("v6.1"));
	EXPECT_EQ(older.compiled, 2u); // core.cpp is patched, entry.cpp says WR_KERNEL
	EXPECT_NE(older.hash, head.hash);
	EXPECT_THAT(read_file(older.tree / "model/kernel/sched/core.cpp"),
		    HasSubstr("rq->nr_running = 2;"));
}

TEST_F(Kernels, HeaderChangeCompilesEverything)
{
	build_module(request("v6.2"));
	write("model/include/linux/kernel.h", "struct rq {\n\tint curr, nr_running;\n};\n");
	EXPECT_EQ(build_module(request("v6.2")).compiled, 3u);
}

TEST_F(Kernels, FlagsAreIngredients)
{
	const std::string before = module_hash(request("v6.2"));
	write("model/module.flags", read_file(root_ / "model/module.flags") + "-DEXTRA\n");
	EXPECT_NE(module_hash(request("v6.2")), before);
}

TEST_F(Kernels, UserPatchGoesOnTop)
{
	std::string again = swap_patch;
	again.replace(again.find("= 1;"), 4, "= 2;");
	again.replace(again.rfind("= 2;"), 4, "= 3;");
	write_file(scratch_.path() / "mine.diff", again);
	ModuleRequest mine = request("v6.1");
	mine.extra_patches = {scratch_.path() / "mine.diff"};
	const KernelModule module = build_module(mine);
	EXPECT_NE(module.hash, module_hash(request("v6.1")));
	EXPECT_THAT(read_file(module.tree / "model/kernel/sched/core.cpp"),
		    HasSubstr("rq->nr_running = 3;"));
	mine.kernel = "v6.2";
	EXPECT_THAT(refusal(mine), AllOf(HasSubstr("mine.diff: hunk 1 (line 5 of the patch)"),
					 HasSubstr("core.cpp:8 of kernel v6.2")));
}

TEST_F(Kernels, PatchAppliesInsideARepositoryAndUnderAHook)
{
	ASSERT_TRUE(run({.words = {"git", "init", "-q", scratch_.path()}}).ok());
	setenv("GIT_DIR", (scratch_.path() / ".git").c_str(), 1);
	const KernelModule module = build_module(request("v6.1"));
	unsetenv("GIT_DIR");
	EXPECT_THAT(read_file(module.tree / "model/kernel/sched/core.cpp"),
		    HasSubstr("rq->nr_running = 2;"));
}

TEST_F(Kernels, MovedHunkAppliesButChangedContextDoesNot)
{
	write("model/kernel/sched/core.cpp", "// A line more.\n" + std::string(core_cpp));
	EXPECT_NO_THROW(build_module(request("v6.1")));
	std::string changed = core_cpp;
	changed.replace(changed.find("return rq->curr"), 6, "return 0 +");
	write("model/kernel/sched/core.cpp", changed);
	EXPECT_THAT(refusal("v6.1"), HasSubstr("model/patches/swap.patch: hunk 1"));
}

TEST_F(Kernels, BuildersAtTheSameTimeAgree)
{
	std::vector<KernelModule> modules(4);
	std::vector<std::thread> builders;
	for (KernelModule &module : modules)
		builders.emplace_back([&] { module = build_module(request("v6.1")); });
	for (std::thread &builder : builders)
		builder.join();
	for (const KernelModule &module : modules)
		EXPECT_TRUE(fs::exists(module.path) && fs::exists(module.tree / "model"));
	for (const char *place : {"kernels", "modules"}) {
		const auto entries = fs::directory_iterator(scratch_.path() / "cache" / place);
		EXPECT_EQ(std::distance(fs::begin(entries), fs::end(entries)), 1) << place;
	}
}

TEST_F(Kernels, UnusedEntriesOfTheCacheGoAway)
{
	const fs::path cache = scratch_.path() / "cache";
	const fs::path used = build_module(request("v6.2")).path;
	for (const fs::path &old : {cache / "modules/old.so", cache / "kernels/old/file"}) {
		write_file(old, "");
		for (const fs::path &aged : {old, old.parent_path()})
			fs::last_write_time(aged, fs::file_time_type::clock::now() -
							  std::chrono::hours(72));
	}
	build_module(request("v6.1"));
	EXPECT_FALSE(fs::exists(cache / "modules/old.so"));
	EXPECT_FALSE(fs::exists(cache / "kernels/old"));
	EXPECT_TRUE(fs::exists(used));
}

TEST_F(Kernels, UnknownKernelNamesTheNearest)
{
	EXPECT_THAT(refusal("v6.11"),
		    AllOf(HasSubstr("no kernel 'v6.11'"), HasSubstr("are v6.1, v6.2")));
	EXPECT_THAT(refusal("../../etc"), HasSubstr("no kernel"));
}

TEST_F(Kernels, MissingPatchesAreNamed)
{
	write("model/patches/bad.series", "gone.patch\n");
	EXPECT_THAT(refusal("bad"), HasSubstr("bad.series names gone.patch, which is not in"));
	ModuleRequest mine = request("v6.2");
	mine.extra_patches = {"absent.diff"};
	EXPECT_THAT(refusal(mine), HasSubstr("there is no patch absent.diff"));
}

TEST_F(Kernels, EmptyPatchIsRefused)
{
	write_bad("From: somebody\n\nNothing here.\n");
	EXPECT_THAT(refusal("bad"), HasSubstr("bad.patch holds no patch"));
}

TEST_F(Kernels, PatchForAnotherTreeIsRefused)
{
	std::string other = swap_patch;
	for (size_t at; (at = other.find("/model/")) != std::string::npos;)
		other.erase(at, 6);
	write_bad(other);
	EXPECT_THAT(refusal("bad"), HasSubstr("kernel bad has no file kernel/sched/core.cpp"));
}

TEST_F(Kernels, PatchMayNotLeaveTheTree)
{
	std::string outside = swap_patch;
	for (const char side : {'a', 'b'}) {
		const std::string from = std::string(1, side) + "/model/kernel";
		outside.replace(outside.find(from), from.size(), std::string(1, side) + "/../..");
	}
	write_bad(outside);
	EXPECT_THAT(refusal("bad"), HasSubstr("bad.patch"));
}

TEST_F(Kernels, CutPatchIsDamaged)
{
	const std::string text = swap_patch;
	write_bad(text.substr(0, text.find("-\trq->nr_running")));
	EXPECT_THAT(refusal("bad"), AllOf(HasSubstr("bad.patch:"), HasSubstr("damaged")));
}

TEST_F(Kernels, CompilerErrorIsShownAtTheTreesOwnPlace)
{
	std::string broken = swap_patch;
	broken.replace(broken.find("= 2;"), 4, "= oops;");
	write_bad(broken);
	const std::string said = refusal("bad");
	EXPECT_THAT(said, HasSubstr("kernel bad does not compile, at model/kernel/sched/core.cpp "
				    "(changed by model/patches/bad.patch)"));
	EXPECT_THAT(said, HasSubstr("model/kernel/sched/core.cpp:10:19: error:"));
	EXPECT_THAT(said, Not(HasSubstr(scratch_.path())));
	EXPECT_THAT(said, Not(HasSubstr("./")));
	// What failed must not stay in the cache as if it had not.
	EXPECT_EQ(refusal("bad"), said);
}

TEST_F(Kernels, ErrorInAHeaderIsBlamedOnItsPatch)
{
	write_bad("--- a/model/include/linux/kernel.h\n+++ b/model/include/linux/kernel.h\n"
		  "@@ -2,4 +2,4 @@\n struct rq {\n-\tint nr_running;\n+\toops nr_running;\n"
		  " \tint curr;\n };\n");
	EXPECT_THAT(refusal("bad"), AllOf(HasSubstr("(changed by model/patches/bad.patch)"),
					  HasSubstr("model/include/linux/kernel.h:3:2: error:"),
					  Not(HasSubstr("./model"))));
}

TEST_F(Kernels, ErrorOfTheHeadBlamesNoPatch)
{
	write("scenarios/one.cpp", "int broken(\n");
	EXPECT_THAT(refusal("v6.1"), AllOf(HasSubstr("at scenarios/one.cpp"),
					   HasSubstr("no patch touches that place")));
}

TEST_F(Kernels, UndefinedFunctionIsFoundAtTheBuild)
{
	write("scenarios/one.cpp", "int nowhere(int);\nint one() { return nowhere(1); }\n");
	EXPECT_THAT(refusal("v6.2"), HasSubstr("uses what nothing defines:\nnowhere(int)"));
}

TEST_F(Kernels, MissingCompilerIsOneSentence)
{
	ModuleRequest other = request("v6.2");
	other.compiler = "clang++-of-nobody";
	EXPECT_EQ(refusal(other), "clang++-of-nobody is not installed: apt-get install clang");
}

// `list kernels -v` prints these sentences, so each has to be whole.
TEST(KernelsOfTheTree, EveryMirrorNamesItsFunctionAndVersion)
{
	const std::vector<Mirror> mirrors = mirrors_of(read_tree(source_root()));
	std::set<std::string> functions;
	for (const Mirror &mirror : mirrors) {
		functions.insert(mirror.function);
		const std::string whole = "Mirrors [a-z_/]+\\.[ch]:[a-z_]+.* v[0-9]+\\.[0-9].*";
		EXPECT_THAT(mirror.comment, testing::MatchesRegex(whole)) << mirror.file;
		EXPECT_THAT(mirror.body, HasSubstr("{")) << mirror.file << ": " << mirror.comment;
	}
	EXPECT_THAT(functions, testing::IsSupersetOf({"try_to_wake_up", "idle_cpu", "__schedule",
						      "sched_ttwu_pending", "do_idle"}));
}

TEST(KernelsOfTheTree, AllApplyAndBuildWithoutAWarning)
{
	const fs::path root = source_root();
	for (const KernelInfo &kernel : list_kernels(root)) {
		SCOPED_TRACE(kernel.name);
		EXPECT_NE(kernel.title, "");
		try {
			// The cache of the tree itself, so that this is not done twice.
			const KernelModule module = build_module({.root = root,
								  .cache = root / "build/cache",
								  .kernel = kernel.name,
								  .extra_patches = {}});
			EXPECT_EQ(module.warnings, "");
			// A build with a sanitizer has no worker to describe a module.
			if (const char *worker = std::getenv("WAKERACE_WORKER")) {
				EXPECT_THAT(describe_module(worker, module.path).unknown_sites(),
					    testing::IsEmpty())
					<< "expectations for sites that this kernel does not have";
			}
		} catch (const BadInput &error) {
			ADD_FAILURE() << error.what();
		}
	}
}

} // namespace
} // namespace wakerace
