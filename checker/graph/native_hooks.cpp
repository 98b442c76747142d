// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the threads of a program do on their way along a graph.
#include "checker/graph/native.hpp"
#include "checker/instrument/raw.hpp"

#include <fmt/format.h>

namespace wakerace {

using Kind = Label::Kind;

namespace {

Label read_of(int cell, unsigned width, wr_order order, uintptr_t place)
{
	Label label;
	label.kind = Kind::read;
	label.cell = cell;
	label.width = static_cast<uint8_t>(width);
	label.order = order;
	label.place = place;
	return label;
}

Label write_of(int cell, unsigned width, uint64_t value, wr_order order, uintptr_t place)
{
	Label label = read_of(cell, width, order, place);
	label.kind = Kind::write;
	label.operand = updated(Update::exchange, 0, value, width);
	return label;
}

Label rmw_of(int cell, unsigned width, Update kind, uint64_t operand, uint64_t expected,
	     wr_order order, uintptr_t place)
{
	Label label = read_of(cell, width, order, place);
	label.rmw = true;
	label.update = kind;
	label.operand = operand;
	label.expected = expected;
	return label;
}

} // namespace

int NativeThreads::cell_at(const volatile void *address, unsigned width, bool writes)
{
	Image::Target target = image_.find(address, width, writes, running_);
	if (!target.error.empty())
		fail(std::move(target.error));
	return target.cell;
}

bool NativeThreads::weakened(const wr_site *site) const
{
	return site && options_.weakened[site - module_.description().sites];
}

wr_order NativeThreads::effective(wr_order order, const wr_site *site) const
{
	return weakened(site) ? WR_ONCE : order;
}

// There are few different guards; they live as long as the exploration.
const Guard *NativeThreads::intern(const Guard &guard)
{
	for (const Guard &known : guards_) {
		bool same = known.count == guard.count && known.wait == guard.wait;
		for (unsigned i = 0; same && i < guard.count; ++i)
			same = known.terms[i].cell == guard.terms[i].cell &&
			       known.terms[i].condition == guard.terms[i].condition &&
			       known.terms[i].arg == guard.terms[i].arg;
		if (same)
			return &known;
	}
	return &guards_.emplace_back(guard);
}

// --- Steps --------------------------------------------------------------------

// The plain access under way is over: the value of a write is known now.
void NativeThreads::complete_previous()
{
	Fiber &fiber = here();
	if (fiber.cell < 0)
		return;
	const int cell = fiber.cell;
	fiber.cell = -1;
	const bool writes = fiber.writes;
	const uint64_t value = image_.peek(cell);
	image_.poison(cell);
	if (!writes)
		return;
	fiber.writes = false;
	fiber.plain.operand = value;
	arrive(fiber.plain);
}

// See Runtime::before_access.
void NativeThreads::before_access()
{
	complete_previous();
	OnStack &stack = on_stack();
	const auto interrupt_point = module_.description().interrupt_point;
	if (!options_.interrupts_everywhere || !interrupt_point || stack.in_interrupt_point)
		return;
	stack.in_interrupt_point = true;
	stack.notes.swap(here().record.pending);
	interrupt_point();
	complete_previous();
	auto &pending = here().record.pending;
	pending.insert(pending.end(), stack.notes.begin(), stack.notes.end());
	stack.notes.clear();
	stack.in_interrupt_point = false;
}

// The thread is at an operation. Returns its node, once the graph has it.
Node NativeThreads::arrive(const Label &label)
{
	if (here().values.size() == static_cast<size_t>(options_.nodes_max)) {
		here().too_long = true;
		stop();
	}
	while (here().values.size() >= graph_->of(running_).size()) {
		here().label = label;
		suspend(State::suspended);
	}
	std::vector<uint64_t> &values = here().values;
	const Node &node = (*graph_)[graph_->of(running_)[values.size()]];
	const bool waits = label.waits;
	if (node.kind != label.kind || (!waits && node.cell != label.cell) ||
	    (label.kind == Kind::write && node.operand != label.operand))
		fail("the program depends on more than the values that it reads (is there state "
		     "outside of the image?)");
	values.push_back(node.value);
	if (succeeds(node, node.value))
		values.push_back(updated(node, node.value));
	while (waits && !accepts(node, node.term, node.value)) {
		here().label = label;
		suspend(State::refused);
	}
	return node;
}

// The notes that wait belong to the event that the thread is at.
void NativeThreads::attach_notes()
{
	Record &record = here().record;
	for (auto *pending : {&record.start_pending, &record.pending}) {
		for (const PendingNote &note : *pending)
			record.notes.push_back({note, record.events});
		pending->clear();
	}
	++record.events;
}

// --- Accesses -----------------------------------------------------------------

void NativeThreads::plain_access(const void *address, unsigned width, bool writes, wr_order order,
				 uintptr_t place)
{
	if (!exploring_)
		return;
	const int cell = cell_at(address, width, writes);
	if (cell < 0)
		return;
	if (order == WR_PLAIN && module_.cells()[cell].flags & WR_FIELD_RACY)
		order = WR_ONCE;
	before_access();
	if (writes) {
		here().plain = write_of(cell, width, 0, order, place);
		here().writes = true;
	} else {
		image_.poke(cell, arrive(read_of(cell, width, order, place)).value);
	}
	attach_notes();
	here().cell = cell;
}

uint64_t NativeThreads::load(const volatile void *address, unsigned width, wr_order order,
			     const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, false) : -1;
	if (cell < 0)
		return raw_load(address, width);
	before_access();
	const Node node = arrive(read_of(cell, width, effective(order, site), place));
	attach_notes();
	return node.value;
}

void NativeThreads::store(volatile void *address, unsigned width, uint64_t value, wr_order order,
			  const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, true) : -1;
	if (cell < 0) {
		raw_store(address, width, value);
		return;
	}
	before_access();
	arrive(write_of(cell, width, value, effective(order, site), place));
	attach_notes();
}

uint64_t NativeThreads::rmw(volatile void *address, unsigned width, Update kind, uint64_t operand,
			    uint64_t expected, wr_order order, const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, true) : -1;
	if (cell < 0) {
		const uint64_t old = raw_load(address, width);
		if (kind != Update::compare_exchange || old == expected)
			raw_store(address, width, updated(kind, old, operand, width));
		return old;
	}
	before_access();
	const Node node =
		arrive(rmw_of(cell, width, kind, operand, expected, effective(order, site), place));
	if (!succeeds(node, node.value))
		here().record.pending.clear();
	attach_notes();
	return node.value;
}

void NativeThreads::fence(wr_fence_kind kind, const wr_site *site, uintptr_t place)
{
	if (!exploring_ || weakened(site))
		return;
	before_access();
	Label label;
	label.kind = Kind::fence;
	label.order = WR_FULL;
	label.fence = kind;
	label.place = place;
	label.primitive = site ? site->primitive : nullptr;
	arrive(label);
	attach_notes();
}

void NativeThreads::lock(volatile uint32_t *word, const wr_site *site, uintptr_t place)
{
	if (!exploring_) {
		*word = 1;
		return;
	}
	const int cell = cell_at(word, 4, true);
	before_access();
	Label label = rmw_of(cell, 4, Update::compare_exchange, 1 + running_, 0,
			     effective(WR_ACQUIRE, site), place);
	label.waits = true;
	label.role = EventRole::lock;
	label.guard = intern(Guard{{{cell, is_free, nullptr}}, 1, WR_WAIT_MUST_END});
	arrive(label);
	attach_notes();
}

void NativeThreads::unlock(volatile uint32_t *word, const wr_site *site, uintptr_t place)
{
	if (!exploring_) {
		*word = 0;
		return;
	}
	const int cell = cell_at(word, 4, true);
	before_access();
	Label label = write_of(cell, 4, 0, effective(WR_RELEASE, site), place);
	label.role = EventRole::unlock;
	arrive(label);
	attach_notes();
}

unsigned NativeThreads::await(const wr_await_term *terms, unsigned count, wr_order order,
			      wr_wait wait, const wr_site *site, uintptr_t place, uint64_t &value)
{
	if (!exploring_) {
		value = raw_load(terms[0].address, terms[0].width);
		return 0;
	}
	Guard guard;
	guard.wait = wait;
	for (unsigned i = 0; i < count; ++i)
		guard.terms[guard.count++] = {cell_at(terms[i].address, terms[i].width, false),
					      terms[i].condition, terms[i].arg};
	before_access();
	Label label = read_of(guard.terms[0].cell, terms[0].width, effective(order, site), place);
	label.waits = true;
	label.role = EventRole::await;
	label.guard = intern(guard);
	const Node node = arrive(label);
	attach_notes();
	value = node.value;
	return node.term;
}

unsigned NativeThreads::choose(unsigned count)
{
	if (!exploring_ || count < 2)
		return 0;
	before_access();
	Label label;
	label.kind = Kind::choice;
	label.hidden = true;
	label.choices = count;
	return static_cast<unsigned>(arrive(label).value);
}

// --- Stacks -------------------------------------------------------------------

void NativeThreads::switch_stack(unsigned to, wr_stack_entry entry)
{
	if (!exploring_)
		return set_error("stacks are switched outside of the threads");
	complete_previous();
	if (to != WR_OWN_STACK && to >= WR_STACKS_MAX)
		fail(fmt::format("there is no stack {}; they end at {}", to, WR_STACKS_MAX - 1));
	const unsigned from = stacks_.on(running_);
	if (from == to || (from >= WR_STACKS_MAX && to == WR_OWN_STACK))
		return;
	together_ = true;
	if (to != WR_OWN_STACK)
		enter_stack(to);
	if (from < WR_STACKS_MAX)
		leave_stack(from);
	stacks_.go(running_, to, entry);
}

void NativeThreads::enter_stack(unsigned stack)
{
	const int cell = static_cast<int>(module_.cells().size() + stack);
	Label label = rmw_of(cell, 8, Update::compare_exchange, 1, 0, WR_ONCE, 0);
	label.hidden = true;
	const Node node = arrive(label);
	if (node.value != 0) {
		violation("RUNNING_TWICE", "a stack is entered that another thread is on");
		broken_ = true;
		stop();
	}
	// The stack itself must be as the one who left it in the graph has left it.
	Left wanted;
	if (node.source != Node::none)
		wanted = {(*graph_)[node.source].thread, (*graph_)[node.source].index};
	while (left_[stack].thread != wanted.thread || left_[stack].index != wanted.index)
		suspend(State::held);
}

void NativeThreads::leave_stack(unsigned stack)
{
	const int cell = static_cast<int>(module_.cells().size() + stack);
	Label label = write_of(cell, 8, 0, WR_ONCE, 0);
	label.hidden = true;
	const Node node = arrive(label);
	left_[stack] = {static_cast<int>(running_), node.index};
}

// --- Annotations --------------------------------------------------------------

void NativeThreads::note(wr_note_kind kind, unsigned place, unsigned item)
{
	if (!exploring_)
		return;
	Record &record = here().record;
	if (kind == WR_OWNER_START)
		record.start_pending.push_back({WR_OWNER_BEGIN, place, item});
	else
		record.pending.push_back({kind, place, item});
}

void NativeThreads::call_begin(wr_call_kind kind, unsigned subject)
{
	if (!exploring_)
		return;
	Record &record = here().record;
	on_stack().calls.push_back({running_, record.calls.size()});
	record.calls.push_back({.kind = kind, .subject = subject, .first = record.events});
}

void NativeThreads::call_end(wr_call_kind kind, unsigned result)
{
	if (!exploring_)
		return;
	auto &open = on_stack().calls;
	if (open.empty())
		fail("wr_call_end without wr_call_begin");
	const auto [thread, index] = open.back();
	open.pop_back();
	Record::Call &call = fibers_[thread].record.calls[index];
	if (call.kind != kind)
		fail("wr_call_end does not match its wr_call_begin");
	// What its stack has carried to another thread is no part of one program order.
	if (thread != running_)
		return;
	call.result = result;
	call.last = here().record.events - 1;
	call.returned = true;
}

void NativeThreads::reached(const wr_mark *mark)
{
	if (graph_) // in finally too, but not in setup
		++mark_counts_[mark - module_.description().marks];
}

void NativeThreads::violation(const char *type, const char *text)
{
	if (!graph_)
		return;
	Record &record = exploring_ ? here().record : epilogue_;
	record.findings.push_back({type, text, exploring_ ? record.events - 1 : -1});
}

void NativeThreads::error(const char *text)
{
	if (exploring_)
		fail(text);
	set_error(text);
}

void NativeThreads::outcome(const char *name, uint64_t value)
{
	if (!outcome_.empty())
		outcome_ += ' ';
	outcome_ += fmt::format("{}={}", name, static_cast<int64_t>(value));
}

} // namespace wakerace
