// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/execution/order.hpp"

#include <algorithm>
#include <bit>

namespace wakerace {

namespace {

// Coherence successors of the write that @reader reads.
int next_write_after(const Execution &execution, const Event &reader)
{
	const auto &order = execution.coherence[reader.cell];
	size_t position = 0; // of the write read, counted from 1; 0 is initial
	if (reader.reads_from >= 0)
		position = execution.events[reader.reads_from].coherence;
	return position < order.size() ? order[position] : -1;
}

} // namespace

Order::Order(const Execution &execution, Edges edges)
    : words_((execution.events.size() + 63) / 64), past_(words_ * execution.events.size())
{
	const int count = static_cast<int>(execution.events.size());
	std::vector<std::vector<int>> predecessors(count);
	bool topological = true; // every edge goes forward in the interleaving
	auto edge = [&](int from, int to) {
		if (from == to)
			return; // an rmw does not precede itself
		predecessors[to].push_back(from);
		topological &= from < to;
	};
	for (const auto &thread : execution.by_thread)
		for (size_t i = 1; i < thread.size(); ++i)
			edge(thread[i - 1], thread[i]);
	for (const auto &order : execution.coherence)
		for (size_t i = 1; i < order.size(); ++i)
			edge(order[i - 1], order[i]);
	for (int i = 0; i < count; ++i) {
		const Event &event = execution.events[i];
		if (!event.reads())
			continue;
		if (event.reads_from >= 0)
			edge(event.reads_from, i);
		if (edges == Edges::po_rf_co_fr)
			if (int next = next_write_after(execution, event); next >= 0)
				edge(i, next);
	}
	close(predecessors, topological);
}

size_t Order::past_size(const std::vector<int> &events) const
{
	std::vector<uint64_t> past(words_);
	for (int event : events) {
		past[event / 64] |= uint64_t{1} << (event % 64);
		for (size_t word = 0; word < words_; ++word)
			past[word] |= past_[event * words_ + word];
	}
	size_t size = 0;
	for (uint64_t word : past)
		size += static_cast<size_t>(std::popcount(word));
	return size;
}

void Order::add_edge(int from, int to)
{
	for (size_t word = 0; word < words_; ++word)
		past_[to * words_ + word] |= past_[from * words_ + word];
	past_[to * words_ + from / 64] |= uint64_t{1} << (from % 64);
}

void Order::close(const std::vector<std::vector<int>> &predecessors, bool topological)
{
	const int count = static_cast<int>(predecessors.size());
	bool again = true;
	// One pass is enough when all edges go forward; a stale read adds edges
	// that go back, and then the passes go on until nothing changes.
	while (again) {
		again = false;
		for (int to = 0; to < count; ++to) {
			const size_t row = to * words_;
			const std::vector<uint64_t> old(past_.begin() + row,
							past_.begin() + row + words_);
			for (int from : predecessors[to])
				add_edge(from, to);
			again |= !topological &&
				 !std::equal(old.begin(), old.end(), past_.begin() + row);
		}
	}
}

} // namespace wakerace
