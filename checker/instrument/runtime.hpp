// SPDX-License-Identifier: GPL-2.0-or-later
//
// Turns what instrumented code does into events. The compiler calls us before
// each access, so that a read's value is put into memory first and a written
// value is collected at the thread's next call; nothing of another thread runs
// in between.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/instrument/engine.hpp"
#include "checker/instrument/hooks.hpp"
#include "checker/instrument/image.hpp"
#include "checker/instrument/stacks.hpp"
#include "checker/program/module.hpp"
#include "checker/search/search.hpp"

#include <array>
#include <string>
#include <vector>

namespace wakerace {

class Runtime : public Hooks {
public:
	struct Options {
		Model model = Model::sc;
		bool interrupts_everywhere = true;
		std::vector<bool> weakened; // by site
		uint8_t poison = 0xa5;
		size_t events_max = 4000; // of one execution; more are truncated
	};

	Runtime(const Module &module, const wr_program &program, Options options);

	// Restores the image; the engine's threads may run after it.
	void begin(Engine &engine);
	// To be called when a thread's body has returned.
	void thread_ended();
	// To be called when no thread runs any more; @present are those that have
	// not come to the end of their bodies.
	void end(Ending ending, ThreadSet present);

	Execution &execution() { return execution_; }
	const Module &module() const { return module_; }
	const wr_program &program() const { return program_; }
	uint64_t newest(int cell) const { return image_.newest(cell); }
	// Sets problem() if the condition misbehaves.
	bool satisfied(const Guard &guard);
	const std::vector<uint64_t> &mark_counts() const { return mark_counts_; }
	// A mistake in the program or in us; ends the search.
	const std::string &problem() const { return error_; }
	void set_error(std::string text);

	// The contract, see checker/program/contract.h.
	void plain_access(const void *address, unsigned width, bool writes, wr_order order,
			  uintptr_t place) override;
	uint64_t load(const volatile void *address, unsigned width, wr_order order,
		      const wr_site *site, uintptr_t place) override;
	void store(volatile void *address, unsigned width, uint64_t value, wr_order order,
		   const wr_site *site, uintptr_t place) override;
	uint64_t rmw(volatile void *address, unsigned width, Update kind, uint64_t operand,
		     uint64_t expected, wr_order order, const wr_site *site,
		     uintptr_t place) override;
	void fence(wr_fence_kind kind, const wr_site *site, uintptr_t place) override;
	void lock(volatile uint32_t *word, const wr_site *site, uintptr_t place) override;
	void unlock(volatile uint32_t *word, const wr_site *site, uintptr_t place) override;
	unsigned await(const wr_await_term *terms, unsigned count, wr_order order, wr_wait wait,
		       const wr_site *site, uintptr_t place, uint64_t &value) override;
	unsigned choose(unsigned count) override;
	unsigned thread() const override;
	void switch_stack(unsigned to, wr_stack_entry entry) override;
	void note(wr_note_kind kind, unsigned place, unsigned item) override;
	void call_begin(wr_call_kind kind, unsigned subject) override;
	void call_end(wr_call_kind kind, unsigned result) override;
	void reached(const wr_mark *mark) override;
	void violation(const char *type, const char *text) override;
	void error(const char *text) override;
	void outcome(const char *name, uint64_t value) override;

private:
	// What a thread is in the middle of.
	struct Thread {
		int cell = -1;       // of the access under way, -1 if there is none
		int written_by = -1; // its event, if it writes
		wr_order order = WR_PLAIN;
		Op op; // where it is suspended
		Guard guard;
		EventRole role = EventRole::plain;
		uintptr_t place = 0;
		std::vector<int> notes;       // that wait for the next access
		std::vector<int> start_notes; // that wait for the first event, whatever it is
	};

	// What a stack is in the middle of, on whichever thread.
	struct OnStack {
		bool in_interrupt_point = false;
		std::vector<int> notes; // of the access that is interrupted
		std::vector<int> calls; // that are open
	};

	const Module &module_;
	const wr_program &program_;
	Options options_;
	Engine *engine_ = nullptr;
	bool exploring_ = false; // false in setup and finally
	bool in_condition_ = false;
	std::string error_;
	Image image_;
	Execution execution_;
	std::array<Thread, WR_THREADS_MAX> threads_;
	Stacks stacks_;
	std::array<OnStack, Stacks::count> on_stacks_;
	std::vector<uint64_t> mark_counts_;

	Thread &here() { return threads_[engine_->thread()]; }
	OnStack &on_stack() { return on_stacks_[stacks_.on(engine_->thread())]; }
	bool weakened(const wr_site *site) const;
	wr_order effective(wr_order order, const wr_site *site) const;
	const Module &become_current();
	// See Image::find; fails on what must not be.
	int cell_at(const volatile void *address, unsigned width, bool writes);
	void before_access();
	void complete_previous();
	void arrive(int cell, bool writes, bool orders, uintptr_t place, EventRole role);
	Event &add_event(EventKind kind, int cell, wr_order order, uintptr_t place);
	uint64_t finish_read(Event &event, int reads_from);
	void finish_write(Event &event, uint64_t value);
	void check_race(const Event &event);
	int number_of(const Event &event) const
	{
		return static_cast<int>(&event - execution_.events.data());
	}
	uint64_t value_of(int cell, int event) const;
	uint64_t read_event(int cell, wr_order order, bool newest, uintptr_t place, EventRole role);
	void collect_waiting(ThreadSet present);
	void run_finally();
	[[noreturn]] void fail(std::string text);
};

} // namespace wakerace
