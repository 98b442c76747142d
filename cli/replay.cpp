// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/pool.hpp"
#include "cli/traces.hpp"
#include "reports/story.hpp"

#include <fmt/format.h>

namespace wakerace {

namespace {

// Empty if a signal stopped it.
std::optional<Replay> replay_in_worker(const Paths &paths, const Trace &trace,
				       const KernelModule &module)
{
	Request request = trace.request;
	request.module = module.path;
	WorkerTask task{paths.worker(request.engine), to_json(request), request.time_limit_s,
			request.memory_limit_mb};
	task.request["replay"] = to_json(trace);
	std::optional<Replay> replay;
	PoolEvents events;
	events.on_end = [&](size_t, const WorkerEnd &end) {
		if (end.bad_input)
			throw BadInput(end.failure);
		if (!end.last)
			throw std::runtime_error(end.failure);
		replay = replay_from_json(*end.last);
	};
	if (!run_pool({task}, 1, events))
		return std::nullopt;
	return replay;
}

std::string divergence(const Replay &replay)
{
	if (replay.diverged_at >= 0)
		return fmt::format("diverges at #{}:\n  recorded: {}\n  found:    {}\n",
				   replay.diverged_at, replay.expected, replay.found);
	return fmt::format("not reproduced: every step is as recorded, but the violation is not "
			   "there\n  recorded: {}\n  found:    {}\n",
			   replay.expected, replay.found.empty() ? "no violation" : replay.found);
}

} // namespace

int replay_command(const Paths &paths, const TraceOptions &options)
{
	Trace trace = read_trace_file(options.trace);
	const KernelModule module = ready_module_noted(paths, trace.kernel);
	warn_if_changed(trace, module.hash);
	const std::optional<Replay> replay = replay_in_worker(paths, trace, module);
	if (!replay) {
		note("stopped by a signal");
		return exit_inconclusive;
	}
	Output output("");
	if (!replay->story.events.empty()) {
		trace.story = replay->story;
		output.text(story_heading(trace) +
			    story_text(trace.story, {output.width(), options.verbose}, ""));
	}
	if (!replay->reproduced) {
		output.text(divergence(*replay));
		return exit_unexpected;
	}
	output.text(fmt::format("reproduced: {}\n", trace.story.violation.type));
	if (replay->diverged_at >= 0)
		output.text("though not step by step: it " + divergence(*replay));
	return exit_expected;
}

} // namespace wakerace
