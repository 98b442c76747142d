// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/views.hpp"

#include <algorithm>

namespace wakerace {

namespace {

using Kind = Label::Kind;

// The four parts of a node's view: what happens before it; what a read that sees
// it would acquire, if it is a write; what earlier reads have seen that an acquire
// fence would add; and what had happened at the last release fence.
struct Parts {
	uint16_t *happened;
	uint16_t *released;
	uint16_t *seen;
	uint16_t *fenced;
};

Parts parts(Graph &graph, int node)
{
	uint16_t *const view = graph.view(node);
	const unsigned threads = graph.threads();
	return {view, view + threads, view + 2 * threads, view + 3 * threads};
}

void join(uint16_t *to, const uint16_t *from, unsigned threads)
{
	for (unsigned t = 0; t < threads; ++t)
		to[t] = std::max(to[t], from[t]);
}

bool acquires(const Node &node)
{
	const bool fails = node.rmw && !succeeds(node, node.value);
	return !fails && (node.order == WR_ACQUIRE || node.order == WR_FULL);
}

bool releases(const Node &node)
{
	return node.order == WR_RELEASE || node.order == WR_FULL;
}

void full_fence(const Parts &mine, unsigned threads)
{
	join(mine.happened, mine.seen, threads);
	std::copy_n(mine.happened, threads, mine.fenced);
}

// A lock after an unlock by the same thread also orders what came before the
// unlock: "po-unlock-lock-po" of the kernel's memory model.
void order_sections(Graph &graph, int lock)
{
	const Node &n = graph[lock];
	if (n.order != WR_ACQUIRE)
		return;
	const Parts mine = parts(graph, lock);
	for (int index = n.index - 1; index >= 0; --index) {
		const int node = graph.of(n.thread)[index];
		if (graph[node].role != EventRole::unlock || graph[node].order != WR_RELEASE)
			continue;
		const Parts unlock = parts(graph, node);
		join(mine.happened, unlock.seen, graph.threads());
		join(mine.fenced, unlock.happened, graph.threads());
		join(mine.fenced, unlock.seen, graph.threads());
		return;
	}
}

void fill_read(Graph &graph, int node, const Parts &mine)
{
	const Node &n = graph[node];
	const unsigned threads = graph.threads();
	if (is_full(n))
		full_fence(mine, threads);
	if (n.source != Node::none)
		join(acquires(n) ? mine.happened : mine.seen, parts(graph, n.source).released,
		     threads);
	if (n.role == EventRole::lock)
		order_sections(graph, node);
}

void fill_write(Graph &graph, int node, const Parts &mine)
{
	const Node &n = graph[node];
	const unsigned threads = graph.threads();
	std::copy_n(releases(n) ? mine.happened : mine.fenced, threads, mine.released);
	const int source = n.half ? graph[graph.previous(node)].source : Node::none;
	if (source != Node::none)
		join(mine.released, parts(graph, source).released, threads);
	if (is_full(n)) {
		full_fence(mine, threads);
		++mine.fenced[n.thread];
	}
}

void fill_fence(const Node &n, const Parts &mine, unsigned threads)
{
	switch (n.fence) {
	case WR_FENCE_MB:
		return full_fence(mine, threads);
	case WR_FENCE_RMB:
	case WR_FENCE_CTRL_ACQ:
		return join(mine.happened, mine.seen, threads);
	case WR_FENCE_WMB:
		std::copy_n(mine.happened, threads, mine.fenced);
	}
}

} // namespace

void Views::fill(Graph &graph, int node)
{
	const Node &n = graph[node];
	const unsigned threads = graph.threads();
	const int previous = graph.previous(node);
	uint16_t *const view = graph.view(node);
	if (previous == Node::none)
		std::fill_n(view, width(threads), uint16_t{0});
	else
		std::copy_n(graph.view(previous), width(threads), view);
	const Parts mine = parts(graph, node);
	mine.happened[n.thread] = static_cast<uint16_t>(1 + 2 * n.index);
	if (n.kind == Kind::read)
		fill_read(graph, node, mine);
	else if (n.kind == Kind::write)
		fill_write(graph, node, mine);
	else if (n.kind == Kind::fence)
		fill_fence(n, mine, threads);
}

std::vector<uint16_t> Views::before_fence(const Graph &graph, int node)
{
	const unsigned threads = graph.threads();
	const uint16_t *const view = graph.view(node);
	std::vector<uint16_t> joined(view, view + threads);
	join(joined.data(), view + 2 * threads, threads);
	return joined;
}

namespace {

bool is_access(const Node &node)
{
	return (node.kind == Kind::read || node.kind == Kind::write) && !node.hidden;
}

template <typename Ordered> int racing_with(const Graph &graph, int a, Ordered ordered)
{
	for (int b = 0; b < graph.size(); ++b) {
		const Node &other = graph[b];
		if (is_access(other) && other.cell == graph[a].cell &&
		    other.thread != graph[a].thread &&
		    (other.kind == Kind::write || graph[a].kind == Kind::write) && !ordered(a, b) &&
		    !ordered(b, a))
			return b;
	}
	return Node::none;
}

template <typename Ordered>
std::vector<std::pair<int, int>> find_races(const Graph &graph, Ordered ordered)
{
	std::vector<std::pair<int, int>> races;
	std::vector<int> found; // cells
	for (int a = 0; a < graph.size(); ++a) {
		if (!is_access(graph[a]) || graph[a].order != WR_PLAIN ||
		    std::find(found.begin(), found.end(), graph[a].cell) != found.end())
			continue;
		const int b = racing_with(graph, a, ordered);
		if (b == Node::none)
			continue;
		races.push_back({a, b});
		found.push_back(graph[a].cell);
	}
	return races;
}

} // namespace

std::vector<std::pair<int, int>> Views::races(const Graph &graph)
{
	return find_races(graph,
			  [&](int a, int b) { return includes(graph, a, before(graph, b)); });
}

std::vector<std::pair<int, int>> races_by_prefix(const Graph &graph)
{
	return find_races(graph, [&](int a, int b) { return graph.precedes(a, graph.prefix(b)); });
}

bool coherent(const Graph &graph, int node, const uint16_t *view)
{
	const Node &n = graph[node];
	const bool reads = n.kind == Kind::read;
	const int place = reads ? graph.position(n.source) : n.position;
	const int next = reads ? graph.after(n.cell, n.source) : n.after;
	for (int write = next; write != Node::none; write = graph[write].after)
		if (Views::includes(graph, write, view))
			return false;
	for (int read = graph.last_reader(n.cell); read != Node::none; read = graph[read].reader)
		if (read != node && Views::includes(graph, read, view) &&
		    graph.position(graph[read].source) >= place + reads)
			return false;
	return true;
}

bool coherent_in_thread(const Graph &graph, int node)
{
	std::vector<uint16_t> view(graph.threads());
	view[graph[node].thread] = static_cast<uint16_t>(2 * graph[node].index);
	return coherent(graph, node, view.data());
}

} // namespace wakerace
