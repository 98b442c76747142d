// SPDX-License-Identifier: GPL-2.0-or-later
//
// The accesses of a program: those that the compiler announces, and those of the
// contract (checker/program/contract.h).
#include "checker/instrument/raw.hpp"
#include "checker/instrument/runtime.hpp"

namespace wakerace {

void Runtime::plain_access(const void *address, unsigned width, bool writes, wr_order order,
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
	arrive(cell, writes, false, place, EventRole::plain);
	Thread &thread = here();
	if (writes) {
		Event &event = add_event(EventKind::write, cell, order, place);
		thread.written_by = number_of(event);
		check_race(event);
	} else {
		image_.poke(cell, read_event(cell, order, false, place, EventRole::plain));
	}
	thread.cell = cell;
	thread.order = order;
}

uint64_t Runtime::load(const volatile void *address, unsigned width, wr_order order,
		       const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, false) : -1;
	if (cell < 0)
		return raw_load(address, width);
	before_access();
	arrive(cell, false, false, place, EventRole::plain);
	return read_event(cell, effective(order, site), false, place, EventRole::plain);
}

void Runtime::store(volatile void *address, unsigned width, uint64_t value, wr_order order,
		    const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, true) : -1;
	if (cell < 0) {
		raw_store(address, width, value);
		return;
	}
	before_access();
	arrive(cell, true, false, place, EventRole::plain);
	Event &event = add_event(EventKind::write, cell, effective(order, site), place);
	check_race(event);
	engine_->store(cell, event.order, number_of(event));
	finish_write(event, updated(Update::exchange, 0, value, width));
}

uint64_t Runtime::rmw(volatile void *address, unsigned width, Update kind, uint64_t operand,
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
	order = effective(order, site);
	arrive(cell, true, order == WR_FULL, place, EventRole::plain);
	// A compare-exchange that fails is a read without ordering.
	if (kind == Update::compare_exchange && image_.newest(cell) != expected) {
		here().notes.clear();
		return read_event(cell, WR_ONCE, true, place, EventRole::plain);
	}
	const auto &coherence = execution_.coherence[cell];
	const int source = coherence.empty() ? Event::initial : coherence.back();
	Event &event = add_event(EventKind::rmw, cell, order, place);
	check_race(event);
	engine_->exchange(cell, order, number_of(event));
	const uint64_t old = finish_read(event, source);
	finish_write(event, updated(kind, old, operand, width));
	return old;
}

void Runtime::fence(wr_fence_kind kind, const wr_site *site, uintptr_t place)
{
	if (!exploring_ || weakened(site))
		return;
	before_access();
	// Under sc fences order nothing more, and only full barriers take part in
	// an order that other threads can see.
	const bool visible = kind == WR_FENCE_MB && options_.model == Model::c11;
	if (visible)
		arrive(-1, false, true, place, EventRole::plain);
	here().role = EventRole::plain;
	Event &event = add_event(EventKind::fence, -1, WR_FULL, place);
	event.fence = kind;
	event.primitive = site ? site->primitive : nullptr;
	event.awaited = visible;
	engine_->fence(kind);
}

void Runtime::lock(volatile uint32_t *word, const wr_site *site, uintptr_t place)
{
	const wr_await_term term{word, 4, is_free, nullptr};
	if (!exploring_) {
		*word = 1;
		return;
	}
	const int cell = cell_at(word, 4, true);
	before_access();
	Thread &thread = here();
	thread.guard = Guard{{{cell, term.condition, term.arg}}, 1, WR_WAIT_MUST_END};
	thread.op = Op{{cell, -1, -1, -1}, 1, true, false, &thread.guard};
	thread.place = place;
	thread.role = EventRole::lock;
	engine_->arrive(thread.op);
	const wr_order order = effective(WR_ACQUIRE, site);
	const auto &coherence = execution_.coherence[cell];
	const int source = coherence.empty() ? Event::initial : coherence.back();
	Event &event = add_event(EventKind::rmw, cell, order, place);
	engine_->exchange(cell, order, number_of(event));
	finish_read(event, source);
	finish_write(event, 1 + engine_->thread());
	if (order == WR_ACQUIRE)
		engine_->locked();
}

void Runtime::unlock(volatile uint32_t *word, const wr_site *site, uintptr_t place)
{
	if (!exploring_) {
		*word = 0;
		return;
	}
	const int cell = cell_at(word, 4, true);
	before_access();
	arrive(cell, true, false, place, EventRole::unlock);
	const wr_order order = effective(WR_RELEASE, site);
	if (order == WR_RELEASE)
		engine_->unlocking();
	Event &event = add_event(EventKind::write, cell, order, place);
	engine_->store(cell, order, number_of(event));
	finish_write(event, 0);
}

unsigned Runtime::await(const wr_await_term *terms, unsigned count, wr_order order, wr_wait wait,
			const wr_site *site, uintptr_t place, uint64_t &value)
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
	order = effective(order, site);
	// Under weak memory the wait may end on an older value: one free read
	// first. An idle CPU has consumed its older values itself.
	if (options_.model == Model::c11 && wait == WR_WAIT_MUST_END && count == 1) {
		arrive(guard.terms[0].cell, false, false, place, EventRole::await);
		value = read_event(guard.terms[0].cell, order, false, place, EventRole::await);
		if (terms[0].condition(value, terms[0].arg))
			return 0;
	}
	Thread &thread = here();
	thread.guard = guard;
	thread.op = Op{};
	for (unsigned i = 0; i < count; ++i)
		thread.op.cells[thread.op.cell_count++] = guard.terms[i].cell;
	thread.op.guard = &thread.guard;
	thread.place = place;
	thread.role = EventRole::await;
	engine_->arrive(thread.op);
	unsigned which = 0;
	while (!terms[which].condition(image_.newest(guard.terms[which].cell), terms[which].arg))
		++which;
	value = read_event(guard.terms[which].cell, order, true, place, EventRole::await);
	return which;
}

bool Runtime::satisfied(const Guard &guard)
{
	in_condition_ = true;
	bool any = false;
	for (unsigned i = 0; i < guard.count && !any; ++i)
		any = guard.terms[i].condition(image_.newest(guard.terms[i].cell),
					       guard.terms[i].arg);
	in_condition_ = false;
	return any;
}

unsigned Runtime::choose(unsigned count)
{
	if (!exploring_ || count < 2)
		return 0;
	before_access();
	arrive(-1, false, false, 0, EventRole::plain);
	return engine_->choose(count);
}

unsigned Runtime::thread() const
{
	return exploring_ ? engine_->thread() : 0;
}

} // namespace wakerace
