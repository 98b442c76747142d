// SPDX-License-Identifier: GPL-2.0-or-later
//
// FALSE_IDLE, FALSE_IDLE_INSTANT and STACKED: an observer thinks that a place
// has nothing to do although work is committed to it.
#include "checker/invariant/invariant.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace wakerace {

void check_false_idle(const Case &c)
{
	const auto works = intervals(c, WR_WORK_COMMIT, WR_WORK_DONE);
	for (const Call &call : c.execution.calls) {
		if (call.kind != WR_CALL_IDLE || !call.returned || !call.result)
			continue;
		const std::vector<int> reads = reads_of(c, call);
		for (const Interval &work : works) {
			if (work.place != call.subject || !covers(c, work, reads))
				continue;
			c.found("FALSE_IDLE",
				fmt::format(
					"{} asked whether {} is idle and was told yes, although "
					"{} was committed to {} the whole time",
					c.module.place_name(call.thread),
					c.module.place_name(call.subject),
					c.module.item_name(work.item),
					c.module.place_name(work.place)),
				stages_of(work, reads));
		}
	}
}

namespace {

// A moment is a cut through the graph: all that has happened by then. For each
// field that decides whether a place looks idle, a cut shows one write (the
// co-last one inside) and not yet the next one.
struct Shown {
	int write = -1; // -1: the initial value
	int next = -1;  // -1: never overwritten
};

// The writes to a view's cell after which it looks idle.
std::vector<Shown> idle_moments(const Case &c, const wr_idle_view &view)
{
	const int cell = c.module.view_cell(view);
	std::vector<Shown> moments;
	if (cell < 0)
		return moments;
	const auto &order = c.execution.coherence[cell];
	if (c.execution.initial[cell] == view.idle_value)
		moments.push_back({-1, order.empty() ? -1 : order[0]});
	for (size_t i = 0; i < order.size(); ++i)
		if (c.execution.events[order[i]].written == view.idle_value)
			moments.push_back({order[i], i + 1 < order.size() ? order[i + 1] : -1});
	return moments;
}

// Whether there is a cut that holds all of @inside and none of @outside, and
// for each of @views from @first on one of its idle moments. The moments chosen
// are appended to @inside.
bool find_cut(const Order &order, const std::vector<std::vector<Shown>> &views, size_t first,
	      std::vector<int> &inside, std::vector<int> &outside)
{
	auto separable = [&] {
		for (int out : outside)
			for (int in : inside)
				if (order.before_or_same(out, in))
					return false;
		return true;
	};
	if (!separable())
		return false;
	if (first == views.size())
		return true;
	for (const Shown &shown : views[first]) {
		const size_t in = inside.size(), out = outside.size();
		if (shown.write >= 0)
			inside.push_back(shown.write);
		if (shown.next >= 0)
			outside.push_back(shown.next);
		if (find_cut(order, views, first + 1, inside, outside))
			return true;
		inside.resize(in);
		outside.resize(out);
	}
	return false;
}

} // namespace

void check_false_idle_instant(const Case &c)
{
	const wr_module &m = c.module.description();
	// Under weaker models a cut need not be closed under from-reads.
	std::optional<Order> weaker;
	if (c.model != Model::sc)
		weaker.emplace(c.execution, Order::Edges::po_rf_co);
	const Order &order = weaker ? *weaker : c.order;
	for (const Interval &work : intervals(c, WR_WORK_COMMIT, WR_WORK_DONE)) {
		std::vector<std::vector<Shown>> views;
		for (unsigned i = 0; i < m.idle_view_count; ++i)
			if (m.idle_views[i].place == work.place)
				views.push_back(idle_moments(c, m.idle_views[i]));
		std::vector<int> inside{work.begin};
		std::vector<int> outside;
		if (work.end != Interval::open)
			outside.push_back(work.end);
		if (views.empty() || !find_cut(order, views, 0, inside, outside))
			continue;
		std::sort(inside.begin() + 1, inside.end());
		inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
		c.found("FALSE_IDLE_INSTANT",
			fmt::format("there is an instant at which all that is read to see whether "
				    "{} is "
				    "idle says yes, although {} is committed to it",
				    c.module.place_name(work.place), c.module.item_name(work.item)),
			{std::move(inside), std::move(outside)});
	}
}

namespace {

bool initially_idle(const Case &c, unsigned place)
{
	const wr_module &m = c.module.description();
	for (unsigned i = 0; i < m.idle_view_count; ++i) {
		const wr_idle_view &view = m.idle_views[i];
		const int cell = c.module.view_cell(view);
		if (view.place == place && cell >= 0 &&
		    c.execution.initial[cell] != view.idle_value)
			return false;
	}
	return true;
}

// Under weak memory two events may each be before the other, by stale reads:
// then neither order is certain.
bool surely_before(const Case &c, int first, int second)
{
	return c.order.before(first, second) && !c.order.before(second, first);
}

// Whether nothing is committed to @place between the first and the last of
// @reads, whatever the interleaving.
bool free_throughout(const Case &c, unsigned place, const std::vector<Interval> &works,
		     const std::vector<int> &reads)
{
	return initially_idle(c, place) &&
	       std::all_of(works.begin(), works.end(), [&](const Interval &work) {
		       return work.place != place || surely_before(c, reads.back(), work.begin) ||
			      (work.end != Interval::open &&
			       surely_before(c, work.end, reads.front()));
	       });
}

// Another place than the chosen one where the item of @call might have gone.
std::optional<unsigned> free_place(const Case &c, const Call &call,
				   const std::vector<Interval> &works,
				   const std::vector<int> &reads)
{
	const wr_module &m = c.module.description();
	const uint32_t allowed = m.allowed_places ? m.allowed_places(call.subject) : ~0u;
	for (unsigned place = 0; place < m.place_count; ++place)
		if (place != call.result && allowed >> place & 1 &&
		    free_throughout(c, place, works, reads))
			return place;
	return std::nullopt;
}

} // namespace

// An item was sent to a place that another one's work occupied during the whole
// selection, while a third place was free. Two selections in lockstep, each
// over before the other commits, are not that: nothing they read could tell.
void check_stacked(const Case &c)
{
	const auto works = intervals(c, WR_WORK_COMMIT, WR_WORK_DONE);
	for (const Call &call : c.execution.calls) {
		if (call.kind != WR_CALL_SELECT || !call.returned || call.result == WR_NOWHERE)
			continue;
		const std::vector<int> reads = reads_of(c, call);
		for (const Interval &other : works) {
			if (other.item == call.subject || other.place != call.result ||
			    !covers(c, other, reads))
				continue;
			const auto place = free_place(c, call, works, reads);
			if (!place)
				continue;
			c.found("STACKED",
				fmt::format("{} was placed on {}, to which {} was committed "
					    "during the whole selection, while {} was free",
					    c.module.item_name(call.subject),
					    c.module.place_name(call.result),
					    c.module.item_name(other.item),
					    c.module.place_name(*place)),
				stages_of(other, reads));
		}
	}
}

} // namespace wakerace
