// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/pool.hpp"
#include "cli/progress.hpp"
#include "cli/traces.hpp"
#include "reports/story.hpp"

#include <fmt/format.h>

namespace wakerace {

namespace {

// Each further preemption multiplies the search; no race of a handful of
// accesses has needed nearly as many.
constexpr unsigned preemptions_max = 12;
// All stories are compared, not only the first ones.
constexpr unsigned stories_max = 10000;

bool shorter(const Story &a, const Story &b)
{
	if (a.context_switches != b.context_switches)
		return a.context_switches < b.context_switches;
	return a.events.size() < b.events.size();
}

struct Search {
	std::optional<Story> best;
	bool stopped = false; // by a signal
};

// The shortest story of @type among the executions with few preemptions.
Search search_bounded(const Paths &paths, const Request &request, const std::string &type)
{
	Search search;
	Progress progress(true, 1);
	PoolEvents events;
	events.on_start = [&](size_t task) {
		progress.start(task, fmt::format("{} with up to {} preemptions", request.scenario,
						 request.context_bound));
	};
	events.on_progress = [&](size_t task, const WorkerProgress &now) {
		progress.update(task, now);
	};
	events.on_end = [&](size_t, const WorkerEnd &end) {
		if (end.bad_input)
			throw BadInput(end.failure);
		if (!end.last)
			throw std::runtime_error(end.failure);
		const Result result = result_from_json(*end.last);
		if (result.verdict == "error")
			throw std::runtime_error(result.error);
		for (const Story &story : result.stories)
			if (story.violation.type == type &&
			    (!search.best || shorter(story, *search.best)))
				search.best = story;
	};
	const WorkerTask task{to_json(request), 0, request.memory_limit_mb};
	search.stopped = !run_pool(paths.worker, {task}, 1, events);
	return search;
}

void tell(const Trace &trace, const std::string &file, const TraceOptions &options,
	  const std::string &claim)
{
	Output output("");
	output.text(story_heading(trace) +
		    story_text(trace.story, {output.width(), options.verbose}, file) + claim);
}

std::string plural(unsigned count, const char *one, const char *ending)
{
	return fmt::format("{} {}{}", count, one, count == 1 ? "" : ending);
}

} // namespace

int explain_command(const Paths &paths, const TraceOptions &options)
{
	Trace trace = read_trace_file(options.trace);
	const std::string type = trace.story.violation.type;
	const Module module = ready_module_noted(paths, trace.kernel);
	Request request = trace.request;
	request.module = module.path;
	request.search = "bounded";
	request.stories_per_type = stories_max;
	request.max_executions = 0;
	request.time_limit_s = 0;
	for (unsigned bound = 0; bound <= preemptions_max; bound++) {
		request.context_bound = bound;
		const Search search = search_bounded(paths, request, type);
		if (search.stopped) {
			note("stopped by a signal; the trace's own story can be told with replay");
			return exit_inconclusive;
		}
		if (!search.best)
			continue;
		trace.module_hash = module.hash;
		trace.request = request;
		trace.story = *search.best;
		const std::string file =
			write_trace_file(paths.traces, trace_name(trace, "shortest"), trace);
		tell(trace, file, options,
		     fmt::format("shortest: {}, {}; no execution with fewer preemptions has {}\n",
				 plural(trace.story.context_switches, "context switch", "es"),
				 plural(bound, "preemption", "s"), type));
		return exit_expected;
	}
	note(fmt::format("no execution of {} on {} with up to {} preemptions has {}: the model or "
			 "the scenario has changed since the trace was recorded",
			 request.scenario, trace.kernel, preemptions_max, type));
	return exit_unexpected;
}

} // namespace wakerace
