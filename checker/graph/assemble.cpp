// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/assemble.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace wakerace {

namespace {

using Kind = Label::Kind;

class Assembler {
public:
	Assembler(const Graph &graph, const NativeThreads &threads, Assembled &result)
	    : graph_(graph), threads_(threads), execution_(result.execution),
	      schedule_(result.schedule), next_(graph.threads()), event_(graph.size(), -1),
	      emitted_(graph.size())
	{
	}

	void run(const std::vector<uint64_t> &initial, size_t cells)
	{
		execution_.clear(graph_.threads(), cells);
		execution_.initial.assign(initial.begin(), initial.begin() + cells);
		newest_.assign(initial.size(), Node::none);
		for (unsigned thread = 0; (thread = pick(thread)) < graph_.threads();)
			emit(thread);
		for (size_t cell = 0; cell < cells; ++cell)
			for (int write = graph_.first_write(static_cast<int>(cell));
			     write != Node::none; write = graph_[write].after)
				execution_.coherence[cell].push_back(event_[write]);
		for (unsigned t = 0; t < graph_.threads(); ++t)
			add_record(t);
	}

private:
	const Graph &graph_;
	const NativeThreads &threads_;
	Execution &execution_;
	Schedule &schedule_;
	std::vector<size_t> next_;
	std::vector<int> event_;    // by node
	std::vector<bool> emitted_; // by node
	std::vector<int> newest_;   // by cell: the write that was emitted last

	int first_left(unsigned thread) const
	{
		const auto &nodes = graph_.of(thread);
		return next_[thread] < nodes.size() ? nodes[next_[thread]] : Node::none;
	}

	// The same thread as long as it goes; one whose read or write is not in
	// coherence order only if no other can.
	unsigned pick(unsigned last) const
	{
		for (const bool in_order : {true, false})
			for (unsigned i = 0; i < graph_.threads(); ++i) {
				const unsigned t = (last + i) % graph_.threads();
				const int node = first_left(t);
				if (node != Node::none && ready(node, in_order))
					return t;
			}
		return graph_.threads();
	}

	bool emitted(int node) const { return node == Node::none || emitted_[node]; }

	bool ready(int node, bool in_order) const
	{
		const Node &n = graph_[node];
		if (n.kind == Kind::read)
			return emitted(n.source) && (!in_order || n.source == newest_[n.cell]);
		if (n.kind != Kind::write || !in_order)
			return true;
		if (!emitted(n.before))
			return false;
		for (int read = graph_.last_reader(n.cell); read != Node::none;
		     read = graph_[read].reader)
			if (graph_[read].source == n.before && !emitted_[read] &&
			    graph_[read].thread != n.thread)
				return false;
		return true;
	}

	// How many writes before @node in coherence order are there already.
	int place(int write) const
	{
		int count = 0;
		for (; write != Node::none; write = graph_[write].before)
			count += emitted_[write];
		return count;
	}

	void emit(unsigned thread)
	{
		const int node = first_left(thread);
		const Node &n = graph_[node];
		schedule_.push_back(static_cast<int>(thread));
		if (n.kind == Kind::read)
			schedule_.push_back(-1 - place(n.source));
		else if (n.kind == Kind::write)
			schedule_.push_back(-1 - place(n.before));
		else if (n.kind == Kind::choice)
			schedule_.push_back(-1 - static_cast<int>(n.value));
		// A wait that goes on waiting is no event.
		if (!n.hidden && !graph_.refuses(node))
			add_event(node, n);
		take(thread, node);
		const int half = first_left(thread);
		if (half != Node::none && graph_[half].half) {
			if (!n.hidden)
				add_half(event_[node], half);
			take(thread, half);
		}
	}

	void take(unsigned thread, int node)
	{
		emitted_[node] = true;
		++next_[thread];
		if (graph_[node].kind == Kind::write)
			newest_[graph_[node].cell] = node;
	}

	void add_event(int node, const Node &n)
	{
		const int number = static_cast<int>(execution_.events.size());
		event_[node] = number;
		Event &event = execution_.events.emplace_back();
		event.thread = n.thread;
		event.kind = n.kind == Kind::read    ? EventKind::read
			     : n.kind == Kind::write ? EventKind::write
						     : EventKind::fence;
		event.role = n.role;
		event.order = n.rmw && !succeeds(n, n.value) ? WR_ONCE : n.order;
		event.fence = n.fence;
		event.cell = n.cell;
		event.place = n.place;
		event.primitive = n.primitive;
		event.position = static_cast<int>(execution_.by_thread[n.thread].size());
		execution_.by_thread[n.thread].push_back(number);
		if (n.kind == Kind::read) {
			event.value = n.value;
			event.reads_from =
				n.source == Node::none ? Event::initial : event_[n.source];
			event.stale = n.source != newest_[n.cell];
		} else if (n.kind == Kind::write) {
			write(event, n);
		}
	}

	void add_half(int number, int node)
	{
		Event &event = execution_.events[number];
		event_[node] = number;
		event.kind = EventKind::rmw;
		write(event, graph_[node]);
	}

	void write(Event &event, const Node &n)
	{
		event.written = n.value;
		event.coherence = n.position;
		event.before = graph_.value_of(n.cell, newest_[n.cell]);
	}

	void add_record(unsigned thread)
	{
		const Record &record = threads_.record(thread);
		const auto &events = execution_.by_thread[thread];
		const uint8_t t = static_cast<uint8_t>(thread);
		for (const Record::Note &note : record.notes)
			if (note.event < static_cast<int>(events.size()))
				execution_.notes.push_back(
					{events[note.event], note.kind, note.place, note.item, t});
		for (const Record::Call &call : record.calls)
			execution_.calls.push_back({t, call.kind, call.subject, call.result,
						    call.first, call.last, call.returned});
		for (const Record::Finding &finding : record.findings) {
			execution_.findings.push_back({finding.type, finding.text, {}});
			if (finding.event >= 0 && finding.event < static_cast<int>(events.size()))
				execution_.findings.back().events = {events[finding.event]};
		}
	}

public:
	void add_races(const Module &module, Memory &memory)
	{
		for (const auto &[a, b] : memory.races(graph_)) {
			const auto events = std::minmax(event_[a], event_[b]);
			execution_.findings.push_back(
				{"DATA_RACE",
				 fmt::format("accesses to {} race: nothing orders them",
					     module.cell_name(graph_[a].cell)),
				 {events.first, events.second}});
		}
	}
};

} // namespace

Assembled assemble(const Graph &graph, const NativeThreads &threads, Memory &memory)
{
	Assembled result;
	Assembler assembler(graph, threads, result);
	assembler.run(threads.initial(), threads.module().cells().size());
	assembler.add_races(threads.module(), memory);
	return result;
}

} // namespace wakerace
