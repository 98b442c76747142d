// SPDX-License-Identifier: GPL-2.0-or-later
//
// The threads of an instrumented program as the graph engine wants them. Each
// runs on a fiber along its nodes in the graph, is given their values, and is
// suspended where they end. A thread whose nodes have changed starts again from
// the beginning. Where threads share more than the cells of the image, stacks or
// private fields, all of them do.
#pragma once

#include "checker/graph/explorer.hpp"
#include "checker/graph/record.hpp"
#include "checker/instrument/hooks.hpp"
#include "checker/instrument/image.hpp"
#include "checker/instrument/stacks.hpp"
#include "checker/program/module.hpp"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace wakerace {

class NativeThreads : public Threads, public Hooks {
public:
	struct Options {
		bool interrupts_everywhere = true;
		std::vector<bool> weakened; // by site
		uint8_t poison = 0xa5;
		int nodes_max = 4000; // of one thread; longer ones are cut
	};

	NativeThreads(const Module &module, const wr_program &program, Options options);

	// By cell of the graph: those of the image, then one for each stack of the
	// program's own, which is 1 while a thread is on it.
	std::vector<uint64_t> initial() const;

	// --- Threads ---
	void become(const Graph &graph) override;
	void cut(unsigned thread, int length) override;
	const Label &next(unsigned thread) override;
	bool stopped() const override { return broken_ || !error_.empty(); }

	// --- What has happened, once the graph has come to its end ---
	const Module &module() const { return module_; }
	const Record &record(unsigned thread) const { return fibers_[thread].record; }
	// A thread has entered a stack that another is on.
	bool broken() const { return broken_; }
	// A thread has come to the bound on its length.
	bool truncated() const;
	// Whether a thread waits for ever, and for what.
	std::vector<Waiting> waiting() const;
	// Looks at the final memory; returns what the program calls its outcome.
	std::string finish(bool complete);
	// What finally() has found.
	const Record &epilogue() const { return epilogue_; }
	const std::vector<uint64_t> &mark_counts() const { return mark_counts_; }
	// A mistake in the program or in us; ends the exploration.
	const std::string &problem() const { return error_; }

	// --- Hooks ---
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
	unsigned thread() const override { return exploring_ ? running_ : 0; }
	void switch_stack(unsigned to, wr_stack_entry entry) override;
	void note(wr_note_kind kind, unsigned place, unsigned item) override;
	void call_begin(wr_call_kind kind, unsigned subject) override;
	void call_end(wr_call_kind kind, unsigned result) override;
	void reached(const wr_mark *mark) override;
	void violation(const char *type, const char *text) override;
	void error(const char *text) override;
	void outcome(const char *name, uint64_t value) override;

private:
	enum class State : uint8_t {
		fresh,     // has not begun
		suspended, // at its label, which is not in the graph yet
		refused,   // at a wait whose value it does not go on with
		held,      // before a stack that its last user has not left yet
	};
	struct Fiber {
		std::unique_ptr<char[]> memory;
		void *context = nullptr;
		State state = State::fresh;
		bool stale = false;           // nodes that it has followed are gone
		bool too_long = false;        // it has met the bound on its length
		std::vector<uint64_t> values; // of the nodes that it has followed
		Label label;                  // what it does next
		int cell = -1;                // of the plain access under way
		bool writes = false;          // whether its value is still to be collected
		Label plain;                  // by this write
		Record record;
	};
	// What a stack is in the middle of, on whichever thread.
	struct OnStack {
		bool in_interrupt_point = false;
		std::vector<PendingNote> notes;                 // of the access that is interrupted
		std::vector<std::pair<unsigned, size_t>> calls; // open: thread, index in its record
	};
	// Who left a stack last: a thread, and the index of its node.
	struct Left {
		int thread = -1;
		int index = -1;
	};

	const Module &module_;
	const wr_program &program_;
	Options options_;
	bool exploring_ = false; // false in setup and finally
	const Graph *graph_ = nullptr;
	std::string error_;
	Image image_;
	std::vector<Fiber> fibers_;
	Stacks stacks_;
	std::array<OnStack, Stacks::count> on_stacks_;
	std::array<Left, WR_STACKS_MAX> left_;
	bool together_ = false; // threads share more than cells
	bool restart_ = false;  // all have to start again
	uint64_t finished_ = 0; // executions
	bool revealed_ = false; // the memory holds final values instead of poison
	bool broken_ = false;
	unsigned running_ = 0;
	void *explorer_ = nullptr; // where the explorer's own context is kept
	std::deque<Guard> guards_;
	std::vector<uint64_t> mark_counts_;
	Record epilogue_;
	std::string outcome_;

	Fiber &here() { return fibers_[running_]; }
	OnStack &on_stack() { return on_stacks_[stacks_.on(running_)]; }
	const Module &become_current();
	bool weakened(const wr_site *site) const;
	wr_order effective(wr_order order, const wr_site *site) const;
	int cell_at(const volatile void *address, unsigned width, bool writes);
	const Guard *intern(const Guard &guard);
	[[noreturn]] void fail(std::string text);

	void check_poison();
	void hide();
	void restart(Fiber &fiber);
	void restart_all();
	void follow();
	bool arrived(unsigned thread) const;
	void run_to_its_end(unsigned thread);
	void resume(unsigned thread);
	void suspend(State state);
	[[noreturn]] void run_body();
	[[noreturn]] void stop();

	void before_access();
	void complete_previous();
	Node arrive(const Label &label);
	void attach_notes();
	void enter_stack(unsigned stack);
	void leave_stack(unsigned stack);
	void set_error(std::string text);
};

} // namespace wakerace
