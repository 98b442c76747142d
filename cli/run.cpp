// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/pool.hpp"
#include "cli/progress.hpp"
#include "cli/rows.hpp"
#include "cli/select.hpp"
#include "cli/traces.hpp"
#include "reports/lines.hpp"
#include "reports/story.hpp"

#include <chrono>
#include <fmt/format.h>
#include <set>

namespace wakerace {

namespace {

// A result for a worker that gave none.
Result failed_result(const Job &job, const WorkerEnd &end, const std::string &why)
{
	Result result;
	result.scenario = job.request.scenario;
	result.engine = job.request.engine;
	result.search = job.request.search;
	result.model = job.request.model;
	result.irq = job.request.irq;
	result.weaken = job.request.weaken;
	result.seed = job.request.seed;
	result.verdict = "error";
	result.error = why;
	result.wall_s = end.wall_s;
	return result;
}

Result result_of(const Job &job, const WorkerEnd &end)
{
	Result result;
	if (!end.last) {
		result = failed_result(job, end, end.failure);
	} else {
		try {
			result = result_from_json(*end.last);
		} catch (const BadInput &problem) {
			result = failed_result(
				job, end,
				fmt::format("the worker's report is damaged: {}", problem.what()));
		}
	}
	if (result.peak_mb <= 0)
		result.peak_mb = end.peak_mb;
	result.kernel = job.kernel;
	result.module_hash = job.module_hash;
	return result;
}

Trace trace_of(const Job &job, const Story &story)
{
	Trace trace;
	trace.kernel = job.kernel;
	trace.module_hash = job.module_hash;
	trace.request = job.request;
	trace.story = story;
	return trace;
}

// Turns ends of workers into reports, in the order of the jobs however the
// workers finish.
class Run {
public:
	Run(const Paths &paths, const RunOptions &options, Selection selection)
	    : paths_(paths), options_(options), selection_(std::move(selection)),
	      output_(options.json), ends_(selection_.jobs.size()),
	      progress_(options.progress, selection_.jobs.size())
	{
	}

	int explore()
	{
		const auto start = std::chrono::steady_clock::now();
		std::vector<WorkerTask> tasks;
		for (const Job &job : selection_.jobs)
			tasks.push_back({paths_.worker(job.request.engine), to_json(job.request),
					 job.request.time_limit_s, job.request.memory_limit_mb});
		PoolEvents events;
		events.on_start = [&](size_t task) { progress_.start(task, title(task)); };
		events.on_progress = [&](size_t task, const WorkerProgress &now) {
			progress_.update(task, now);
		};
		events.on_end = [&](size_t task, const WorkerEnd &end) {
			ends_[task] = end;
			progress_.end(task);
			report_ready();
		};
		summary_.interrupted = !run_pool(tasks, options_.jobs, events);
		// After a signal there are gaps: what never ran, behind which ends wait.
		report_rest();
		const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
		summary_.wall_s = wall.count();
		return finish();
	}

private:
	std::string title(size_t task) const
	{
		const Job &job = selection_.jobs[task];
		return fmt::format("{} {} {}/{}", job.request.scenario, job.kernel,
				   job.request.engine, job.request.model);
	}

	void report_ready()
	{
		for (; reported_ < ends_.size() && ends_[reported_]; reported_++)
			report(reported_);
	}

	void report_rest()
	{
		for (; reported_ < ends_.size(); reported_++) {
			if (ends_[reported_])
				report(reported_);
			else
				summary_.not_run++;
		}
	}

	void report(size_t task)
	{
		const Job &job = selection_.jobs[task];
		Verdict verdict = judge(result_of(job, *ends_[task]), job.expectation);
		ends_[task] = WorkerEnd(); // its stories are large
		write_traces(job, verdict);
		add(summary_, verdict);
		progress_.clear();
		output_.line(json_verdict(verdict));
		if (options_.terse) {
			output_.text(terse_verdict(verdict));
			return;
		}
		output_.text(text_verdict(verdict));
		tell(job, verdict);
	}

	void write_traces(const Job &job, Verdict &verdict)
	{
		const std::filesystem::path directory =
			options_.traces.empty() ? paths_.traces
						: std::filesystem::path(options_.traces);
		std::map<std::string, unsigned> numbers;
		for (size_t i = 0; i < verdict.result.stories.size(); i++) {
			const Trace trace = trace_of(job, verdict.result.stories[i]);
			const unsigned number = ++numbers[trace.story.violation.type];
			verdict.traces[i] = write_trace_file(
				directory, trace_name(trace, std::to_string(number)), trace);
		}
	}

	// An unexpected story is told in full, once for each scenario and kernel;
	// for what is expected, or the same again, a pointer is enough.
	void tell(const Job &job, const Verdict &verdict)
	{
		const auto &stories = verdict.result.stories;
		std::map<std::string, std::string> pointed; // type -> trace
		std::set<std::string> told;
		for (size_t i = 0; i < stories.size(); i++) {
			const std::string &type = stories[i].violation.type;
			if (!options_.verbose && !is_news(job, verdict, type)) {
				pointed.emplace(type, verdict.traces[i]);
				continue;
			}
			const StoryStyle style = {output_.width(), options_.verbose};
			output_.text("\n" + story_heading(trace_of(job, stories[i])) +
				     story_text(stories[i], style, verdict.traces[i]) + "\n");
			told.insert(type);
		}
		for (const std::string &type : told)
			pointed.erase(type);
		point_at(pointed);
	}

	bool is_news(const Job &job, const Verdict &verdict, const std::string &type)
	{
		const bool expected =
			verdict.expectation && verdict.expectation->types.contains(type);
		return !expected && told_.insert({job.request.scenario, job.kernel}).second;
	}

	void point_at(const std::map<std::string, std::string> &traces)
	{
		if (traces.empty())
			return;
		std::string others;
		for (const auto &[type, trace] : traces)
			if (trace != traces.begin()->second)
				others += (others.empty() ? "" : ", ") + type;
		output_.text(fmt::format("    story: ./wakerace explain {}{}\n",
					 traces.begin()->second,
					 others.empty() ? "" : "  (also: " + others + ")"));
	}

	int finish()
	{
		summary_.not_applicable = selection_.not_applicable;
		if (summary_.interrupted)
			summary_.exit_code =
				graver(ExitCode(summary_.exit_code), exit_inconclusive);
		progress_.clear();
		output_.text(options_.terse ? terse_summary(summary_) : text_summary(summary_));
		output_.line(json_summary(summary_));
		return summary_.exit_code;
	}

	const Paths &paths_;
	const RunOptions &options_;
	const Selection selection_;
	Output output_;
	std::vector<std::optional<WorkerEnd>> ends_;
	Progress progress_;
	Summary summary_;
	size_t reported_ = 0;
	std::set<std::pair<std::string, std::string>> told_; // scenario, kernel
};

// Nothing was selected: still a whole report, so that scripts see why.
int report_nothing(const RunOptions &options, const Selection &selection, const std::string &why)
{
	Summary summary;
	summary.not_applicable = selection.not_applicable;
	summary.exit_code = exit_nothing;
	Output output(options.json);
	note(why);
	output.text(options.terse ? terse_summary(summary) : text_summary(summary));
	output.line(json_summary(summary));
	return exit_nothing;
}

} // namespace

int run_command(const Paths &paths, const RunOptions &options)
{
	std::vector<Target> targets;
	std::vector<std::string> known;
	for (const KernelInfo &kernel : list_kernels(paths.root))
		known.push_back(kernel.name);
	for (const std::string &kernel : choose_kernels(paths.root, options.kernels)) {
		KernelModule module = ready_module_noted(paths, kernel);
		ModuleInfo info = describe_module(paths.worker("relacy"), module.path);
		if (paths.modules.empty()) // those that tests build by hand name others
			check_rows(info, known);
		targets.push_back({std::move(module), std::move(info)});
	}
	Selection selection = select_jobs(targets, options);
	if (selection.jobs.empty())
		return report_nothing(options, selection, why_empty(targets, options));
	return Run(paths, options, std::move(selection)).explore();
}

} // namespace wakerace
