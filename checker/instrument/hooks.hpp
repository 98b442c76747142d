// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an instrumented program calls, as one interface: the accesses that the
// compiler announces and the contract (checker/program/contract.h). Each engine
// has its own; @place is where the program called from.
#pragma once

#include "checker/execution/update.hpp"
#include "checker/program/contract.h"

#include <cstdint>

namespace wakerace {

class Hooks {
public:
	// The one whose threads are running; the callbacks have no other way.
	static Hooks *current;

	virtual ~Hooks() = default;

	virtual void plain_access(const void *address, unsigned width, bool writes, wr_order order,
				  uintptr_t place) = 0;
	virtual uint64_t load(const volatile void *address, unsigned width, wr_order order,
			      const wr_site *site, uintptr_t place) = 0;
	virtual void store(volatile void *address, unsigned width, uint64_t value, wr_order order,
			   const wr_site *site, uintptr_t place) = 0;
	virtual uint64_t rmw(volatile void *address, unsigned width, Update kind, uint64_t operand,
			     uint64_t expected, wr_order order, const wr_site *site,
			     uintptr_t place) = 0;
	virtual void fence(wr_fence_kind kind, const wr_site *site, uintptr_t place) = 0;
	virtual void lock(volatile uint32_t *word, const wr_site *site, uintptr_t place) = 0;
	virtual void unlock(volatile uint32_t *word, const wr_site *site, uintptr_t place) = 0;
	// Returns which of the words ended the wait, and @value of it.
	virtual unsigned await(const wr_await_term *terms, unsigned count, wr_order order,
			       wr_wait wait, const wr_site *site, uintptr_t place,
			       uint64_t &value) = 0;
	virtual unsigned choose(unsigned count) = 0;
	virtual unsigned thread() const = 0;
	virtual void switch_stack(unsigned to, wr_stack_entry entry) = 0;
	virtual void note(wr_note_kind kind, unsigned place, unsigned item) = 0;
	virtual void call_begin(wr_call_kind kind, unsigned subject) = 0;
	virtual void call_end(wr_call_kind kind, unsigned result) = 0;
	virtual void reached(const wr_mark *mark) = 0;
	virtual void violation(const char *type, const char *text) = 0;
	virtual void error(const char *text) = 0;
	virtual void outcome(const char *name, uint64_t value) = 0;
};

} // namespace wakerace
