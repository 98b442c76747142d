// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/tally.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <sys/resource.h>

namespace wakerace {

namespace {

// Distinct stories kept for each type while exploring; the shortest are told.
constexpr size_t kept_per_type = 64;

} // namespace

volatile std::sig_atomic_t Tally::stop = 0;

Tally::Tally(const Module &module, const wr_program &program, const Request &request, Model model)
    : module_(module), program_(program), request_(request), model_(model),
      started_(std::chrono::steady_clock::now())
{
}

double Tally::seconds() const
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Tally::add(const Execution &execution, const std::function<Schedule()> &schedule)
{
	longest_ = std::max<uint64_t>(longest_, execution.events.size());
	count(execution.ending, execution.outcome);
	if (execution.ending == Ending::complete || execution.ending == Ending::blocked ||
	    execution.ending == Ending::broken)
		judge(execution, schedule);
}

void Tally::count(Ending ending, const std::string &outcome)
{
	switch (ending) {
	case Ending::complete:
		++counts_.complete;
		++outcomes_[outcome];
		break;
	case Ending::blocked:
		++counts_.blocked;
		break;
	case Ending::broken:
		++broken_;
		[[fallthrough]];
	case Ending::truncated:
		++counts_.truncated;
		break;
	case Ending::redundant:
		++counts_.redundant;
		break;
	}
}

void Tally::judge(const Execution &execution, const std::function<Schedule()> &schedule)
{
	const std::vector<Found> found = check_invariants(execution, module_, model_);
	std::vector<std::string> seen;
	for (const Found &violation : found) {
		if (std::find(seen.begin(), seen.end(), violation.type) != seen.end())
			continue;
		seen.push_back(violation.type);
		++violations_[violation.type];
		keep(execution, violation, schedule);
	}
}

// Each distinct story once, in the execution that needs the fewest events for
// it. Two executions tell the same story if the same accesses prove the violation.
void Tally::keep(const Execution &execution, const Found &violation,
		 const std::function<Schedule()> &schedule)
{
	std::string fingerprint = violation.text;
	for (unsigned step : violation.steps)
		fingerprint += fmt::format(" {}", execution.events[step].place);
	auto &stories = kept_[violation.type];
	const unsigned switches = execution.context_switches(execution.events.size());
	const size_t events = violation.events;
	if (auto old = stories.find(fingerprint); old != stories.end()) {
		if (std::pair(old->second.events, old->second.story.context_switches) <=
		    std::pair(events, switches))
			return;
	} else if (stories.size() >= kept_per_type) {
		return;
	}
	Kept &kept = stories[fingerprint];
	kept.events = events;
	kept.story = Story{};
	kept.story.violation = violation;
	kept.story.schedule = schedule();
	kept.story.context_switches = switches;
}

bool Tally::limit_reached()
{
	const double now = seconds();
	const uint64_t executions = counts_.complete + counts_.blocked + counts_.truncated;
	if (on_progress && now >= next_progress_) {
		on_progress(executions, now);
		next_progress_ = now + 0.5;
	}
	if (stop)
		bound_ = "signal";
	else if (request_.time_limit_s > 0 && now >= request_.time_limit_s)
		bound_ = "time limit";
	else if (request_.max_executions && executions >= request_.max_executions)
		bound_ = "execution limit";
	return !bound_.empty();
}

Result Tally::result(const std::vector<uint64_t> &mark_counts, const std::string &error) const
{
	Result result;
	result.scenario = request_.scenario;
	result.kernel = module_.description().kernel;
	result.engine = request_.engine;
	result.search = request_.search;
	result.model = request_.model;
	result.irq = request_.irq;
	result.weaken = request_.weaken;
	result.seed = request_.seed;
	result.executions = counts_;
	result.violations = violations_;
	result.outcomes = outcomes_;
	result.longest = longest_;
	result.wall_s = seconds();
	rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	result.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
	result.bound = bound_;
	if (request_.search == "bounded" && result.bound.empty())
		result.bound = fmt::format("{} preemption{}", request_.context_bound,
					   request_.context_bound == 1 ? "" : "s");
	if (counts_.truncated && result.bound.empty())
		result.bound =
			broken_ ? "executions that could not go on" : "length of an execution";
	if (request_.irq != "every-access" && result.bound.empty())
		result.bound = "interrupts at steps";
	result.exhaustive = result.bound.empty();
	result.error = error;
	find_unreached(result, mark_counts);
	choose_stories(result);
	return result;
}

void Tally::find_unreached(Result &result, const std::vector<uint64_t> &mark_counts) const
{
	const wr_module &module = module_.description();
	for (unsigned i = 0; i < module.mark_count; ++i)
		if (!mark_counts[i] && std::string_view(module.marks[i].file) == program_.file)
			result.unreached.push_back(module.marks[i].text);
}

void Tally::choose_stories(Result &result) const
{
	for (const auto &[type, stories] : kept_) {
		std::vector<const Kept *> best;
		for (const auto &[fingerprint, kept] : stories)
			best.push_back(&kept);
		std::stable_sort(best.begin(), best.end(), [](const Kept *a, const Kept *b) {
			return std::pair(a->events, a->story.context_switches) <
			       std::pair(b->events, b->story.context_switches);
		});
		best.resize(std::min<size_t>(best.size(), request_.stories_per_type));
		for (const Kept *kept : best)
			result.stories.push_back(kept->story);
	}
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

} // namespace wakerace
