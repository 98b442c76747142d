// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/execution/execution.hpp"

namespace wakerace {

void Execution::clear(unsigned threads, size_t cells)
{
	events.clear();
	notes.clear();
	calls.clear();
	findings.clear();
	waiting.clear();
	by_thread.resize(threads);
	for (auto &thread : by_thread)
		thread.clear();
	coherence.resize(cells);
	for (auto &order : coherence)
		order.clear();
	outcome.clear();
	ending = Ending::complete;
}

unsigned Execution::context_switches(size_t count) const
{
	unsigned switches = 0;
	for (size_t i = 1; i < count; ++i)
		switches += events[i].thread != events[i - 1].thread;
	return switches;
}

} // namespace wakerace
