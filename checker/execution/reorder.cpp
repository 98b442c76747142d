// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/execution/reorder.hpp"

#include <algorithm>

namespace wakerace {

namespace {

void work_out_newest(Execution &execution)
{
	std::vector<int> newest(execution.coherence.size(), Event::initial);
	for (size_t i = 0; i < execution.events.size(); ++i) {
		Event &event = execution.events[i];
		if (event.cell < 0)
			continue;
		int &last = newest[event.cell];
		if (event.reads())
			event.stale = event.reads_from != last;
		if (!event.writes())
			continue;
		event.before = last == Event::initial ? execution.initial[event.cell]
						      : execution.events[last].written;
		last = static_cast<int>(i);
	}
}

} // namespace

Execution reordered(const Execution &execution, const std::vector<int> &order)
{
	Execution result = execution;
	std::vector<int> place(order.size());
	for (size_t i = 0; i < order.size(); ++i)
		place[order[i]] = static_cast<int>(i);
	const auto move = [&](int &event) {
		if (event >= 0)
			event = place[event];
	};
	for (size_t i = 0; i < order.size(); ++i) {
		result.events[i] = execution.events[order[i]];
		move(result.events[i].reads_from);
	}
	for (auto *lists : {&result.by_thread, &result.coherence})
		for (std::vector<int> &list : *lists)
			std::for_each(list.begin(), list.end(), move);
	for (Note &note : result.notes)
		move(note.event);
	for (Finding &finding : result.findings)
		std::for_each(finding.events.begin(), finding.events.end(), move);
	work_out_newest(result);
	return result;
}

} // namespace wakerace
