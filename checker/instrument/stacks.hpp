// SPDX-License-Identifier: GPL-2.0-or-later
//
// The stacks that a program runs on besides those of the engine's threads
// (wr_switch in checker/program/contract.h). Their contents are not explored:
// whatever lives there is as its last user left it, on any thread.
#pragma once

#include "checker/program/contract.h"

#include <array>
#include <memory>

namespace wakerace {

class Stacks {
public:
	// The program's own, then one for each thread.
	static constexpr unsigned count = WR_STACKS_MAX + WR_THREADS_MAX;

	// Forgets what runs on them; every thread is on the stack it starts on.
	void restart();
	// The number of the stack that @thread is on.
	unsigned on(unsigned thread) const { return on_[thread]; }
	// Whether no other thread is on stack @to, or it is @thread's own.
	bool is_free(unsigned thread, unsigned to) const;
	// Suspends the stack of @thread and goes on with @to, which must be free.
	// Returns when the stack is gone on with, on any thread: at once if it is @to.
	void go(unsigned thread, unsigned to, wr_stack_entry entry);

private:
	static constexpr size_t size = 64 * 1024; // bytes

	struct Stack {
		std::unique_ptr<char[]> memory; // of the program's own, once they are used
		void *context = nullptr;        // where it goes on; null if it has not begun
	};

	std::array<Stack, count> stacks_;
	std::array<unsigned, WR_THREADS_MAX> on_;
};

} // namespace wakerace
