// SPDX-License-Identifier: GPL-2.0-or-later
//
// x86-TSO (Owens, Sarkar, Sewell 2009; in this form Alglave, Maranget, Tautschnig
// 2014): each thread has a buffer of stores that only it can see.
//
//   acyclic(po-loc | rf | co | fr)                    coherence
//   acyclic(ppo | rfe | co | fr)
//
// with ppo = po without a store before a load, unless a full barrier or an atomic
// read-modify-write is between them or one of them. What the kernel asks for
// beyond full barriers, x86 gives to every access.
#include "checker/graph/memory.hpp"
#include "checker/graph/views.hpp"

#include <algorithm>
#include <array>

namespace wakerace {

namespace {

using Kind = Label::Kind;

bool drains(const Graph &graph, int node)
{
	const Node &n = graph[node];
	if (n.kind == Kind::fence)
		return n.fence == WR_FENCE_MB;
	return n.half || (n.kind == Kind::read && succeeds(n, n.value));
}

// What comes before a node. Of each thread: the nodes up to which all do, and
// those up to which all but stores do.
class Past {
public:
	Past(const Graph &graph, int node) : graph_(graph), taken_(graph.size())
	{
		take_ordered_before(node);
		take_sources(node);
		while (!open_.empty()) {
			const int next = open_.back();
			open_.pop_back();
			take_ordered_before(next);
			take_sources(next);
		}
	}

	bool contains(int node) const
	{
		const Node &n = graph_[node];
		return n.index < all_[n.thread] ||
		       (n.index < loads_[n.thread] && !is_store(node)) || taken_[node];
	}

private:
	const Graph &graph_;
	std::array<int, WR_THREADS_MAX> all_{};
	std::array<int, WR_THREADS_MAX> loads_{};
	std::vector<bool> taken_; // by node: whether it was taken by itself
	std::vector<int> open_;

	bool is_store(int node) const
	{
		return graph_[node].kind == Kind::write && !graph_[node].half;
	}

	void take(int node)
	{
		if (node == Node::none || contains(node))
			return;
		taken_[node] = true;
		open_.push_back(node);
	}

	// What ppo puts before @node.
	void take_ordered_before(int node)
	{
		const Node &n = graph_[node];
		const auto &order = graph_.of(n.thread);
		const bool load = n.kind == Kind::read && !drains(graph_, node);
		int index = n.index - 1;
		for (; load && index >= all_[n.thread]; --index) {
			if (drains(graph_, order[index]))
				break;
			if (!is_store(order[index]))
				take_sources(order[index]);
		}
		loads_[n.thread] = std::max(loads_[n.thread], n.index);
		for (; index >= all_[n.thread]; --index)
			take_sources(order[index]);
		all_[n.thread] = std::max(all_[n.thread], load ? drained(n) : n.index);
	}

	// How many nodes of its thread come before a load up to the last barrier.
	int drained(const Node &n) const
	{
		const auto &order = graph_.of(n.thread);
		int index = n.index;
		while (index > 0 && !drains(graph_, order[index - 1]))
			--index;
		return index;
	}

	void take_sources(int node)
	{
		const Node &n = graph_[node];
		if (n.kind == Kind::read) {
			if (n.source != Node::none && graph_[n.source].thread != n.thread)
				take(n.source);
		} else if (n.kind == Kind::write) {
			take(n.before);
			for (int read = graph_.last_reader(n.cell); read != Node::none;
			     read = graph_[read].reader)
				if (graph_[read].source == n.before)
					take(read);
		}
	}
};

class Tso : public Memory {
public:
	bool allows(const Graph &graph, int node, int next) override
	{
		return coherent_in_thread(graph, node) && !Past(graph, node).contains(next);
	}

	std::vector<std::pair<int, int>> races(const Graph &graph) override
	{
		return races_by_prefix(graph);
	}
};

} // namespace

std::unique_ptr<Memory> make_tso()
{
	return std::make_unique<Tso>();
}

} // namespace wakerace
