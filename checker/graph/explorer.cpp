// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/explorer.hpp"

#include <algorithm>

namespace wakerace {

using Kind = Label::Kind;

Explorer::Explorer(Threads &threads, Memory &memory, unsigned count,
		   const std::vector<uint64_t> &initial)
    : threads_(threads), memory_(memory), count_(count), initial_(initial)
{
	frames_.push_back(std::make_unique<Frame>(count, initial, memory.width(count)));
}

bool Explorer::advance()
{
	if (started_ && !backtrack())
		return false;
	started_ = true;
	for (;;) {
		switch (extend()) {
		case Step::grown:
			break;
		case Step::over:
			return true;
		case Step::stuck:
			if (!backtrack())
				return false;
		}
	}
}

// Which node comes next depends on the graph alone.
Explorer::Step Explorer::extend()
{
	Graph &graph = growing();
	if (!followed_)
		threads_.become(graph);
	followed_ = true;
	for (unsigned t = 0; t < count_; ++t) {
		const int last = graph.last_of(t);
		if (last == Node::none || graph[last].kind != Kind::read ||
		    !succeeds(graph[last], graph[last].value))
			continue;
		return add(t, second_half(graph[last], graph[last].value), true);
	}
	unsigned waiting = 0;
	for (unsigned t = 0; t < count_; ++t) {
		const int last = graph.last_of(t);
		if (last != Node::none && graph.refuses(last))
			continue;
		const Label &label = threads_.next(t);
		if (threads_.stopped())
			return Step::over;
		if (label.waits)
			waiting |= 1u << t;
		else if (label.kind != Kind::end)
			return add(t, label, false);
	}
	for (unsigned t = 0; t < count_; ++t)
		if (waiting & 1u << t && has_source(threads_.next(t)))
			return add(t, threads_.next(t), false);
	return Step::over;
}

bool Explorer::premature() const
{
	for (unsigned t = 0; t < count_; ++t) {
		const int last = graph().last_of(t);
		if (last == Node::none || !graph().refuses(last))
			continue;
		const Node &node = graph()[last];
		if (graph().last_write(node.cell) != node.source)
			return true;
		for (unsigned term = 0; term < node.guard->count; ++term)
			if (accepts(node, term, graph().final_value(node.guard->terms[term].cell)))
				return true;
	}
	return false;
}

Explorer::Step Explorer::add(unsigned thread, const Label &label, bool half)
{
	Branch branch{growing().size(), thread, label, half, {}, 0, {}, Node::none};
	switch (label.kind) {
	case Kind::read:
		if (label.waits)
			find_values(branch);
		else
			find_sources(branch);
		break;
	case Kind::write:
		find_places(branch);
		find_revisits(branch);
		break;
	case Kind::choice:
		branch.choices = label.choices;
		break;
	default:
		memory_.added(growing(), growing().add(thread, label));
		return Step::grown;
	}
	branches().push_back(std::move(branch));
	return try_next() ? Step::grown : Step::stuck;
}

// The alternatives that are left of the last branch, in turn.
bool Explorer::try_next()
{
	Branch &branch = branches().back();
	while (!branch.sources.empty()) {
		const Source source = branch.sources.back();
		branch.sources.pop_back();
		if (branch.revisited != Node::none ? try_move(branch, source)
						   : try_source(branch, source))
			return true;
	}
	if (branch.choices) {
		Graph &graph = growing();
		Label label = branch.label;
		label.operand = branch.label.choices - branch.choices--;
		memory_.added(graph, graph.add(branch.thread, label));
		return true;
	}
	while (!branches().back().revisits.empty()) {
		const int read = branches().back().revisits.back();
		branches().back().revisits.pop_back();
		if (revisit(read))
			return true;
	}
	return false;
}

bool Explorer::try_source(const Branch &branch, const Source &source)
{
	Graph &graph = growing();
	const bool reads = branch.label.kind == Kind::read;
	const int node =
		reads ? graph.add_read(branch.thread, branch.label, source.cell, source.write,
				       source.term)
		      : graph.add_write(branch.thread, branch.label, source.write, branch.half);
	memory_.added(graph, node);
	if (memory_.consistent(graph, node))
		return true;
	graph.pop();
	return false;
}

// The write of a revisit, and the read that sees it, are there already.
bool Explorer::try_move(const Branch &branch, const Source &source)
{
	Graph &graph = growing();
	graph.move(branch.node, source.write);
	return memory_.consistent(graph, branch.node) &&
	       memory_.consistent(graph, branch.revisited);
}

void Explorer::cut_to(int size)
{
	Graph &graph = growing();
	while (graph.size() > size) {
		const Node &node = graph[graph.size() - 1];
		if (followed_)
			threads_.cut(node.thread, node.index);
		graph.pop();
	}
}

bool Explorer::backtrack()
{
	for (;;) {
		while (!branches().empty()) {
			const Branch &branch = branches().back();
			cut_to(branch.node + (branch.revisited != Node::none));
			if (try_next())
				return true;
			branches().pop_back();
		}
		if (depth_ == 0)
			return false;
		--depth_;
		followed_ = false;
	}
}

void Explorer::push_frame()
{
	if (++depth_ == frames_.size())
		frames_.push_back(std::make_unique<Frame>(count_, initial_, memory_.width(count_)));
	branches().clear();
	followed_ = false;
}

// Goes on with the graph in which @read sees the write of the last branch.
bool Explorer::revisit(int read)
{
	const Frame &old = *frames_[depth_];
	const Branch &from = old.branches.back();
	const bool followed = followed_;
	push_frame();
	Graph &graph = growing();
	graph.restrict_to(old.graph, read, prefix_before(old.graph, from.thread).data());
	Branch branch{graph.size(), from.thread, from.label, from.half, {}, 0, {}, read};
	find_places(branch);
	if (!branch.sources.empty()) {
		const int write = graph.add_write(from.thread, from.label,
						  branch.sources.back().write, from.half);
		memory_.added(graph, write);
		graph.read_from(read, write);
		memory_.added(graph, read);
		branches().push_back(std::move(branch));
		if (try_next())
			return true;
	}
	--depth_;
	followed_ = followed;
	return false;
}

std::vector<uint16_t> Explorer::prefix_before(const Graph &graph, unsigned thread) const
{
	const int last = graph.last_of(thread);
	if (last == Node::none)
		return std::vector<uint16_t>(count_);
	return {graph.prefix(last), graph.prefix(last) + count_};
}

void Explorer::find_sources(Branch &branch) const
{
	const int cell = branch.label.cell;
	branch.sources.push_back({cell, Node::none, 0});
	for (int write = graph().first_write(cell); write != Node::none;
	     write = graph()[write].after)
		branch.sources.push_back({cell, write, 0});
}

// A wait takes what it accepts; and the newest, if that is refused.
void Explorer::find_values(Branch &branch) const
{
	const Guard &guard = *branch.label.guard;
	bool newest = false;
	for (unsigned term = 0; term < guard.count; ++term) {
		const int cell = guard.terms[term].cell;
		int write = Node::none;
		do {
			if (accepts(branch.label, term, graph().value_of(cell, write))) {
				branch.sources.push_back({cell, write, term});
				newest |= write == graph().last_write(cell);
			}
			write = graph().after(cell, write);
		} while (write != Node::none);
	}
	const int cell = guard.terms[0].cell;
	if (!newest)
		branch.sources.push_back({cell, graph().last_write(cell), 0});
}

bool Explorer::has_source(const Label &label) const
{
	for (unsigned term = 0; term < label.guard->count; ++term) {
		const int cell = label.guard->terms[term].cell;
		int write = Node::none;
		do {
			if (accepts(label, term, graph().value_of(cell, write)))
				return true;
			write = graph().after(cell, write);
		} while (write != Node::none);
	}
	return false;
}

// After which writes a write can stand: the second half of a read-modify-write
// right after what the first has read, and nothing in between the two.
void Explorer::find_places(Branch &branch) const
{
	const int cell = branch.label.cell;
	if (branch.half) {
		const int source = graph()[graph().last_of(branch.thread)].source;
		if (!graph().taken(cell, source))
			branch.sources.push_back({cell, source, 0});
		return;
	}
	int write = Node::none;
	do {
		if (!graph().taken(cell, write))
			branch.sources.push_back({cell, write, 0});
		write = graph().after(cell, write);
	} while (write != Node::none);
}

// The reads to which the write of @branch goes back: all that is newer than the
// read, but for what the write needs, must be what would be built again by itself.
void Explorer::find_revisits(Branch &branch) const
{
	const Graph &g = graph();
	const std::vector<uint16_t> prefix = prefix_before(g, branch.thread);
	int checked = g.size();
	for (int read = g.last_reader(branch.label.cell); read != Node::none;
	     read = g[read].reader) {
		if (g.precedes(read, prefix.data()))
			continue;
		for (; checked > read; --checked)
			if (!g.precedes(checked - 1, prefix.data()) &&
			    !maximal(checked - 1, prefix))
				return;
		branch.revisits.insert(branch.revisits.begin(), read);
	}
}

// Whether @node is what would be added to the nodes that are no newer, and those
// in @prefix, if each read took the newest write and each write was the newest.
bool Explorer::maximal(int node, const std::vector<uint16_t> &prefix) const
{
	const Graph &g = graph();
	const Node &n = g[node];
	switch (n.kind) {
	case Kind::write:
		for (int read = g.last_reader(n.cell); read != Node::none; read = g[read].reader)
			if (read < node && g[read].source == node)
				return false;
		return newest(n.cell, node, node, prefix);
	case Kind::read:
		if (n.source > node && !g.precedes(n.source, prefix.data()))
			return false;
		return n.waits ? maximal_wait(node, prefix)
			       : newest(n.cell, n.source, node, prefix);
	case Kind::choice:
		return n.value == 0;
	default:
		return true;
	}
}

// Whether no write to @cell after @write is older than @node or in @prefix.
bool Explorer::newest(int cell, int write, int node, const std::vector<uint16_t> &prefix) const
{
	const Graph &g = graph();
	for (int later = g.after(cell, write); later != Node::none; later = g[later].after)
		if (later <= node || g.precedes(later, prefix.data()))
			return false;
	return true;
}

// A wait would take the first word whose newest value it accepts, or else the
// newest value of the first word.
bool Explorer::maximal_wait(int node, const std::vector<uint16_t> &prefix) const
{
	const Graph &g = graph();
	const Node &n = g[node];
	for (unsigned term = 0; term < n.guard->count; ++term) {
		const int cell = n.guard->terms[term].cell;
		int write = g.last_write(cell);
		while (write > node && !g.precedes(write, prefix.data()))
			write = g[write].before;
		if (accepts(n, term, g.value_of(cell, write)))
			return n.term == term && n.source == write;
	}
	return n.term == 0 && newest(n.cell, n.source, node, prefix);
}

} // namespace wakerace
