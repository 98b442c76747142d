// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the real worker on modules that were built for tests.
#pragma once

#include "checker/result/json.hpp"
#include "tests/scratch.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace wakerace {

// The path that meson gave in the environment variable @name.
inline std::string path_from(const char *name)
{
	const char *path = std::getenv(name);
	if (path == nullptr)
		throw std::runtime_error(fmt::format("set {} (meson does)", name));
	return path;
}

class WorkerTest : public testing::Test {
protected:
	void SetUp() override
	{
		// The worker bears no sanitizer; a build with one has none of its own.
		if (!std::getenv("WAKERACE_WORKER"))
			GTEST_SKIP() << "WAKERACE_WORKER names no worker";
	}

	static Request request(const std::string &module, const std::string &scenario)
	{
		Request request;
		request.module = module;
		request.scenario = scenario;
		request.time_limit_s = 60;
		return request;
	}

	// The worker's last line for a request; throws with what it said on
	// standard error if there is none.
	boost::json::object ask(const boost::json::object &request) const
	{
		const auto in = scratch_.path() / "request", out = scratch_.path() / "answer";
		write_file(in, boost::json::serialize(request) + "\n");
		const bool graph = request.at("engine").as_string() == "graph";
		const std::string command =
			fmt::format("'{}' < '{}' > '{}' 2> '{}.errors'",
				    path_from(graph ? "WAKERACE_GRAPH_WORKER" : "WAKERACE_WORKER"),
				    in.string(), out.string(), out.string());
		status_ = std::system(command.c_str());
		std::istringstream lines(read_file(out));
		std::string line, last;
		while (std::getline(lines, line))
			last = line;
		if (last.empty())
			throw std::runtime_error(read_file(out.string() + ".errors"));
		return boost::json::parse(last).as_object();
	}

	Result explore(const Request &request) const
	{
		return result_from_json(ask(to_json(request)));
	}

	Replay replay(const Trace &trace, const std::string &module) const
	{
		Request request = trace.request;
		request.module = module;
		boost::json::object line = to_json(request);
		line["replay"] = to_json(trace);
		return replay_from_json(ask(line));
	}

	template <typename Value>
	static std::set<std::string> names(const std::map<std::string, Value> &counts)
	{
		std::set<std::string> names;
		for (const auto &[name, count] : counts)
			names.insert(name);
		return names;
	}

	Scratch scratch_;
	mutable int status_ = 0; // of the last worker, as std::system gives it
};

} // namespace wakerace
