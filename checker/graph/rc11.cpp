// SPDX-License-Identifier: GPL-2.0-or-later
//
// RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in
// C/C++11", PLDI 2017) with the release sequence of C++20, for the accesses that
// kernel code has: relaxed, acquire and release ones, and fences. What is
// sequentially consistent is fences alone, so that
//
//   irreflexive(hb; eco?)                             coherence
//   acyclic(F; (hb | hb; eco; hb); F)                 psc, F the full fences
//   acyclic(po | rf)                                  no thin air
//
// with eco = (rf | co | fr)+. A read-modify-write that is a full barrier has a
// full fence right before it and one right after it.
#include "checker/graph/memory.hpp"
#include "checker/graph/views.hpp"

#include <algorithm>
#include <limits>

namespace wakerace {

namespace {

using Kind = Label::Kind;

// One full fence, and what it means for each cell.
struct Fence {
	unsigned thread;
	int time;                     // of its thread, see Views
	std::vector<uint16_t> before; // what happens before it
	// Behind it: the places of the earliest write and of the earliest source of a
	// read. Before it: of the latest ones.
	std::vector<int> first_write, first_source, last_write, last_source;
};

class Rc11 : public Memory {
public:
	unsigned width(unsigned threads) const override { return Views::width(threads); }
	void added(Graph &graph, int node) override { Views::fill(graph, node); }

	bool allows(const Graph &graph, int node, int) override
	{
		return coherent(graph, node, Views::before(graph, node)) && fences_agree(graph);
	}

	std::vector<std::pair<int, int>> races(const Graph &graph) override
	{
		return Views::races(graph);
	}

private:
	std::vector<Fence> fences_;
	std::vector<int> cells_; // by cell: its number among those that are used, or -1
	int used_ = 0;

	bool fences_agree(const Graph &graph)
	{
		find_fences(graph);
		if (fences_.size() < 2)
			return true;
		number_cells(graph);
		for (Fence &fence : fences_)
			summarize(graph, fence);
		return acyclic();
	}

	void find_fences(const Graph &graph)
	{
		fences_.clear();
		for (int node = 0; node < graph.size(); ++node) {
			const Node &n = graph[node];
			if (n.kind == Kind::fence && n.fence == WR_FENCE_MB)
				add_fence(graph, n.thread, node, 1 + 2 * n.index);
			else if (n.kind == Kind::read && is_full(n))
				add_fence(graph, n.thread, graph.previous(node), 1 + 2 * n.index);
			else if (n.half && is_full(n))
				add_fence(graph, n.thread, node, 2 + 2 * n.index);
		}
	}

	void add_fence(const Graph &graph, unsigned thread, int last, int time)
	{
		Fence &fence = fences_.emplace_back();
		fence.thread = thread;
		fence.time = time;
		fence.before = last == Node::none ? std::vector<uint16_t>(graph.threads())
						  : Views::before_fence(graph, last);
	}

	void number_cells(const Graph &graph)
	{
		used_ = 0;
		cells_.clear();
		for (int node = 0; node < graph.size(); ++node) {
			const Node &n = graph[node];
			if (n.cell < 0)
				continue;
			if (static_cast<size_t>(n.cell) >= cells_.size())
				cells_.resize(n.cell + 1, -1);
			if (cells_[n.cell] < 0)
				cells_[n.cell] = used_++;
		}
	}

	void summarize(const Graph &graph, Fence &fence) const
	{
		fence.first_write.assign(used_, std::numeric_limits<int>::max());
		fence.first_source = fence.first_write;
		fence.last_write.assign(used_, -1);
		fence.last_source = fence.last_write;
		for (int node = 0; node < graph.size(); ++node) {
			const Node &n = graph[node];
			if (n.kind != Kind::read && n.kind != Kind::write)
				continue;
			const int cell = cells_[n.cell];
			const bool writes = n.kind == Kind::write;
			const int place = writes ? n.position : graph.position(n.source);
			if (Views::before(graph, node)[fence.thread] >= fence.time) {
				int &first =
					writes ? fence.first_write[cell] : fence.first_source[cell];
				first = std::min(first, place);
			}
			if (Views::includes(graph, node, fence.before.data())) {
				int &last =
					writes ? fence.last_write[cell] : fence.last_source[cell];
				last = std::max(last, place);
			}
		}
	}

	bool leads(const Fence &a, const Fence &b) const
	{
		if (&a != &b && b.before[a.thread] >= a.time)
			return true;
		for (int cell = 0; cell < used_; ++cell) {
			const int write = a.first_write[cell], source = a.first_source[cell];
			if (b.last_write[cell] > std::min(write, source) ||
			    b.last_source[cell] >= write || b.last_source[cell] > source)
				return true;
		}
		return false;
	}

	// Takes away, again and again, what nothing that is left leads to.
	bool acyclic() const
	{
		const size_t count = fences_.size();
		std::vector<std::vector<bool>> leads_to(count, std::vector<bool>(count));
		std::vector<int> incoming(count);
		for (size_t a = 0; a < count; ++a)
			for (size_t b = 0; b < count; ++b)
				if (leads(fences_[a], fences_[b])) {
					leads_to[a][b] = true;
					++incoming[b];
				}
		std::vector<size_t> free;
		for (size_t b = 0; b < count; ++b)
			if (!incoming[b])
				free.push_back(b);
		for (size_t done = 0; done < free.size(); ++done)
			for (size_t b = 0; b < count; ++b)
				if (leads_to[free[done]][b] && !--incoming[b])
					free.push_back(b);
		return free.size() == count;
	}
};

} // namespace

std::unique_ptr<Memory> make_rc11()
{
	return std::make_unique<Rc11>();
}

} // namespace wakerace
