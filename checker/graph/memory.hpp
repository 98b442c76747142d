// SPDX-License-Identifier: GPL-2.0-or-later
//
// A memory model as the graph engine asks for it. All models here share what
// the exploration rests on (TruSt, POPL 2022): program order and reads-from have
// no cycle, removing the nodes at the end keeps a graph consistent, and so does
// adding one that reads, or is written, last in coherence order.
#pragma once

#include "checker/graph/graph.hpp"

#include <memory>
#include <string>
#include <utility>

namespace wakerace {

class Memory {
public:
	virtual ~Memory() = default;

	// How many numbers the model keeps of each node.
	virtual unsigned width(unsigned threads) const
	{
		(void)threads;
		return 0;
	}
	// A node is new, or what it reads is: fills its view.
	virtual void added(Graph &graph, int node) { (void)graph, (void)node; }
	// Whether the graph is consistent, given that it is without @node, or
	// without the edges of @node where other new ones are asked for, too. The
	// node is the last one of its thread. Atomicity is the explorer's.
	bool consistent(const Graph &graph, int node)
	{
		const int next = graph.next_write(node);
		return next == Node::none || allows(graph, node, next);
	}
	// Pairs of accesses that race, one for each cell that has some.
	virtual std::vector<std::pair<int, int>> races(const Graph &graph)
	{
		(void)graph;
		return {};
	}

private:
	// The same for a node that is not the newest: of its edges only the one to
	// @next, the write behind it in coherence order, leaves it.
	virtual bool allows(const Graph &graph, int node, int next) = 0;
};

std::unique_ptr<Memory> make_sc();
std::unique_ptr<Memory> make_tso();
std::unique_ptr<Memory> make_rc11();
std::unique_ptr<Memory> make_lkmm();

// By name; null if there is none of this name.
std::unique_ptr<Memory> make_memory(const std::string &model);

} // namespace wakerace
