// SPDX-License-Identifier: GPL-2.0-or-later
//
// The worker process: one exploration or one replay under Relacy. It is its
// own executable since Relacy replaces operator new for all that it is linked
// with, and so that a crash or a limit ends only it. Reads one request as a
// line of JSON, writes JSON Lines; exit code 2 with one sentence for bad input.
#include "checker/relacy/describe.hpp"
#include "checker/relacy/follow.hpp"
#include "checker/result/json.hpp"
#include "checker/result/tell.hpp"
#include "checker/search/dpor.hpp"
#include "checker/search/random.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>

namespace wakerace {
namespace {

constexpr uint64_t random_executions_default = 10000;

void write_line(const boost::json::object &line)
{
	std::cout << boost::json::serialize(line) << std::endl;
}

std::unique_ptr<Search> search_of(const Request &request)
{
	if (request.search == "dpor")
		return std::make_unique<Dpor>();
	if (request.search == "random") {
		uint64_t executions = request.max_executions;
		if (executions == 0) // a time limit alone decides
			executions = request.time_limit_s > 0 ? UINT64_MAX
							      : random_executions_default;
		return std::make_unique<RandomSearch>(request.seed, executions);
	}
	if (request.search == "full" || request.search == "bounded")
		return nullptr;
	throw BadInput(
		fmt::format("--search is dpor, full, bounded or random, not {}", request.search));
}

// What Relacy does not explore (docs/engines.md has the whole table).
std::vector<std::string> limits_of(Model model)
{
	if (model == Model::sc)
		return {};
	return {"load buffering, 2+2W, S", "values more than two writes old"};
}

// An access that the compiler did not announce reads a poison. Two runs of one
// schedule under two poisons show it: all events must agree.
std::string check_instrumentation(const Module &module, const Request &request)
{
	std::vector<Event> events[2];
	for (int run : {0, 1}) {
		Runtime::Options options = options_of(request, module);
		options.poison = run ? 0x5a : 0xa5;
		Session session(module, request, options, std::make_unique<RandomSearch>(1, 1));
		explore(session);
		if (!session.runtime().error().empty())
			return session.runtime().error();
		events[run] = session.runtime().execution().events;
	}
	for (size_t i = 0; i < std::max(events[0].size(), events[1].size()); ++i) {
		const bool both = i < events[0].size() && i < events[1].size();
		const Event &a = events[both || i < events[0].size() ? 0 : 1][i];
		if (both && a.thread == events[1][i].thread && a.cell == events[1][i].cell &&
		    a.value == events[1][i].value && a.written == events[1][i].written)
			continue;
		const Source source = Teller(module).source(a.place);
		return fmt::format("an access before {}:{} ({}) escaped instrumentation: the "
				   "execution depends on what is in memory between accesses",
				   source.file, source.line, source.function);
	}
	return "";
}

void judge_verdict(Result &result)
{
	const uint64_t seen = result.executions.complete + result.executions.blocked;
	if (result.error.empty() && seen == 0 && result.bound.empty())
		result.error = "no execution came to its end";
	// A violation stands whatever else was not reached; a pass does not.
	if (result.error.empty() && result.exhaustive && result.violations.empty() &&
	    !result.unreached.empty())
		result.error = fmt::format("no execution reaches \"{}\"", result.unreached.front());
	if (!result.error.empty())
		result.verdict = "error";
	else if (!result.violations.empty())
		result.verdict = "violation";
	else
		result.verdict = result.exhaustive || seen ? "pass" : "inconclusive";
	if (result.verdict == "pass" && !result.exhaustive && result.bound != "interrupts at steps")
		result.verdict = "inconclusive";
}

void run(const Module &module, const Request &request)
{
	std::string error = check_instrumentation(module, request);
	Session session(module, request, options_of(request, module), search_of(request));
	session.on_progress = [](uint64_t executions, double seconds) {
		write_line({{"kind", "progress"}, {"executions", executions}, {"wall_s", seconds}});
	};
	if (error.empty())
		explore(session);
	Result result = session.result();
	if (!error.empty())
		result.error = error;
	result.limits = limits_of(session.model());
	Teller teller(module);
	for (Story &story : result.stories)
		if (!tell_again(module, request, teller, story))
			result.error = "the program is not deterministic: a schedule could not be "
				       "repeated";
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

void replay(const Module &module, const Request &request, const Trace &trace)
{
	const Followed followed = follow(module, request, trace.story.schedule);
	if (!followed.error.empty())
		throw BadInput(fmt::format("the trace cannot be replayed: {}", followed.error));
	Replay replay;
	replay.story = trace.story;
	Teller(module).tell(followed.execution, replay.story);
	const auto violations = check_invariants(followed.execution, module, model_of(request));
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

void serve(const std::string &line)
{
	boost::json::error_code error;
	const boost::json::value json = boost::json::parse(line, error);
	if (error || !json.is_object())
		throw BadInput("the request is not a JSON object");
	const Request request = request_from_json(json);
	const Module module(request.module);
	if (const auto *trace = json.as_object().if_contains("replay"))
		replay(module, request,
		       trace_from_text(boost::json::serialize(*trace), "the request"));
	else
		run(module, request);
}

} // namespace
} // namespace wakerace

int main(int argc, char **argv)
{
	using namespace wakerace;
	std::signal(SIGINT, [](int) { Session::stop = 1; });
	std::signal(SIGTERM, [](int) { Session::stop = 1; });
	try {
		if (argc == 3 && std::string_view(argv[1]) == "--describe") {
			write_line(describe(Module(argv[2])));
			return 0;
		}
		if (argc != 1)
			throw BadInput("usage: wakerace-relacy [--describe MODULE] < REQUEST");
		std::string line;
		std::getline(std::cin, line);
		serve(line);
		return 0;
	} catch (const BadInput &bad) {
		std::cerr << bad.what() << '\n';
		return 2;
	}
}
