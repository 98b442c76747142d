// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the built wakerace against a fake worker, in a small tree of its own.
#pragma once

#include "cli/process.hpp"
#include "tests/scratch.hpp"

#include <boost/json.hpp>
#include <cstdlib>
#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace wakerace {

class CliTest : public testing::Test {
protected:
	CliTest()
	{
		const auto patches = tree() / "model/patches";
		write_file(patches / "v6.2.series", "# title: the head\n");
		write_file(patches / "v6.1.series", "# title: clears too early\nearly.patch\n");
		write_file(patches / "v5.7.series", "# title: a list head\nlist.patch\n");
		write_file(tree() / "model/kernel/core.cpp",
			   "/* Mirrors kernel/sched/core.c:idle_cpu, v6.2. Leaves out: all\n"
			   " * that is slow. */\nint idle_cpu()\n{\n\treturn 1;\n}\n");
		const std::string patch = "--- a/model/kernel/core.cpp\n"
					  "+++ b/model/kernel/core.cpp\n@@ -3,4 +3,4 @@\n"
					  " int idle_cpu()\n {\n-\treturn 1;\n+\treturn 2;\n }\n";
		write_file(patches / "early.patch", patch);
		write_file(patches / "list.patch", patch);
		write_file(tree() / "model/module.flags", "");
		write_file(tree() / "checker/program/contract.h", "");
		write_file(tree() / "scenarios/x.cpp", "");
		for (const char *kernel : {"v6.2", "v6.1", "v5.7"})
			write_file(scratch_.path() / "modules" / (std::string(kernel) + ".so"), "");
	}

	std::filesystem::path tree() const { return scratch_.path() / "tree"; }

	// With @words after the program's name, in the scratch directory.
	Finished wakerace(std::vector<std::string> words) const
	{
		const char *program = std::getenv("WAKERACE_TOOL");
		if (!program)
			throw std::runtime_error("set WAKERACE_TOOL to the built wakerace");
		words.insert(words.begin(), program);
		return run({words, scratch_.path(), environment()});
	}

	// With @line for the shell, in the same place; "$WAKERACE_TOOL" is the program.
	Finished shell(const std::string &line, const std::vector<std::string> &more = {}) const
	{
		std::vector<std::string> all = environment();
		all.insert(all.end(), more.begin(), more.end());
		return run({{"sh", "-c", line}, scratch_.path(), all});
	}

	std::vector<std::string> environment() const
	{
		return {"WAKERACE_ROOT=" + tree().string(),
			"WAKERACE_CACHE=" + (scratch_.path() / "cache").string(),
			"WAKERACE_WORKER=" + (source_root() / "tests/fake_worker.py").string(),
			"WAKERACE_MODULES=" + (scratch_.path() / "modules").string()};
	}

	// One scenario of the fake worker on the head under sc.
	Finished explore(const std::string &scenario, std::vector<std::string> more = {}) const
	{
		std::vector<std::string> words = {"run",     scenario, "--kernel", "v6.2",
						  "--model", "sc",     "--json",   "out.jsonl"};
		words.insert(words.end(), more.begin(), more.end());
		return wakerace(words);
	}

	std::vector<boost::json::object> json_lines() const
	{
		std::istringstream stream(read_file(scratch_.path() / "out.jsonl"));
		std::vector<boost::json::object> lines;
		for (std::string line; std::getline(stream, line);)
			lines.push_back(boost::json::parse(line).as_object());
		return lines;
	}

	// The trace of a racing scenario.
	std::filesystem::path trace() const
	{
		explore("races");
		return tree() / "build/traces/races-v6.2-relacy-sc-FALSE_IDLE-1.json";
	}

	Scratch scratch_;
};

} // namespace wakerace
