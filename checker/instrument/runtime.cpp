// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/instrument/runtime.hpp"

#include <fmt/format.h>

namespace wakerace {

Hooks *Hooks::current = nullptr;

Runtime::Runtime(const Module &module, const wr_program &program, Options options)
    : module_(module), program_(program), options_(std::move(options)),
      image_(become_current(), program, options_.poison),
      mark_counts_(module.description().mark_count)
{
	execution_.initial = image_.initial();
	options_.weakened.resize(module.description().site_count);
}

// The set-up of the image calls back already.
const Module &Runtime::become_current()
{
	current = this;
	return module_;
}

void Runtime::begin(Engine &engine)
{
	engine_ = &engine;
	execution_.clear(program_.threads, module_.cells().size());
	image_.restore();
	for (Thread &thread : threads_)
		thread = Thread{};
	stacks_.restart();
	on_stacks_.fill(OnStack{});
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
	if (const int cell = image_.overwritten(); cell >= 0) {
		set_error(fmt::format("{} was written by an access that escaped instrumentation",
				      module_.cell_name(cell)));
		return;
	}
	if (ending == Ending::complete || ending == Ending::blocked)
		collect_waiting(present);
	if (ending == Ending::complete)
		run_finally();
}

void Runtime::run_finally()
{
	image_.reveal();
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

// --- Events ------------------------------------------------------------------

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

int Runtime::cell_at(const volatile void *address, unsigned width, bool writes)
{
	Image::Target target = image_.find(address, width, writes, engine_->thread());
	if (target.cell >= 0 && in_condition_) {
		// Another thread's fiber is running, so this one cannot end here.
		set_error("the condition of a wait touches the image");
		return -1;
	}
	if (!target.error.empty())
		fail(std::move(target.error));
	return target.cell;
}

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
	return event == Event::initial ? execution_.initial[cell]
				       : execution_.events[event].written;
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
		finish_write(execution_.events[event], image_.peek(thread.cell));
	}
	image_.poison(thread.cell);
	thread.cell = thread.written_by = -1;
}

// An interrupt may come before each access. Notes that wait for the next access
// of this stack must not attach to the interrupt's accesses. The interrupt may
// take the thread away from the stack, which then goes on on another one, where
// notes may wait too.
void Runtime::before_access()
{
	complete_previous();
	OnStack &stack = on_stack();
	const auto interrupt_point = module_.description().interrupt_point;
	if (!options_.interrupts_everywhere || !interrupt_point || stack.in_interrupt_point)
		return;
	stack.in_interrupt_point = true;
	stack.notes.swap(here().notes);
	interrupt_point();
	complete_previous();
	std::vector<int> &notes = here().notes;
	notes.insert(notes.end(), stack.notes.begin(), stack.notes.end());
	stack.notes.clear();
	stack.in_interrupt_point = false;
}

// A step of the search, since it matters who is on a stack first; no event.
void Runtime::switch_stack(unsigned to, wr_stack_entry entry)
{
	if (!exploring_)
		return set_error("stacks are switched outside of the threads");
	complete_previous();
	if (to != WR_OWN_STACK && to >= WR_STACKS_MAX)
		fail(fmt::format("there is no stack {}; they end at {}", to, WR_STACKS_MAX - 1));
	Thread &thread = here();
	thread.op = Op{};
	for (const unsigned stack : {stacks_.on(engine_->thread()), to})
		if (stack < WR_STACKS_MAX)
			thread.op.cells[thread.op.cell_count++] =
				static_cast<int>(module_.cells().size() + stack);
	thread.op.writes = thread.op.switches = true;
	engine_->arrive(thread.op);
	if (stacks_.is_free(engine_->thread(), to))
		return stacks_.go(engine_->thread(), to, entry);
	violation("RUNNING_TWICE", "a stack is entered that another thread is on");
	engine_->give_up(Ending::broken);
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
	for (std::vector<int> *notes : {&threads_[t].start_notes, &threads_[t].notes}) {
		for (int note : *notes)
			execution_.notes[note].event = number;
		notes->clear();
	}
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
	event.before = image_.newest(event.cell);
	event.written = value;
	order.push_back(number_of(event));
	event.coherence = static_cast<int>(order.size());
	image_.set_newest(event.cell, value);
}

// Called before the engine performs the access.
void Runtime::check_race(const Event &event)
{
	const int number = number_of(event);
	const int other =
		engine_->race(event.cell, number, event.writes(), event.order == WR_PLAIN);
	if (other >= 0)
		execution_.findings.push_back(
			{"DATA_RACE",
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

// --- Annotations -------------------------------------------------------------

void Runtime::note(wr_note_kind kind, unsigned place, unsigned item)
{
	if (!exploring_)
		return;
	const unsigned t = engine_->thread();
	const bool at_start = kind == WR_OWNER_START;
	(at_start ? threads_[t].start_notes : threads_[t].notes)
		.push_back(static_cast<int>(execution_.notes.size()));
	execution_.notes.push_back(
		{-1, at_start ? WR_OWNER_BEGIN : kind, place, item, static_cast<uint8_t>(t)});
}

void Runtime::call_begin(wr_call_kind kind, unsigned subject)
{
	if (!exploring_)
		return;
	const unsigned t = engine_->thread();
	on_stack().calls.push_back(static_cast<int>(execution_.calls.size()));
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
	std::vector<int> &open = on_stack().calls;
	if (open.empty())
		fail("wr_call_end without wr_call_begin");
	Call &call = execution_.calls[open.back()];
	open.pop_back();
	if (call.kind != kind)
		fail("wr_call_end does not match its wr_call_begin");
	// What its stack has carried to another thread is no part of one program order.
	if (call.thread != t)
		return;
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

void Runtime::error(const char *text)
{
	if (exploring_)
		fail(text);
	set_error(text);
}

void Runtime::outcome(const char *name, uint64_t value)
{
	if (!execution_.outcome.empty())
		execution_.outcome += ' ';
	execution_.outcome += fmt::format("{}={}", name, static_cast<int64_t>(value));
}

} // namespace wakerace
