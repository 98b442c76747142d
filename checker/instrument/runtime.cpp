// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/instrument/runtime.hpp"

#include <cstring>
#include <fmt/format.h>

namespace wakerace {

Runtime *Runtime::current = nullptr;

Runtime::Runtime(const Module &module, const wr_program &program, Options options)
	: module_(module), program_(program), options_(std::move(options)),
	  mark_counts_(module.description().mark_count)
{
	const wr_module &m = module.description();
	current = this;
	module.restore_image();
	program.setup();
	initial_image_.assign(module.image(), module.image() + m.image_size);
	for (size_t cell = 0; cell < module.cells().size(); ++cell)
		execution_.initial.push_back(peek(static_cast<int>(cell)));
	options_.weakened.resize(m.site_count);
}

void Runtime::begin(Engine &engine)
{
	engine_ = &engine;
	execution_.clear(program_.threads, module_.cells().size());
	std::memcpy(module_.image(), initial_image_.data(), initial_image_.size());
	newest_ = execution_.initial;
	for (size_t cell = 0; cell < newest_.size(); ++cell)
		poison(static_cast<int>(cell));
	for (Thread &thread : threads_)
		thread = Thread{};
	exploring_ = true;
}

void Runtime::thread_ended()
{
	complete_previous();
}

void Runtime::end(Ending ending, ThreadSet present)
{
	exploring_ = false;
	execution_.ending = ending;
	if (!error_.empty())
		return;
	check_poison();
	if (ending == Ending::complete || ending == Ending::blocked)
		collect_waiting(present);
	if (ending == Ending::complete)
		run_finally();
}

void Runtime::run_finally()
{
	for (size_t cell = 0; cell < newest_.size(); ++cell)
		poke(static_cast<int>(cell), newest_[cell]);
	if (program_.finally)
		program_.finally();
}

void Runtime::collect_waiting(ThreadSet present)
{
	for (unsigned t = 0; t < program_.threads; ++t) {
		const Thread &thread = threads_[t];
		if (!(present & bit(t)) || !thread.op.guard)
			continue;
		execution_.waiting.push_back({static_cast<uint8_t>(t), thread.guard.wait,
					      thread.role, thread.op.cells[0], thread.place});
	}
}

// --- Memory ------------------------------------------------------------------

uint64_t Runtime::peek(int cell) const
{
	const Cell &c = module_.cells()[cell];
	uint64_t value = 0;
	std::memcpy(&value, module_.image() + c.offset, c.width);
	return value;
}

void Runtime::poke(int cell, uint64_t value)
{
	const Cell &c = module_.cells()[cell];
	std::memcpy(module_.image() + c.offset, &value, c.width);
}

void Runtime::poison(int cell)
{
	const Cell &c = module_.cells()[cell];
	std::memset(module_.image() + c.offset, options_.poison, c.width);
}

void Runtime::check_poison()
{
	for (size_t i = 0; i < module_.cells().size(); ++i) {
		const Cell &cell = module_.cells()[i];
		for (uint32_t byte = 0; byte < cell.width; ++byte)
			if (module_.image()[cell.offset + byte] != options_.poison) {
				error_ = fmt::format("{} was written by an access that escaped "
						     "instrumentation",
						     module_.cell_name(static_cast<int>(i)));
				return;
			}
	}
}

void Runtime::set_error(std::string text)
{
	if (error_.empty())
		error_ = std::move(text);
}

void Runtime::fail(std::string text)
{
	set_error(std::move(text));
	engine_->give_up(Ending::truncated);
	__builtin_unreachable(); // gcc 12 does not see that a virtual call cannot return
}

// -1 for what is not explored: stack, host memory, constants, and the calling
// thread's own state.
int Runtime::cell_at(const volatile void *address, unsigned width, bool writes)
{
	const uint64_t offset = reinterpret_cast<uint64_t>(address) -
				reinterpret_cast<uint64_t>(module_.image());
	if (offset >= module_.description().image_size) {
		if (writes && module_.is_unrestored(address))
			fail("a static variable outside of the image is written: nothing would "
			     "restore it for the next execution");
		return -1;
	}
	if (in_condition_) {
		// Another thread's fiber is running, so this one cannot end here.
		set_error("the condition of a wait touches the image");
		return -1;
	}
	const Module::Place place = module_.at(offset);
	switch (place.kind) {
	case Module::Kind::personal:
		if (place.owner != engine_->thread())
			fail(fmt::format("thread {} touches the private state of thread {}",
					 engine_->thread(), place.owner));
		return -1;
	case Module::Kind::constant:
		if (writes)
			fail(fmt::format("a constant field is written at offset {} of the image",
					 offset));
		return -1;
	case Module::Kind::unnamed:
		fail(fmt::format("no field describes the access to offset {} of the image", offset));
	case Module::Kind::cell:
		break;
	}
	const Cell &cell = module_.cells()[place.cell];
	if (cell.offset != offset || cell.width != width)
		fail(fmt::format("{} is {} bytes wide but {} bytes are accessed at its byte {}",
				 module_.cell_name(place.cell), cell.width, width,
				 offset - cell.offset));
	return place.cell;
}

// --- Events ------------------------------------------------------------------

bool Runtime::weakened(const wr_site *site) const
{
	return site && options_.weakened[site - module_.description().sites];
}

wr_order Runtime::effective(wr_order order, const wr_site *site) const
{
	return weakened(site) ? WR_ONCE : order;
}

uint64_t Runtime::value_of(int cell, int event) const
{
	return event == Event::initial ? execution_.initial[cell] : execution_.events[event].written;
}

// The access under way is over: its real load or store has been executed.
void Runtime::complete_previous()
{
	Thread &thread = here();
	if (thread.cell < 0)
		return;
	if (thread.written_by >= 0) {
		const int event = thread.written_by;
		engine_->store(thread.cell, thread.order, event);
		finish_write(execution_.events[event], peek(thread.cell));
	}
	poison(thread.cell);
	thread.cell = thread.written_by = -1;
}

// An interrupt may come before each access. Notes that wait for this thread's
// next access must not attach to the interrupt's accesses.
void Runtime::before_access()
{
	complete_previous();
	Thread &thread = here();
	const auto interrupt_point = module_.description().interrupt_point;
	if (!options_.interrupts_everywhere || !interrupt_point || thread.in_interrupt_point)
		return;
	thread.in_interrupt_point = true;
	const std::vector<int> notes = std::move(thread.notes);
	thread.notes.clear();
	interrupt_point();
	complete_previous();
	thread.notes = notes;
	thread.in_interrupt_point = false;
}

void Runtime::arrive(int cell, bool writes, bool orders, uintptr_t place, EventRole role)
{
	Thread &thread = here();
	thread.op = Op{};
	if (cell >= 0)
		thread.op.cells[thread.op.cell_count++] = cell;
	thread.op.writes = writes;
	thread.op.orders = orders && options_.model == Model::c11;
	thread.place = place;
	thread.role = role;
	engine_->arrive(thread.op);
}

Event &Runtime::add_event(EventKind kind, int cell, wr_order order, uintptr_t place)
{
	if (execution_.events.size() >= options_.events_max)
		engine_->give_up(Ending::truncated);
	const uint8_t t = static_cast<uint8_t>(engine_->thread());
	const int number = static_cast<int>(execution_.events.size());
	Event &event = execution_.events.emplace_back();
	event.thread = t;
	event.kind = kind;
	event.role = threads_[t].role;
	event.order = order;
	event.cell = cell;
	event.place = place;
	event.position = static_cast<int>(execution_.by_thread[t].size());
	execution_.by_thread[t].push_back(number);
	for (int note : threads_[t].notes)
		execution_.notes[note].event = number;
	threads_[t].notes.clear();
	return event;
}

uint64_t Runtime::finish_read(Event &event, int reads_from)
{
	const auto &order = execution_.coherence[event.cell];
	event.reads_from = reads_from;
	event.stale = reads_from != (order.empty() ? Event::initial : order.back());
	event.value = value_of(event.cell, reads_from);
	return event.value;
}

void Runtime::finish_write(Event &event, uint64_t value)
{
	auto &order = execution_.coherence[event.cell];
	event.before = newest_[event.cell];
	event.written = value;
	order.push_back(number_of(event));
	event.coherence = static_cast<int>(order.size());
	newest_[event.cell] = value;
}

// Called before the engine performs the access.
void Runtime::check_race(const Event &event)
{
	const int number = number_of(event);
	const int other = engine_->race(event.cell, number, event.writes(),
					event.order == WR_PLAIN);
	if (other >= 0)
		execution_.findings.push_back({"DATA_RACE",
					       fmt::format("accesses to {} race: nothing orders them",
							   module_.cell_name(event.cell)),
					       {other, number}});
}

uint64_t Runtime::read_event(int cell, wr_order order, bool newest, uintptr_t place, EventRole role)
{
	threads_[engine_->thread()].role = role;
	Event &event = add_event(EventKind::read, cell, order, place);
	check_race(event);
	return finish_read(event, engine_->load(cell, order, newest));
}

// --- The compiler's accesses -------------------------------------------------

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
		poke(cell, read_event(cell, order, false, place, EventRole::plain));
	}
	thread.cell = cell;
	thread.order = order;
}

// --- The contract ------------------------------------------------------------

namespace {

uint64_t raw_load(const volatile void *address, unsigned width)
{
	uint64_t value = 0;
	std::memcpy(&value, const_cast<const void *>(address), width);
	return value;
}

void raw_store(volatile void *address, unsigned width, uint64_t value)
{
	std::memcpy(const_cast<void *>(address), &value, width);
}

uint64_t apply(Runtime::Rmw kind, uint64_t old, uint64_t operand, unsigned width)
{
	const uint64_t mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * width) - 1;
	switch (kind) {
	case Runtime::Rmw::exchange:
	case Runtime::Rmw::compare_exchange:
		return operand & mask;
	case Runtime::Rmw::add:
		return (old + operand) & mask;
	case Runtime::Rmw::bit_and:
		return old & operand & mask;
	case Runtime::Rmw::bit_or:
		return (old | operand) & mask;
	}
	return old;
}

bool is_free(uint64_t value, const void *) { return value == 0; }

} // namespace

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
	finish_write(event, apply(Rmw::exchange, 0, value, width));
}

uint64_t Runtime::rmw(volatile void *address, unsigned width, Rmw kind, uint64_t operand,
		      uint64_t expected, wr_order order, const wr_site *site, uintptr_t place)
{
	const int cell = exploring_ ? cell_at(address, width, true) : -1;
	if (cell < 0) {
		const uint64_t old = raw_load(address, width);
		if (kind != Rmw::compare_exchange || old == expected)
			raw_store(address, width, apply(kind, old, operand, width));
		return old;
	}
	before_access();
	order = effective(order, site);
	arrive(cell, true, order == WR_FULL, place, EventRole::plain);
	// A compare-exchange that fails is a read without ordering.
	if (kind == Rmw::compare_exchange && newest_[cell] != expected) {
		here().notes.clear();
		return read_event(cell, WR_ONCE, true, place, EventRole::plain);
	}
	const auto &coherence = execution_.coherence[cell];
	const int source = coherence.empty() ? Event::initial : coherence.back();
	Event &event = add_event(EventKind::rmw, cell, order, place);
	check_race(event);
	engine_->exchange(cell, order, number_of(event));
	const uint64_t old = finish_read(event, source);
	finish_write(event, apply(kind, old, operand, width));
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
	while (!terms[which].condition(newest_[guard.terms[which].cell], terms[which].arg))
		++which;
	value = read_event(guard.terms[which].cell, order, true, place, EventRole::await);
	return which;
}

bool Runtime::satisfied(const Guard &guard)
{
	in_condition_ = true;
	bool any = false;
	for (unsigned i = 0; i < guard.count && !any; ++i)
		any = guard.terms[i].condition(newest_[guard.terms[i].cell], guard.terms[i].arg);
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

// --- Annotations -------------------------------------------------------------

void Runtime::note(wr_note_kind kind, unsigned place, unsigned item)
{
	if (!exploring_)
		return;
	const unsigned t = engine_->thread();
	threads_[t].notes.push_back(static_cast<int>(execution_.notes.size()));
	execution_.notes.push_back({-1, kind, place, item, static_cast<uint8_t>(t)});
}

void Runtime::call_begin(wr_call_kind kind, unsigned subject)
{
	if (!exploring_)
		return;
	const unsigned t = engine_->thread();
	threads_[t].calls.push_back(static_cast<int>(execution_.calls.size()));
	Call &call = execution_.calls.emplace_back();
	call.thread = static_cast<uint8_t>(t);
	call.kind = kind;
	call.subject = subject;
	call.first = static_cast<int>(execution_.by_thread[t].size());
}

void Runtime::call_end(wr_call_kind kind, unsigned result)
{
	if (!exploring_)
		return;
	const unsigned t = engine_->thread();
	if (threads_[t].calls.empty())
		fail("wr_call_end without wr_call_begin");
	Call &call = execution_.calls[threads_[t].calls.back()];
	threads_[t].calls.pop_back();
	if (call.kind != kind)
		fail("wr_call_end does not match its wr_call_begin");
	call.result = result;
	call.last = static_cast<int>(execution_.by_thread[t].size()) - 1;
	call.returned = true;
}

void Runtime::reached(const wr_mark *mark)
{
	if (engine_) // in finally too, but not in setup
		++mark_counts_[mark - module_.description().marks];
}

void Runtime::violation(const char *type, const char *text)
{
	std::vector<int> events;
	if (exploring_ && !execution_.by_thread[engine_->thread()].empty())
		events.push_back(execution_.by_thread[engine_->thread()].back());
	execution_.findings.push_back({type, text, std::move(events)});
}

void Runtime::outcome(const char *name, uint64_t value)
{
	if (!execution_.outcome.empty())
		execution_.outcome += ' ';
	execution_.outcome += fmt::format("{}={}", name, static_cast<int64_t>(value));
}

} // namespace wakerace
