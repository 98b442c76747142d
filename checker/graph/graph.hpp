// SPDX-License-Identifier: GPL-2.0-or-later
//
// An execution graph that grows and shrinks: the events so far, program order,
// reads-from and coherence. A node's number is its stamp: nodes are numbered in
// the order in which they were added, and removed in the opposite one. A
// read-modify-write that succeeds is two nodes, one right after the other.
#pragma once

#include "checker/graph/label.hpp"

#include <cstdint>
#include <vector>

namespace wakerace {

struct Node : Label {
	static constexpr int none = -1; // the initial write of a cell, or no node

	uint8_t thread = 0;
	uint8_t term = 0;   // of a wait on several words: the one it read
	bool half = false;  // the second half of a read-modify-write
	int index = 0;      // in program order of its thread, from 0
	uint64_t value = 0; // read or written; the alternative of a choice
	int source = none;  // the write that a read sees
	int position = 0;   // of a write in its cell's coherence order, from 1
	int before = none;  // the writes next to it there
	int after = none;
	int reader = none; // the read of the same cell that was added before this one
};

class Graph {
public:
	// @width is what a memory model keeps of each node, see view().
	Graph(unsigned threads, std::vector<uint64_t> initial, unsigned width);

	unsigned threads() const { return static_cast<unsigned>(order_.size()); }
	int size() const { return static_cast<int>(nodes_.size()); }
	const Node &operator[](int node) const { return nodes_[node]; }
	// The nodes of one thread in program order.
	const std::vector<int> &of(unsigned thread) const { return order_[thread]; }
	int last_of(unsigned thread) const
	{
		return order_[thread].empty() ? Node::none : order_[thread].back();
	}
	// The node before @node in program order.
	int previous(int node) const
	{
		const Node &n = nodes_[node];
		return n.index ? order_[n.thread][n.index - 1] : Node::none;
	}

	int first_write(int cell) const { return cells_[cell].first; }
	int last_write(int cell) const { return cells_[cell].last; }
	int last_reader(int cell) const { return cells_[cell].reader; }
	// The write after @source in the coherence order of @cell.
	int after(int cell, int source) const
	{
		return source == Node::none ? cells_[cell].first : nodes_[source].after;
	}
	// The write behind what @node reads or writes, none if that is the newest.
	int next_write(int node) const
	{
		const Node &n = nodes_[node];
		return n.kind == Label::Kind::read ? after(n.cell, n.source) : n.after;
	}
	int position(int source) const
	{
		return source == Node::none ? 0 : nodes_[source].position;
	}
	uint64_t value_of(int cell, int source) const
	{
		return source == Node::none ? initial_[cell] : nodes_[source].value;
	}
	uint64_t final_value(int cell) const { return value_of(cell, last_write(cell)); }
	// Whether a read-modify-write has taken @source: its write must stay next.
	bool taken(int cell, int source) const
	{
		const int next = after(cell, source);
		return next != Node::none && nodes_[next].half &&
		       nodes_[previous(next)].source == source;
	}

	// The nodes that come before @node by program order and reads-from, as the
	// number of them by thread; @node itself is among them.
	const uint16_t *prefix(int node) const { return &views_[size_t(node) * stride_]; }
	// What the memory model keeps of a node. It may depend on the prefix alone.
	const uint16_t *view(int node) const { return prefix(node) + threads(); }
	uint16_t *view(int node) { return &views_[size_t(node) * stride_ + threads()]; }
	// Whether a wait has been given a value that it does not go on with.
	bool refuses(int node) const
	{
		const Node &n = nodes_[node];
		return n.waits && n.kind == Label::Kind::read && !accepts(n, n.term, n.value);
	}
	bool precedes(int node, const uint16_t *prefix) const
	{
		return nodes_[node].index < prefix[nodes_[node].thread];
	}

	// Appends a node to its thread, which reads @source of @cell, or is written
	// after @source. The value of a write is its operand.
	int add(unsigned thread, const Label &label);
	int add_read(unsigned thread, const Label &label, int cell, int source, unsigned term = 0);
	int add_write(unsigned thread, const Label &label, int source, bool half);
	// Lets a read without successors see another write.
	void read_from(int read, int source);
	// Gives a write another place in its cell's coherence order.
	void move(int write, int source);
	// Removes the node that was added last.
	void pop();
	// This graph without the nodes that are newer than @read and not in @prefix.
	void restrict_to(const Graph &whole, int read, const uint16_t *prefix);

private:
	struct Cell {
		int first = Node::none; // in coherence order
		int last = Node::none;
		int reader = Node::none; // the newest one
	};

	std::vector<Node> nodes_;
	std::vector<std::vector<int>> order_;
	std::vector<Cell> cells_;
	std::vector<uint64_t> initial_;
	unsigned stride_;
	std::vector<uint16_t> views_; // of each node: its prefix, then the model's

	Node &append(unsigned thread, const Label &label);
	void link(int write, int source);
	void unlink(int write);
	void update_prefix(int node);
};

} // namespace wakerace
