// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sequential consistency: po, rf, co and fr together have no cycle (Shasha and
// Snir 1988; in this form Alglave, Maranget, Tautschnig 2014).
#include "checker/graph/memory.hpp"
#include "checker/graph/views.hpp"

#include <array>

namespace wakerace {

namespace {

// What comes before a node, as the number of nodes by thread.
class Past {
public:
	Past(const Graph &graph, int node) : graph_(graph)
	{
		take(node);
		while (!open_.empty()) {
			const unsigned thread = open_.back();
			open_.pop_back();
			const auto &order = graph.of(thread);
			while (done_[thread] < seen_[thread])
				take_sources(order[done_[thread]++]);
		}
	}

	bool contains(int node) const { return graph_[node].index < seen_[graph_[node].thread]; }

private:
	const Graph &graph_;
	std::array<int, WR_THREADS_MAX> seen_{};
	std::array<int, WR_THREADS_MAX> done_{};
	std::vector<unsigned> open_;

	void take(int node)
	{
		if (node == Node::none || contains(node))
			return;
		const Node &n = graph_[node];
		if (seen_[n.thread] == done_[n.thread])
			open_.push_back(n.thread);
		seen_[n.thread] = n.index + 1;
	}

	// Within a thread the later nodes bring the earlier ones.
	void take_sources(int node)
	{
		const Node &n = graph_[node];
		if (n.kind == Label::Kind::read) {
			take(n.source);
		} else if (n.kind == Label::Kind::write) {
			take(n.before);
			for (int read = graph_.last_reader(n.cell); read != Node::none;
			     read = graph_[read].reader)
				if (graph_[read].source == n.before)
					take(read);
		}
	}
};

class Sc : public Memory {
public:
	bool allows(const Graph &graph, int node, int next) override
	{
		return !Past(graph, node).contains(next);
	}

	std::vector<std::pair<int, int>> races(const Graph &graph) override
	{
		return races_by_prefix(graph);
	}
};

} // namespace

std::unique_ptr<Memory> make_sc()
{
	return std::make_unique<Sc>();
}

} // namespace wakerace
