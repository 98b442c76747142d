// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/invariant/invariant.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

std::vector<Interval> intervals(const Case &c, wr_note_kind begin, wr_note_kind end)
{
	std::vector<Interval> found;
	for (const Note &note : c.execution.notes) {
		if (note.kind != begin || note.event < 0)
			continue;
		Interval interval{note.place, note.item, note.event, Interval::open};
		for (const Note &other : c.execution.notes)
			if (other.kind == end && other.event >= 0 && other.place == note.place &&
			    other.item == note.item && c.order.before(note.event, other.event) &&
			    (interval.end == Interval::open || other.event < interval.end))
				interval.end = other.event;
		found.push_back(interval);
	}
	return found;
}

bool overlap(const Case &c, const Interval &a, const Interval &b)
{
	auto ends_before = [&](const Interval &first, const Interval &second) {
		return first.end != Interval::open &&
		       c.order.before_or_same(first.end, second.begin);
	};
	return !ends_before(a, b) && !ends_before(b, a);
}

namespace {

bool is_idle_view_of(const Module &module, unsigned place, int cell)
{
	const wr_module &m = module.description();
	for (unsigned i = 0; i < m.idle_view_count; ++i) {
		const wr_idle_view &view = m.idle_views[i];
		if (view.place == place && module.view_cell(view) == cell)
			return true;
	}
	return false;
}

} // namespace

std::vector<int> reads_of(const Case &c, const Call &call)
{
	std::vector<int> reads;
	const auto &thread = c.execution.by_thread[call.thread];
	for (int position = call.first; position <= call.last; ++position) {
		const Event &event = c.execution.events[thread[position]];
		if (event.reads() && (call.kind != WR_CALL_IDLE ||
				      is_idle_view_of(c.module, call.subject, event.cell)))
			reads.push_back(thread[position]);
	}
	return reads;
}

bool covers(const Case &c, const Interval &stay, const std::vector<int> &reads)
{
	return !reads.empty() && std::none_of(reads.begin(), reads.end(), [&](int read) {
		return c.order.before_or_same(read, stay.begin) ||
		       (stay.end != Interval::open && c.order.before_or_same(stay.end, read));
	});
}

Stages stages_of(const Interval &stay, const std::vector<int> &reads)
{
	Stages stages{{stay.begin}, reads, {}};
	if (stay.end != Interval::open)
		stages.back().push_back(stay.end);
	return stages;
}

// The steps that a story shows are those before the last stage.
void Case::found(std::string type, std::string text, Stages stages) const
{
	Found found;
	found.type = std::move(type);
	found.text = std::move(text);
	for (size_t stage = 0; stage + 1 < stages.size(); ++stage)
		found.steps.insert(found.steps.end(), stages[stage].begin(), stages[stage].end());
	found.events = order.past_size({found.steps.begin(), found.steps.end()});
	found.stages = std::move(stages);
	violations.push_back(std::move(found));
}

void Case::found_at_end(std::string type, std::string text, std::vector<unsigned> steps) const
{
	Found found;
	found.type = std::move(type);
	found.text = std::move(text);
	found.steps = std::move(steps);
	found.events = execution.events.size();
	violations.push_back(std::move(found));
}

namespace {

void check_findings(const Case &c)
{
	for (const Finding &finding : c.execution.findings)
		if (finding.events.empty())
			c.found_at_end(finding.type, finding.text, {});
		else
			c.found(finding.type, finding.text, {finding.events, {}});
}

void check_deadlock(const Case &c)
{
	if (c.execution.ending != Ending::blocked)
		return;
	std::string text;
	for (const Waiting &waiting : c.execution.waiting) {
		if (waiting.wait != WR_WAIT_MUST_END)
			continue;
		text += fmt::format("{}{} waits for ever for {}", text.empty() ? "" : "; ",
				    c.module.place_name(waiting.thread),
				    c.module.cell_name(waiting.cell));
	}
	c.found_at_end("DEADLOCK", std::move(text), {});
}

} // namespace

std::vector<Found> check_invariants(const Execution &execution, const Module &module, Model model)
{
	std::vector<Found> violations;
	const Order order(execution, Order::Edges::po_rf_co_fr);
	const Case c{execution, module, model, order, violations};
	check_false_idle(c);
	check_false_idle_instant(c);
	check_stacked(c);
	check_needless_search(c);
	check_needless_ipi(c);
	check_owners(c);
	check_queues(c);
	check_wakeups(c);
	check_findings(c);
	check_deadlock(c);
	return violations;
}

} // namespace wakerace
