// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Linux-kernel memory model (Alglave, Maranget, McKenney, Parri, Stern,
// "Frightening small children and disconcerting grown-ups", ASPLOS 2018), as in
// tools/memory-model/linux-kernel.cat of Linux 6.12:
//
//   acyclic(po-loc | rf | co | fr)                    coherence
//   acyclic(hb)      hb = ppo | rfe | ((prop \ id) & int)
//   acyclic(pb)      pb = prop; strong-fence; hb*
//   prop  = ((co | fr) & ext)?; cumul*; rfe?
//   cumul = (rfe?; (strong-fence | po-rel) | wmb | po-unlock-lock-po); (rf; rmw)*
//
// Left out: RCU, and dependencies, which compiled code does not show. Instead,
// every read stays before the writes behind it in program order, so that load
// buffering is not explored. Every access counts as marked; plain ones race by
// the happens-before of Views.
#include "checker/graph/bits.hpp"
#include "checker/graph/memory.hpp"
#include "checker/graph/views.hpp"

#include <algorithm>

namespace wakerace {

namespace {

using Kind = Label::Kind;

class Lkmm : public Memory {
public:
	unsigned width(unsigned threads) const override { return Views::width(threads); }
	void added(Graph &graph, int node) override { Views::fill(graph, node); }

	bool allows(const Graph &graph, int node, int) override
	{
		return coherent_in_thread(graph, node) && propagates(graph);
	}

	std::vector<std::pair<int, int>> races(const Graph &graph) override
	{
		return Views::races(graph);
	}

private:
	std::vector<int> element_; // by node: its number in the relations, or -1
	std::vector<int> nodes_;   // by element
	Relation ppo_, strong_, cumul_, outside_, seen_;

	// Only accesses to cells by which threads talk to each other matter: a fence
	// orders those on its sides whatever is between.
	void choose_elements(const Graph &graph)
	{
		struct Use {
			int thread = -1;
			bool shared = false, written = false;
		};
		std::vector<Use> uses;
		for (int node = 0; node < graph.size(); ++node) {
			const Node &n = graph[node];
			if (n.cell < 0)
				continue;
			if (static_cast<size_t>(n.cell) >= uses.size())
				uses.resize(n.cell + 1);
			Use &use = uses[n.cell];
			use.shared |= use.thread >= 0 && use.thread != n.thread;
			use.written |= n.kind == Kind::write;
			use.thread = n.thread;
		}
		element_.assign(graph.size(), -1);
		nodes_.clear();
		for (unsigned t = 0; t < graph.threads(); ++t)
			for (int node : graph.of(t)) {
				const int cell = graph[node].cell;
				if (cell < 0 || !uses[cell].shared || !uses[cell].written)
					continue;
				element_[node] = static_cast<int>(nodes_.size());
				nodes_.push_back(node);
			}
	}

	bool propagates(const Graph &graph)
	{
		choose_elements(graph);
		const int size = static_cast<int>(nodes_.size());
		for (Relation *relation : {&ppo_, &strong_, &cumul_, &outside_, &seen_})
			relation->reset(size);
		for (unsigned t = 0; t < graph.threads(); ++t)
			order_thread(graph, t);
		order_cells(graph);
		extend_by_updates(graph);

		Relation prop = cumul_;
		prop.close();
		prop.reflect();
		outside_.reflect();
		seen_.reflect();
		prop = outside_.then(prop).then(seen_);
		Relation hb = ppo_;
		for (int to = 0; to < size; ++to) {
			const Node &n = graph[nodes_[to]];
			const int source = n.kind == Kind::read ? external_source(graph, n) : -1;
			if (source >= 0)
				hb.add(source, to);
			prop.each_before(to, [&](int from) {
				if (from != to && graph[nodes_[from]].thread == n.thread)
					hb.add(from, to);
			});
		}
		hb.close();
		if (hb.cyclic())
			return false;
		hb.reflect();
		Relation pb = prop.then(strong_).then(hb);
		pb.close();
		return !pb.cyclic();
	}

	int external_source(const Graph &graph, const Node &read) const
	{
		return read.source == Node::none || graph[read.source].thread == read.thread
			       ? -1
			       : element_[read.source];
	}

	// What the fences, acquires, releases and locks of a thread order.
	struct Passed {
		std::vector<int> all, reads, writes; // elements so far
		// How many of them are before the last fence of each kind.
		size_t full = 0, rmb = 0, wmb = 0, control = 0, section = 0;
		size_t unlocked = 0;       // before the last unlock
		std::vector<int> acquired; // elements that acquire
		std::vector<int> foreign;  // unlocks of other threads that a lock has seen
	};

	void order_thread(const Graph &graph, unsigned thread)
	{
		Passed passed;
		for (int node : graph.of(thread)) {
			const Node &n = graph[node];
			if (n.kind == Kind::fence)
				pass_fence(n, passed);
			else if (n.kind == Kind::read || n.kind == Kind::write)
				pass_access(graph, node, passed);
		}
	}

	static void pass_fence(const Node &n, Passed &passed)
	{
		switch (n.fence) {
		case WR_FENCE_MB:
			passed.full = passed.all.size();
			break;
		case WR_FENCE_RMB:
			passed.rmb = passed.reads.size();
			break;
		case WR_FENCE_WMB:
			passed.wmb = passed.writes.size();
			break;
		case WR_FENCE_CTRL_ACQ:
			passed.control = passed.reads.size();
		}
	}

	void pass_access(const Graph &graph, int node, Passed &passed)
	{
		const Node &n = graph[node];
		const int to = element_[node];
		const bool reads = n.kind == Kind::read;
		if (reads && is_full(n))
			passed.full = passed.all.size();
		if (to >= 0)
			order_element(graph, n, to, passed);
		if (reads && n.role == EventRole::lock && n.order == WR_ACQUIRE)
			pass_lock(n, passed);
		if (!reads && n.role == EventRole::unlock && n.order == WR_RELEASE)
			passed.unlocked = passed.all.size();
		if (to >= 0) {
			passed.all.push_back(to);
			(reads ? passed.reads : passed.writes).push_back(to);
			if (reads && acquires(n))
				passed.acquired.push_back(to);
		}
		if (n.half && is_full(n))
			passed.full = passed.all.size();
	}

	static bool acquires(const Node &n)
	{
		return (n.order == WR_ACQUIRE || n.order == WR_FULL) &&
		       (!n.rmw || succeeds(n, n.value));
	}

	static bool releases(const Node &n) { return n.order == WR_RELEASE || n.order == WR_FULL; }

	static void pass_lock(const Node &n, Passed &passed)
	{
		passed.section = std::max(passed.section, passed.unlocked);
		if (n.source != Node::none)
			passed.foreign.push_back(n.source);
	}

	void order_element(const Graph &graph, const Node &n, int to, const Passed &passed)
	{
		const bool reads = n.kind == Kind::read;
		const auto put = [](Relation &relation, const std::vector<int> &from, size_t count,
				    int element) {
			for (size_t i = 0; i < count; ++i)
				relation.add(from[i], element);
		};
		put(strong_, passed.all, passed.full, to);
		put(ppo_, passed.all, std::max(passed.full, passed.section), to);
		put(ppo_, passed.acquired, passed.acquired.size(), to);
		put(ppo_, passed.reads, passed.control, to);
		put(cumul_, passed.all, passed.section, to);
		if (reads) {
			put(ppo_, passed.reads, passed.rmb, to);
		} else {
			put(ppo_, passed.reads, passed.reads.size(), to);
			put(ppo_, passed.writes, passed.wmb, to);
			put(cumul_, passed.writes, passed.wmb, to);
			for (int from : passed.writes)
				if (graph[nodes_[from]].cell == n.cell)
					ppo_.add(from, to);
		}
		// rfe?; (strong-fence | po-rel)
		const bool release = !reads && releases(n);
		const size_t sent = release ? passed.all.size() : passed.full;
		if (release)
			put(ppo_, passed.all, sent, to);
		for (size_t i = 0; i < sent; ++i) {
			cumul_.add(passed.all[i], to);
			const Node &before = graph[nodes_[passed.all[i]]];
			const int source =
				before.kind == Kind::read ? external_source(graph, before) : -1;
			if (source >= 0)
				cumul_.add(source, to);
		}
		// Before an unlock that a lock in front of us has seen.
		for (int unlock : passed.foreign)
			if (graph[unlock].role == EventRole::unlock &&
			    graph[unlock].order == WR_RELEASE)
				for (int index = 0; index < graph[unlock].index; ++index) {
					const int from =
						element_[graph.of(graph[unlock].thread)[index]];
					if (from >= 0)
						cumul_.add(from, to);
				}
	}

	// (co | fr) & ext, and rfe.
	void order_cells(const Graph &graph)
	{
		for (int to = 0; to < ppo_.size(); ++to) {
			const Node &n = graph[nodes_[to]];
			if (n.kind == Kind::read) {
				if (const int source = external_source(graph, n); source >= 0)
					seen_.add(source, to);
				continue;
			}
			for (int write = n.before; write != Node::none; write = graph[write].before)
				if (graph[write].thread != n.thread)
					outside_.add(element_[write], to);
			for (int read = graph.last_reader(n.cell); read != Node::none;
			     read = graph[read].reader)
				if (graph[read].thread != n.thread &&
				    graph.position(graph[read].source) < n.position)
					outside_.add(element_[read], to);
		}
	}

	// (rf; rmw)* behind what is there: from a write to the update that read it,
	// which comes later in coherence order.
	void extend_by_updates(const Graph &graph)
	{
		std::vector<int> updates;
		for (int element = 0; element < ppo_.size(); ++element)
			if (graph[nodes_[element]].half)
				updates.push_back(element);
		std::sort(updates.begin(), updates.end(), [&](int a, int b) {
			return graph[nodes_[a]].position < graph[nodes_[b]].position;
		});
		for (int update : updates)
			if (const int source = graph[nodes_[update]].before; source != Node::none)
				cumul_.join(update, cumul_, element_[source]);
	}
};

} // namespace

std::unique_ptr<Memory> make_lkmm()
{
	return std::make_unique<Lkmm>();
}

} // namespace wakerace
