// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/pool.hpp"
#include "cli/progress.hpp"
#include "cli/traces.hpp"
#include "reports/counted.hpp"
#include "reports/story.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

namespace {

// Each further preemption multiplies the search; no race of a handful of
// accesses has needed nearly as many.
constexpr unsigned preemptions_max = 12;
// How long the search with some number of preemptions may take, and how long the one
// after it, for fewer switches in all.
constexpr double search_limit_s = 120;
constexpr double proof_limit_s = 20;
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
	bool whole = false;   // nothing but the bound on preemptions cut it
};

// The shortest story of @type among the executions with few preemptions.
Search search_bounded(const Paths &paths, const Request &request, const std::string &type)
{
	Search search;
	Progress progress(true, 1);
	PoolEvents events;
	events.on_start = [&](size_t task) {
		progress.start(task, fmt::format("{} with up to {}", request.scenario,
						 counted(request.context_bound, "preemption")));
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
		search.whole = result.bound.find("limit") == std::string::npos;
		for (const Story &story : result.stories)
			if (story.violation.type == type &&
			    (!search.best || shorter(story, *search.best)))
				search.best = story;
	};
	const WorkerTask task{paths.worker(request.engine), to_json(request), request.time_limit_s,
			      request.memory_limit_mb};
	search.stopped = !run_pool({task}, 1, events);
	return search;
}

void tell(const Trace &trace, const std::string &file, const TraceOptions &options,
	  const std::string &claim)
{
	Output output("");
	output.text(story_heading(trace) +
		    story_text(trace.story, {output.width(), options.verbose}, file) + claim);
}

// Finds the story and fills in how sure it is that none is shorter. Returns
// an empty claim if there is none, nothing if a signal stopped it. A search that
// takes too long leaves the story that the trace holds.
std::optional<std::string> shorten(const Paths &paths, Trace &trace)
{
	const std::string type = trace.story.violation.type;
	Request &request = trace.request;
	Search search;
	for (request.context_bound = 0; request.context_bound <= preemptions_max;
	     request.context_bound++) {
		search = search_bounded(paths, request, type);
		if (search.stopped)
			return std::nullopt;
		if (search.best)
			break;
		if (!search.whole)
			return fmt::format("not the shortest: as it was found; the search with {} "
					   "was cut after {:.0f} s\n",
					   counted(request.context_bound, "preemption"),
					   search_limit_s);
	}
	if (!search.best)
		return "";
	trace.story = *search.best;
	const unsigned fewest = request.context_bound;

	// Each preemption is a switch: one with fewer switches in all lies within
	// this bound.
	Request wider = request;
	wider.context_bound = std::max(trace.story.context_switches, 1u) - 1;
	wider.time_limit_s = proof_limit_s;
	if (wider.context_bound > fewest) {
		search = search_bounded(paths, wider, type);
		if (search.stopped)
			return std::nullopt;
		if (search.best && shorter(*search.best, trace.story)) {
			trace.story = *search.best;
			request.context_bound = wider.context_bound;
		}
	}
	const std::string switches = counted(trace.story.context_switches, "context switch", "es");
	if (search.whole)
		return fmt::format("shortest: no violating execution has fewer than {}\n",
				   switches);
	return fmt::format("short: {}; no violating execution has fewer than {}, but there may be "
			   "one with fewer switches\n",
			   switches, counted(fewest, "preemption"));
}

} // namespace

int explain_command(const Paths &paths, const TraceOptions &options)
{
	Trace trace = read_trace_file(options.trace);
	const KernelModule module = ready_module_noted(paths, trace.kernel);
	warn_if_changed(trace, module.hash);
	trace.module_hash = module.hash;
	trace.request.module = module.path;
	if (trace.request.engine == "graph") {
		tell(trace, options.trace, options,
		     "as it was found: the graph engine does not look for a shorter one yet\n");
		return exit_expected;
	}
	const std::string name = trace_name(trace, "shortest");
	trace.request.search = "bounded";
	trace.request.stories_per_type = stories_max;
	trace.request.max_executions = 0;
	trace.request.time_limit_s = search_limit_s;
	const std::optional<std::string> claim = shorten(paths, trace);
	if (!claim) {
		note("stopped by a signal; replay tells the story that the trace holds");
		return exit_inconclusive;
	}
	if (claim->empty()) {
		note(fmt::format("no execution of {} on {} with up to {} preemptions has {}: the "
				 "model or the scenario has changed since the trace was recorded",
				 trace.request.scenario, trace.kernel, preemptions_max,
				 trace.story.violation.type));
		return exit_unexpected;
	}
	const std::string file = write_trace_file(
		std::filesystem::absolute(options.trace).parent_path(), name, trace);
	tell(trace, file, options, *claim);
	return exit_expected;
}

} // namespace wakerace
