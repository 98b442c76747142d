// SPDX-License-Identifier: GPL-2.0-or-later
//
// RUNNING_TWICE, DOUBLE_ENQUEUE, NODE_REUSED and LOST_WAKEUP: an item is in two
// states that exclude each other, or in none.
#include "checker/invariant/invariant.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

namespace {

// Queues from this number on are lists of nodes in flight; below are those
// that a place serves itself.
constexpr unsigned first_list = 100;

template <typename Report>
void for_each_overlap(const Case &c, const std::vector<Interval> &stays, Report report)
{
	for (size_t i = 0; i < stays.size(); ++i)
		for (size_t j = i + 1; j < stays.size(); ++j)
			if (stays[i].item == stays[j].item && overlap(c, stays[i], stays[j]))
				report(stays[i], stays[j]);
}

// Both have begun, and neither has ended.
Stages stages_of(const Interval &a, const Interval &b)
{
	Stages stages{{a.begin, b.begin}, {}};
	for (const Interval &stay : {a, b})
		if (stay.end != Interval::open)
			stages.back().push_back(stay.end);
	return stages;
}

} // namespace

void check_owners(const Case &c)
{
	const auto stays = intervals(c, WR_OWNER_BEGIN, WR_OWNER_END);
	for_each_overlap(c, stays, [&](const Interval &a, const Interval &b) {
		c.found("RUNNING_TWICE",
			fmt::format("{} and {} use {} at the same time",
				    c.module.place_name(a.place), c.module.place_name(b.place),
				    c.module.item_name(a.item)),
			stages_of(a, b));
	});
}

void check_queues(const Case &c)
{
	std::vector<Interval> queued = intervals(c, WR_QUEUE_IN, WR_QUEUE_OUT);
	const auto lists =
		std::stable_partition(queued.begin(), queued.end(),
				      [](const Interval &stay) { return stay.place < first_list; });
	const std::vector<Interval> in_flight(lists, queued.end());
	queued.erase(lists, queued.end());
	for_each_overlap(c, queued, [&](const Interval &a, const Interval &b) {
		c.found("DOUBLE_ENQUEUE",
			fmt::format("{} is queued on {} and on {} at the same time",
				    c.module.item_name(a.item), c.module.place_name(a.place),
				    c.module.place_name(b.place)),
			stages_of(a, b));
	});
	for_each_overlap(c, in_flight, [&](const Interval &a, const Interval &b) {
		c.found("NODE_REUSED",
			fmt::format("the list node of {} is pushed again while it is in flight",
				    c.module.item_name(a.item)),
			stages_of(a, b));
	});
}

// When all is quiet every wakeup has been followed by its task running, or the
// task has never stopped.
void check_wakeups(const Case &c)
{
	if (c.execution.ending != Ending::complete)
		return;
	const auto &notes = c.execution.notes;
	const auto owned = intervals(c, WR_OWNER_BEGIN, WR_OWNER_END);
	auto still_runs = [&](unsigned item) {
		return std::any_of(owned.begin(), owned.end(), [&](const Interval &stay) {
			return stay.item == item && stay.end == Interval::open;
		});
	};
	for (const Note &wake : notes) {
		if (wake.kind != WR_WAKE || wake.event < 0)
			continue;
		const bool ran = std::any_of(notes.begin(), notes.end(), [&](const Note &run) {
			return run.kind == WR_RUN && run.event >= 0 && run.item == wake.item &&
			       c.order.before_or_same(wake.event, run.event);
		});
		if (!ran && !still_runs(wake.item))
			c.found_at_end("LOST_WAKEUP",
				       fmt::format("{} was woken and never runs again",
						   c.module.item_name(wake.item)),
				       {static_cast<unsigned>(wake.event)});
	}
}

} // namespace wakerace
