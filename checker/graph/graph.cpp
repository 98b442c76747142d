// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/graph.hpp"

#include <algorithm>

namespace wakerace {

Graph::Graph(unsigned threads, std::vector<uint64_t> initial, unsigned width)
    : order_(threads), cells_(initial.size()), initial_(std::move(initial)),
      stride_(threads + width)
{
}

Node &Graph::append(unsigned thread, const Label &label)
{
	Node &node = nodes_.emplace_back();
	static_cast<Label &>(node) = label;
	node.thread = static_cast<uint8_t>(thread);
	node.index = static_cast<int>(order_[thread].size());
	order_[thread].push_back(size() - 1);
	views_.resize(views_.size() + stride_);
	return node;
}

void Graph::update_prefix(int node)
{
	const Node &n = nodes_[node];
	uint16_t *const mine = &views_[size_t(node) * stride_];
	const int previous = this->previous(node);
	if (previous == Node::none)
		std::fill_n(mine, threads(), uint16_t{0});
	else
		std::copy_n(prefix(previous), threads(), mine);
	if (n.kind == Label::Kind::read && n.source != Node::none) {
		const uint16_t *const theirs = prefix(n.source);
		for (unsigned t = 0; t < threads(); ++t)
			mine[t] = std::max(mine[t], theirs[t]);
	}
	mine[n.thread] = static_cast<uint16_t>(n.index + 1);
}

int Graph::add(unsigned thread, const Label &label)
{
	Node &node = append(thread, label);
	node.value = node.operand;
	update_prefix(size() - 1);
	return size() - 1;
}

int Graph::add_read(unsigned thread, const Label &label, int cell, int source, unsigned term)
{
	Node &node = append(thread, label);
	node.cell = cell;
	node.term = static_cast<uint8_t>(term);
	node.source = source;
	node.value = value_of(cell, source);
	node.reader = cells_[cell].reader;
	cells_[cell].reader = size() - 1;
	update_prefix(size() - 1);
	return size() - 1;
}

int Graph::add_write(unsigned thread, const Label &label, int source, bool half)
{
	Node &node = append(thread, label);
	node.kind = Label::Kind::write;
	node.half = half;
	node.value = node.operand;
	link(size() - 1, source);
	update_prefix(size() - 1);
	return size() - 1;
}

void Graph::read_from(int read, int source)
{
	Node &node = nodes_[read];
	node.source = source;
	node.value = value_of(node.cell, source);
	update_prefix(read);
}

void Graph::link(int write, int source)
{
	Node &node = nodes_[write];
	Cell &cell = cells_[node.cell];
	node.before = source;
	node.after = after(node.cell, source);
	(source == Node::none ? cell.first : nodes_[source].after) = write;
	(node.after == Node::none ? cell.last : nodes_[node.after].before) = write;
	node.position = position(source) + 1;
	for (int later = node.after; later != Node::none; later = nodes_[later].after)
		++nodes_[later].position;
}

void Graph::unlink(int write)
{
	const Node &node = nodes_[write];
	Cell &cell = cells_[node.cell];
	(node.before == Node::none ? cell.first : nodes_[node.before].after) = node.after;
	(node.after == Node::none ? cell.last : nodes_[node.after].before) = node.before;
	for (int later = node.after; later != Node::none; later = nodes_[later].after)
		--nodes_[later].position;
}

void Graph::move(int write, int source)
{
	unlink(write);
	link(write, source);
}

void Graph::pop()
{
	const Node &node = nodes_.back();
	if (node.kind == Label::Kind::write)
		unlink(size() - 1);
	else if (node.kind == Label::Kind::read)
		cells_[node.cell].reader = node.reader;
	order_[node.thread].pop_back();
	nodes_.pop_back();
	views_.resize(views_.size() - stride_);
}

void Graph::restrict_to(const Graph &whole, int read, const uint16_t *prefix)
{
	nodes_.clear();
	views_.clear();
	for (std::vector<int> &thread : order_)
		thread.clear();
	std::fill(cells_.begin(), cells_.end(), Cell{});

	thread_local std::vector<int> renumbered;
	renumbered.assign(whole.nodes_.size(), Node::none);
	for (int old = 0; old < whole.size(); ++old) {
		if (old > read && !whole.precedes(old, prefix))
			continue;
		renumbered[old] = size();
		Node &node = nodes_.emplace_back(whole.nodes_[old]);
		order_[node.thread].push_back(size() - 1);
		const uint16_t *const kept = whole.prefix(old);
		views_.insert(views_.end(), kept, kept + stride_);
		if (node.kind == Label::Kind::read) {
			node.reader = cells_[node.cell].reader;
			cells_[node.cell].reader = size() - 1;
		}
	}
	// A source may have a greater number than its reader.
	for (Node &node : nodes_)
		if (node.kind == Label::Kind::read && node.source != Node::none)
			node.source = renumbered[node.source];
	for (size_t cell = 0; cell < cells_.size(); ++cell)
		for (int old = whole.cells_[cell].first; old != Node::none;
		     old = whole.nodes_[old].after)
			if (const int write = renumbered[old]; write != Node::none)
				link(write, cells_[cell].last);
}

} // namespace wakerace
