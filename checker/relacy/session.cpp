// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/relacy/session.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <sys/resource.h>

namespace wakerace {

namespace {

// Distinct stories kept for each type while exploring; the shortest are told.
constexpr size_t kept_per_type = 64;

} // namespace

volatile std::sig_atomic_t Session::stop = 0;

Session::Session(const Module &module, const Request &request, Runtime::Options options,
		 std::unique_ptr<Search> search)
    : module_(module), request_(request), model_(options.model),
      runtime_(module, module.program(request.scenario), std::move(options)),
      search_(std::move(search)), started_(std::chrono::steady_clock::now())
{
}

double Session::seconds() const
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Session::begin_execution(Engine &engine)
{
	schedule_.clear();
	announced_ = finished_ = 0;
	leaving_ = false;
	ending_ = Ending::complete;
	runtime_.begin(engine);
	if (search_)
		search_->begin(threads(),
			       static_cast<unsigned>(module_.cells().size()) + WR_STACKS_MAX);
}

void Session::announce(unsigned thread, const Op &op)
{
	ops_[thread] = &op;
	announced_ |= bit(thread);
}

void Session::ended(unsigned thread)
{
	announced_ &= ~bit(thread);
	finished_ |= bit(thread);
}

int Session::unstarted() const
{
	const ThreadSet all = bit(threads()) - 1;
	const ThreadSet left = all & ~(announced_ | finished_);
	return left ? std::countr_zero(left) : -1;
}

Moment Session::moment()
{
	Moment moment;
	moment.present = announced_;
	for (unsigned t = 0; t < threads(); ++t) {
		if (!(announced_ & bit(t)))
			continue;
		const Op &op = *ops_[t];
		moment.ops[t] = op;
		const bool reads = op.cell_count && !op.switches;
		moment.newest[t] = reads ? runtime_.newest(op.cells[0]) : 0;
		if (!op.guard || runtime_.satisfied(*op.guard))
			moment.enabled |= bit(t);
	}
	return moment;
}

int Session::first_to_leave() const
{
	return announced_ ? std::countr_zero(announced_) : 0;
}

int Session::pick()
{
	if (leaving_)
		return first_to_leave();
	const Moment now = moment();
	if (!runtime_.error().empty()) {
		give_up(Ending::truncated);
		return first_to_leave();
	}
	const int thread = search_->pick(now);
	if (!search_->deterministic())
		runtime_.set_error(
			"the program depends on more than the schedule: the same choices "
			"led to another access (is there state outside of the image?)");
	if (!now.enabled)
		return end_of_run(now);
	if (thread == Search::give_up) {
		give_up(Ending::redundant);
		return first_to_leave();
	}
	picked(static_cast<unsigned>(thread));
	return thread;
}

int Session::end_of_run(const Moment &moment)
{
	Ending ending = Ending::complete;
	for (unsigned t = 0; t < threads(); ++t)
		if (moment.present & bit(t) && moment.ops[t].guard->wait == WR_WAIT_MUST_END)
			ending = Ending::blocked;
	give_up(ending);
	return first_to_leave();
}

void Session::give_up(Ending ending)
{
	if (leaving_)
		return;
	leaving_ = true;
	ending_ = ending;
	// Threads leave from where they are; what they wait for is read first.
	runtime_.end(ending, announced_);
}

unsigned Session::choose(unsigned count)
{
	const unsigned alternative = search_->choose(count);
	chosen(alternative);
	return alternative;
}

bool Session::end_execution()
{
	if (!leaving_)
		runtime_.end(Ending::complete, 0);
	if (!runtime_.error().empty())
		return true;
	longest_ = std::max<uint64_t>(longest_, runtime_.execution().events.size());
	switch (ending_) {
	case Ending::complete:
		++counts_.complete;
		++outcomes_[runtime_.execution().outcome];
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
	if (ending_ == Ending::complete || ending_ == Ending::blocked || ending_ == Ending::broken)
		judge();
	if (search_ && !search_->next()) {
		if (!search_->complete())
			bound_ = "random sample";
		return true;
	}
	return limit_reached();
}

void Session::judge()
{
	const std::vector<Found> found = check_invariants(runtime_.execution(), module_, model_);
	std::vector<std::string> seen;
	for (const Found &violation : found) {
		if (std::find(seen.begin(), seen.end(), violation.type) != seen.end())
			continue;
		seen.push_back(violation.type);
		++violations_[violation.type];
		keep(violation);
	}
}

// Each distinct story once, in the execution that needs the fewest events for
// it. Two executions tell the same story if the same accesses prove the violation.
void Session::keep(const Found &violation)
{
	const Execution &execution = runtime_.execution();
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
	kept.story.schedule = schedule_;
	kept.story.context_switches = switches;
}

bool Session::limit_reached()
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

Result Session::result() const
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
	result.error = runtime_.error();
	const wr_module &module = module_.description();
	for (unsigned i = 0; i < module.mark_count; ++i)
		if (!runtime_.mark_counts()[i] &&
		    std::string_view(module.marks[i].file) == runtime_.program().file)
			result.unreached.push_back(module.marks[i].text);
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
	return result;
}

} // namespace wakerace
