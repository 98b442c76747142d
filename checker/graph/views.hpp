// SPDX-License-Identifier: GPL-2.0-or-later
//
// Happens-before as C++ has it, which rc11 is built on and by which plain
// accesses race: program order, and from a release to each acquire that sees it,
// by way of fences and of a release sequence (rs = [W];(rf;rmw)*, C++20). Kept of
// each node as how far each thread had come when it happened: 1 + 2i is node i,
// 2 + 2i the full barrier after it if that is part of it. It depends on the node's
// prefix alone.
#pragma once

#include "checker/graph/graph.hpp"

#include <utility>
#include <vector>

namespace wakerace {

class Views {
public:
	static unsigned width(unsigned threads) { return 4 * threads; }
	// Fills the view of a node from those before it.
	static void fill(Graph &graph, int node);

	// Whether @node is among what @view says has happened.
	static bool includes(const Graph &graph, int node, const uint16_t *view)
	{
		return 2 * graph[node].index < view[graph[node].thread];
	}
	// What happens before @node; that is one of them.
	static const uint16_t *before(const Graph &graph, int node) { return graph.view(node); }
	// The same, and what an acquire fence after @node would add.
	static std::vector<uint16_t> before_fence(const Graph &graph, int node);
	// Accesses of which one is plain and neither happens before the other: a pair
	// for each cell that has some.
	static std::vector<std::pair<int, int>> races(const Graph &graph);
};

// The same where every access synchronizes: by program order and reads-from.
std::vector<std::pair<int, int>> races_by_prefix(const Graph &graph);

// Whether a full barrier comes right before and after the read-modify-write
// whose half @node is.
inline bool is_full(const Node &node)
{
	return node.order == WR_FULL &&
	       (node.half || (node.kind == Label::Kind::read && succeeds(node, node.value)));
}

// No write, and no read's source, in @view comes later in coherence order than
// what @node reads or follows.
bool coherent(const Graph &graph, int node, const uint16_t *view);
// The same as far as the thread of @node goes by itself: all threads together,
// po-loc, rf, co and fr have no cycle.
bool coherent_in_thread(const Graph &graph, int node);

} // namespace wakerace
