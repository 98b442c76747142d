// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/worker/serve.hpp"

#include "checker/invariant/invariant.hpp"
#include "checker/result/json.hpp"
#include "checker/result/tally.hpp"
#include "checker/result/tell.hpp"
#include "checker/worker/describe.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <iostream>

namespace wakerace {

namespace {

void write_line(const boost::json::object &line)
{
	std::cout << boost::json::serialize(line) << std::endl;
}

void run(EngineWorker &engine, const Module &module, const Request &request)
{
	Result result = engine.explore(module, request, [](uint64_t executions, double seconds) {
		write_line({{"kind", "progress"}, {"executions", executions}, {"wall_s", seconds}});
	});
	judge_verdict(result);
	boost::json::object line = to_json(result);
	line["kind"] = "result";
	write_line(line);
}

std::string describe_step(const StoryEvent &event, const std::vector<std::string> &threads)
{
	return fmt::format("{} {} {} {} at {}:{} ({})",
			   event.thread < threads.size() ? threads[event.thread] : "?", event.kind,
			   event.cell, event.value, event.source.file, event.source.line,
			   event.source.function);
}

bool same_step(const StoryEvent &a, const StoryEvent &b)
{
	return a.thread == b.thread && a.kind == b.kind && a.cell == b.cell && a.value == b.value &&
	       a.reads_from == b.reads_from && a.source.function == b.source.function;
}

void replay(EngineWorker &engine, const Module &module, const Request &request, const Trace &trace)
{
	const Repeated followed = engine.repeat(module, request, trace.story.schedule);
	if (!followed.error.empty())
		throw BadInput(fmt::format("the trace cannot be replayed: {}", followed.error));
	Replay replay;
	replay.story = trace.story;
	Teller(module).tell(followed.execution, replay.story);
	const auto violations =
		check_invariants(followed.execution, module, engine.model_of(request));
	const auto &recorded = trace.story.events;
	const auto &now = replay.story.events;
	for (size_t i = 0; i < std::max(recorded.size(), now.size()); ++i) {
		const bool both = i < recorded.size() && i < now.size();
		if (both && same_step(recorded[i], now[i]))
			continue;
		const std::string end = "the end";
		replay.diverged_at = static_cast<int>(i);
		replay.expected =
			i < recorded.size() ? describe_step(recorded[i], trace.story.threads) : end;
		replay.found = i < now.size() ? describe_step(now[i], replay.story.threads) : end;
		break;
	}
	replay.reproduced = std::any_of(violations.begin(), violations.end(), [&](const Found &v) {
		return v.type == trace.story.violation.type;
	});
	if (replay.diverged_at >= 0 && !replay.reproduced)
		replay.story.violation =
			violations.empty() ? Violation{} : Violation(violations.front());
	boost::json::object line = to_json(replay);
	line["kind"] = "replay";
	write_line(line);
}

void answer(EngineWorker &engine, const std::string &line)
{
	boost::json::error_code error;
	const boost::json::value json = boost::json::parse(line, error);
	if (error || !json.is_object())
		throw BadInput("the request is not a JSON object");
	const Request request = request_from_json(json);
	const Module module(request.module);
	if (const auto *trace = json.as_object().if_contains("replay"))
		replay(engine, module, request,
		       trace_from_text(boost::json::serialize(*trace), "the request"));
	else
		run(engine, module, request);
}

} // namespace

std::string compare_poisoned(const Module &module, const std::vector<Event> &one,
			     const std::vector<Event> &other)
{
	for (size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
		const bool both = i < one.size() && i < other.size();
		const Event &a = (both || i < one.size() ? one : other)[i];
		if (both && a.thread == other[i].thread && a.cell == other[i].cell &&
		    a.value == other[i].value && a.written == other[i].written)
			continue;
		const Source source = Teller(module).source(a.place);
		return fmt::format("an access before {}:{} ({}) escaped instrumentation: the "
				   "execution depends on what is in memory between accesses",
				   source.file, source.line, source.function);
	}
	return "";
}

int serve(int argc, char **argv, EngineWorker &engine)
{
	std::signal(SIGINT, [](int) { Tally::stop = 1; });
	std::signal(SIGTERM, [](int) { Tally::stop = 1; });
	try {
		if (argc == 3 && std::string_view(argv[1]) == "--describe") {
			write_line(describe(Module(argv[2])));
			return 0;
		}
		if (argc != 1)
			throw BadInput(fmt::format("usage: {} [--describe MODULE] < REQUEST",
						   engine.name()));
		std::string line;
		std::getline(std::cin, line);
		answer(engine, line);
		return 0;
	} catch (const BadInput &bad) {
		std::cerr << bad.what() << '\n';
		return 2;
	}
}

} // namespace wakerace
