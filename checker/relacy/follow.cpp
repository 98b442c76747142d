// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/relacy/follow.hpp"

#include "checker/result/json.hpp"
#include "checker/search/replay.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

Model model_of(const Request &request)
{
	if (request.model == "sc")
		return Model::sc;
	if (request.model == "c11")
		return Model::c11;
	throw BadInput(
		fmt::format("the Relacy engine has the models sc and c11, not {}", request.model));
}

Runtime::Options options_of(const Request &request, const Module &module)
{
	Runtime::Options options;
	options.model = model_of(request);
	if (request.irq != "every-access" && request.irq != "steps")
		throw BadInput(fmt::format("--irq is every-access or steps, not {}", request.irq));
	options.interrupts_everywhere = request.irq == "every-access";
	options.weakened.resize(module.description().site_count);
	for (const std::string &name : request.weaken)
		options.weakened[module.site(name)] = true;
	return options;
}

Followed follow(const Module &module, const Request &request, const Schedule &schedule,
		bool threads_only)
{
	auto replay = std::make_unique<ReplaySearch>(schedule, threads_only);
	const ReplaySearch &search = *replay;
	Session session(module, request, options_of(request, module), std::move(replay));
	explore(session);
	return {session.runtime().execution(), session.schedule(), search.diverged_at(),
		session.runtime().problem()};
}

namespace {

// The violation of @wanted's type and text, or null.
const Found *find(const std::vector<Found> &violations, const Violation &wanted)
{
	const auto found = std::find_if(violations.begin(), violations.end(), [&](const Found &v) {
		return v.type == wanted.type && v.text == wanted.text;
	});
	return found == violations.end() ? nullptr : &*found;
}

// Which thread to run, event by event. An event that the engine does not wait
// for (a fence that other threads cannot see) is no choice.
Schedule threads_of(const Execution &execution, const Linear &linear)
{
	Schedule schedule;
	for (int event : linear.events)
		if (execution.events[event].awaited)
			schedule.push_back(execution.events[event].thread);
	return schedule;
}

} // namespace

bool tell_again(const Module &module, const Request &request, Teller &teller, Story &story)
{
	Followed followed = follow(module, request, story.schedule);
	if (followed.diverged_at >= 0 || !followed.error.empty())
		return false;
	std::vector<Found> violations =
		check_invariants(followed.execution, module, model_of(request));
	if (const Found *found = find(violations, story.violation)) {
		const Order order(followed.execution, Order::Edges::po_rf_co_fr);
		const Linear linear = linearize(followed.execution, order, found->stages);
		const Schedule threads = threads_of(followed.execution, linear);
		Followed better = follow(module, request, threads, true);
		auto again = check_invariants(better.execution, module, model_of(request));
		// Under weak memory another interleaving may read other values.
		if (const Found *same = find(again, story.violation);
		    !linear.events.empty() && same && better.error.empty()) {
			story.violation = *same;
			story.schedule = better.schedule;
			followed = std::move(better);
			violations = std::move(again);
		}
	}
	story.also.clear();
	for (const Found &other : violations)
		if (other.type != story.violation.type)
			story.also.push_back(other);
	teller.tell(followed.execution, story);
	return true;
}

} // namespace wakerace
