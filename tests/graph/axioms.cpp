// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/graph/axioms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <stdexcept>

namespace wakerace {
namespace {

// An instruction in one attempt at an execution.
struct Step {
	// An instruction after a wait that never ends is absent.
	enum class State { open, taken, waiting, absent };
	static constexpr int initial = -1;

	Step(const Instruction &i, unsigned t) : instruction(&i), thread(t) {}

	const Instruction *instruction;
	unsigned thread;
	State state = State::open;
	int source = initial;     // the step that a read sees
	uint64_t alternative = 0; // of a choice

	// These follow, once the steps before and the source are known.
	bool known = false;
	Label label;
	bool writes = false;
	uint64_t written = 0;
	uint64_t last = 0; // what the thread has read last then
	int event = 0;     // the first of the step, but for a fence that is not shown
	int write = 0;

	bool updates() const { return label.rmw && writes; }
};

struct Event {
	Label::Kind kind;
	int step;
	unsigned thread;
	int cell;
	bool shown;       // a fence that is part of an update is not
	int index;        // of those shown in its thread
	int position = 0; // of a write in the coherence order
};

// A candidate of an execution: what its events are and how they are related.
struct Candidate {
	std::vector<Event> events;
	Set reads = 0, writes = 0;
	Set updates = 0; // the halves of read-modify-writes that write
	Set acquires = 0, releases = 0, locks = 0, unlocks = 0; // accesses
	std::array<Set, 4> fences{};                            // by kind
	Relation po, rf, co, fr, rmw; // rmw: from the read half to the write half
	Relation same_thread, same_cell;

	Set accesses() const { return reads | writes; }
	Relation internal(const Relation &a) const { return a & same_thread; }
	Relation external(const Relation &a) const { return a - same_thread; }
	// Pairs with such a fence between them in program order.
	Relation around(wr_fence_kind kind, Set before, Set after) const
	{
		return only(before) * po * only(fences[kind]) * po * only(after);
	}
};

bool coherent(const Candidate &c)
{
	return acyclic((c.po & c.same_cell) | c.rf | c.co | c.fr);
}

bool allowed_by_sc(const Candidate &c)
{
	return acyclic(c.po | c.rf | c.co | c.fr);
}

bool allowed_by_tso(const Candidate &c)
{
	const Relation updates = only(c.updates);
	const Relation full = only(c.fences[WR_FENCE_MB] | c.updates);
	const Relation fenced = c.po * full * c.po | updates * c.po | c.po * updates;
	const Relation delayed = only(c.writes) * c.po * only(c.reads) - fenced;
	// Of accesses only: other events must not order those around them.
	const Relation ppo = only(c.accesses()) * c.po * only(c.accesses()) - delayed;
	return coherent(c) && acyclic(ppo | c.external(c.rf) | c.co | c.fr);
}

// Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in
// C/C++11", PLDI 2017, with the release sequences of C++20.
bool allowed_by_rc11(const Candidate &c)
{
	const Set sc = c.fences[WR_FENCE_MB];
	const Set acquire = sc | c.fences[WR_FENCE_RMB] | c.fences[WR_FENCE_CTRL_ACQ];
	const Set release = sc | c.fences[WR_FENCE_WMB];
	const Relation rs = only(c.writes) * star(c.rf * c.rmw);
	const Relation from = only(c.releases) | only(release) * c.po * only(c.writes);
	const Relation to = only(c.acquires) | only(c.reads) * c.po * only(acquire);
	const Relation sw = from * rs * c.rf * to;
	const Relation hb = plus(c.po | sw);
	const Relation eco = plus(c.rf | c.co | c.fr);
	const Relation psc = only(sc) * (hb | hb * eco * hb) * only(sc);
	return irreflexive(hb * maybe(eco)) && acyclic(psc);
}

// tools/memory-model/linux-kernel.cat of 6.12, where all accesses are marked and
// each load counts as one that the stores after it depend on.
bool allowed_by_lkmm(const Candidate &c)
{
	const Set r = c.reads, w = c.writes, m = c.accesses();
	const Relation mb = c.around(WR_FENCE_MB, m, m);
	const Relation rmb = c.around(WR_FENCE_RMB, r, r);
	const Relation wmb = c.around(WR_FENCE_WMB, w, w);
	const Relation ctrl = c.around(WR_FENCE_CTRL_ACQ, r, m);
	const Relation porel = only(m) * c.po * only(c.releases);
	const Relation acqpo = only(c.acquires) * c.po * only(m);
	const Relation pul =
		only(m) * c.po * only(c.unlocks) * (c.po | c.rf) * only(c.locks) * c.po * only(m);
	const Relation overwrite = c.co | c.fr, rfe = c.external(c.rf);
	const Relation ppo = only(r) * c.po * only(w) | c.internal(overwrite) | mb | rmb | wmb |
			     ctrl | porel | acqpo | c.internal(pul);
	const Relation cumul = (maybe(rfe) * (mb | porel) | wmb | pul) * star(c.rf * c.rmw);
	const Relation prop = maybe(c.external(overwrite)) * star(cumul) * maybe(rfe);
	const Relation hb = ppo | rfe | c.internal(prop - only(~Set{0}));
	const Relation pb = prop * mb * star(hb);
	return coherent(c) && acyclic(hb) && acyclic(pb);
}

using Axioms = bool (*)(const Candidate &);

const std::map<std::string, Axioms> models = {{"sc", allowed_by_sc},
					      {"tso", allowed_by_tso},
					      {"rc11", allowed_by_rc11},
					      {"lkmm", allowed_by_lkmm}};

// Gives each read a source, each choice an alternative, and lets waits end or
// not. A program has no branches, so that a source is an instruction; values
// follow, as in no model program order and reads-from have a cycle.
class Attempts {
public:
	using Found = std::function<void(std::vector<Step> &)>;

	Attempts(const LittleProgram &program, Found found) : found_(std::move(found))
	{
		for (unsigned t = 0; t < program.threads.size(); ++t)
			for (const Instruction &instruction : program.threads[t])
				steps_.emplace_back(instruction, t);
		decide(0);
	}

private:
	using State = Step::State;

	std::vector<Step> steps_;
	Found found_;

	bool follows(size_t i) const { return i && steps_[i - 1].thread == steps_[i].thread; }

	void decide(size_t i)
	{
		if (!evaluate())
			return;
		if (i == steps_.size()) {
			if (std::all_of(steps_.begin(), steps_.end(), settled))
				found_(steps_);
			return;
		}
		Step &step = steps_[i];
		step.state = State::absent;
		if (follows(i) && steps_[i - 1].state != State::taken)
			decide(i + 1);
		else
			decide_present(i);
		step.state = State::open;
	}

	void decide_present(size_t i)
	{
		Step &step = steps_[i];
		const Label label = label_of(*step.instruction, step.thread, 0);
		step.state = State::taken;
		for (unsigned a = 0; a < std::max(1u, label.choices); ++a) {
			step.alternative = a;
			step.source = Step::initial;
			decide(i + 1);
		}
		for (size_t s = 0; s < steps_.size() && label.kind == Label::Kind::read; ++s) {
			const Label source = label_of(*steps_[s].instruction, 0, 0);
			step.source = static_cast<int>(s);
			if (source.cell == label.cell &&
			    (source.rmw || source.kind == Label::Kind::write))
				decide(i + 1);
		}
		step.state = State::waiting;
		if (label.waits)
			decide(i + 1);
	}

	// A step that is never known is on a cycle.
	static bool settled(const Step &step) { return step.known || step.state != State::taken; }

	// Finds the values that follow. False if nothing can come of what is decided.
	bool evaluate()
	{
		for (Step &step : steps_)
			step.known = step.writes = false;
		for (bool grown = true; grown;) {
			grown = false;
			for (size_t i = 0; i < steps_.size(); ++i) {
				if (steps_[i].state != State::taken || steps_[i].known ||
				    (follows(i) && !steps_[i - 1].known))
					continue;
				if (!evaluate(steps_[i], follows(i) ? steps_[i - 1].last : 0))
					return false;
				grown |= steps_[i].known;
			}
		}
		return atomic();
	}

	bool evaluate(Step &step, uint64_t last)
	{
		const Step *source = step.source == Step::initial ? nullptr : &steps_[step.source];
		if (source && (!source->known || !source->writes))
			return !source->known && source->state <= State::taken;
		const uint64_t seen = source ? source->written : 0;
		const Label label = step.label = label_of(*step.instruction, step.thread, last);
		const bool reads = label.kind == Label::Kind::read;
		step.known = true;
		step.writes = reads ? succeeds(label, seen) : label.kind == Label::Kind::write;
		step.written = reads ? updated(label, seen) : label.operand;
		step.last = reads                               ? seen
			    : label.kind == Label::Kind::choice ? step.alternative
								: last;
		return !label.waits || accepts(label, 0, seen);
	}

	// Whether no write is taken by two updates. The coherence order forbids it
	// anyway, but there may be too many attempts without this.
	bool atomic() const
	{
		std::set<std::pair<int, int>> taken;
		for (const Step &step : steps_)
			if (step.known && step.updates() &&
			    !taken.insert({step.label.cell, step.source}).second)
				return false;
		return true;
	}
};

// One attempt with its values, in all coherence orders.
class Orders {
public:
	Orders(std::vector<Step> &steps, const LittleProgram &program, Axioms allowed,
	       Executions &executions)
	    : steps_(steps), allowed_(allowed), executions_(executions),
	      threads_(static_cast<unsigned>(program.threads.size())), orders_(program.cells)
	{
		for (size_t i = 0; i < steps_.size(); ++i)
			if (steps_[i].known)
				add_step(static_cast<int>(i));
		for (int e = 0; e < size(); ++e)
			describe(e);
		try_orders(0, fixed_);
	}

private:
	std::vector<Step> &steps_;
	Axioms allowed_;
	Executions &executions_;
	unsigned threads_;
	Candidate fixed_;                      // without coherence but for positions
	std::vector<std::vector<int>> orders_; // by cell: its writes

	int size() const { return static_cast<int>(fixed_.events.size()); }

	// A fully ordered update that succeeds has a fence on both sides. One that
	// fails is a read without any order.
	void add_step(int i)
	{
		Step &step = steps_[i];
		const bool fenced = step.updates() && step.label.order == WR_FULL;
		if (fenced)
			add_event(i, Label::Kind::fence, false);
		step.event = add_event(i, step.label.kind, true);
		step.write = step.updates() ? add_event(i, Label::Kind::write, true) : step.event;
		if (fenced)
			add_event(i, Label::Kind::fence, false);
	}

	int add_event(int i, Label::Kind kind, bool shown)
	{
		const Step &step = steps_[i];
		int index = 0;
		for (const Event &e : fixed_.events)
			index += e.thread == step.thread && e.shown;
		fixed_.events.push_back({kind, i, step.thread, step.label.cell, shown, index});
		if (size() > events_max)
			throw std::length_error("too many events for a word");
		return size() - 1;
	}

	void describe(int e)
	{
		Candidate &c = fixed_;
		const Event &event = c.events[e];
		const Step &step = steps_[event.step];
		const wr_order order = step.label.order;
		const Instruction::Kind kind = step.instruction->kind;
		const Set self = Set{1} << e;
		for (int other = 0; other < size(); ++other) {
			const bool own = c.events[other].thread == event.thread;
			if (own)
				c.same_thread.add(e, other);
			if (own && e < other)
				c.po.add(e, other);
			if (c.events[other].cell == event.cell)
				c.same_cell.add(e, other);
		}
		if (event.kind == Label::Kind::fence)
			c.fences[event.shown ? step.label.fence : WR_FENCE_MB] |= self;
		else if (step.updates())
			c.updates |= self;
		if (event.kind == Label::Kind::read) {
			c.reads |= self;
			if (step.source != Step::initial)
				c.rf.add(steps_[step.source].write, e);
			if (step.updates())
				c.rmw.add(e, step.write);
			if ((order == WR_ACQUIRE || order == WR_FULL) &&
			    step.updates() == step.label.rmw)
				c.acquires |= self;
			c.locks |= kind == Instruction::Kind::lock ? self : 0;
		}
		if (event.kind == Label::Kind::write) {
			c.writes |= self;
			c.releases |= order == WR_RELEASE || order == WR_FULL ? self : 0;
			c.unlocks |= kind == Instruction::Kind::unlock ? self : 0;
			orders_[event.cell].push_back(e);
		}
	}

	// Tries all orders of the cells from @cell on; @c has those before. Every model
	// asks for as much as coherent(), which is about one cell at a time.
	void try_orders(size_t cell, const Candidate &c)
	{
		if (cell == orders_.size()) {
			if (really_waits() && allowed_(c))
				emit();
			return;
		}
		std::vector<int> &order = orders_[cell];
		std::sort(order.begin(), order.end());
		do {
			for (size_t i = 0; i < order.size(); ++i)
				fixed_.events[order[i]].position = static_cast<int>(i) + 1;
			if (!atomic(order))
				continue;
			const Candidate next = ordered(c, order);
			if (coherent(next))
				try_orders(cell + 1, next);
		} while (std::next_permutation(order.begin(), order.end()));
	}

	Candidate ordered(Candidate c, const std::vector<int> &order) const
	{
		for (int w : order)
			for (int e = 0; e < size(); ++e)
				if (has(c.accesses() & c.same_cell.row[w], e) &&
				    position(e) < position(w))
					(has(c.reads, e) ? c.fr : c.co).add(e, w);
		return c;
	}

	// Of a write, or of the one that a read sees.
	int position(int event) const
	{
		const int source = steps_[fixed_.events[event].step].source;
		if (has(fixed_.writes, event))
			return fixed_.events[event].position;
		return source == Step::initial ? 0 : position(steps_[source].write);
	}

	bool atomic(const std::vector<int> &order) const
	{
		return std::all_of(order.begin(), order.end(), [&](int w) {
			const int read = steps_[fixed_.events[w].step].event;
			return read == w || position(read) + 1 == position(w);
		});
	}

	// Whether each wait that does not end has nothing more to hope for.
	bool really_waits() const
	{
		return std::none_of(steps_.begin(), steps_.end(), [&](const Step &step) {
			const Label label = label_of(*step.instruction, step.thread, 0);
			if (step.state != Step::State::waiting)
				return false;
			const std::vector<int> &order = orders_[label.cell];
			const int last = order.empty() ? -1 : fixed_.events[order.back()].step;
			return accepts(label, 0, last < 0 ? 0 : steps_[last].written);
		});
	}

	void emit()
	{
		std::string text;
		for (unsigned t = 0; t < threads_; ++t) {
			for (const Event &event : fixed_.events)
				if (event.thread == t && event.shown)
					text += shown(event) + ' ';
			text += "| ";
		}
		const auto waits = [](const Step &s) { return s.state == Step::State::waiting; };
		const bool blocked = std::any_of(steps_.begin(), steps_.end(), waits);
		(blocked ? executions_.blocked : executions_.complete).insert(text);
	}

	std::string shown(const Event &event) const
	{
		const Step &step = steps_[event.step];
		if (event.kind == Label::Kind::fence)
			return "f";
		if (event.kind == Label::Kind::choice)
			return fmt::format("c{}", step.alternative);
		if (event.kind == Label::Kind::write)
			return fmt::format("w{}", event.position);
		if (step.source == Step::initial)
			return "r0";
		const Event &source = fixed_.events[steps_[step.source].write];
		return fmt::format("r{}.{}", source.thread, source.index);
	}
};

} // namespace

Executions all_executions(const LittleProgram &program, const std::string &model)
{
	Executions executions;
	const Axioms allowed = models.at(model);
	const Attempts attempts(program, [&](std::vector<Step> &steps) {
		const Orders orders(steps, program, allowed, executions);
	});
	return executions;
}

} // namespace wakerace
