// SPDX-License-Identifier: GPL-2.0-or-later
//
// The symbols that a module leaves undefined: the accesses that the compiler
// announces (clang's ThreadSanitizer instrumentation, whose runtime we are) and
// the contract. Each passes on where it was called from.
#include "checker/instrument/hooks.hpp"

using wakerace::Hooks;
using wakerace::Update;

namespace {

Hooks &hooks()
{
	return *Hooks::current;
}

} // namespace

#define PLACE reinterpret_cast<uintptr_t>(__builtin_return_address(0))

// A named function for each width and kind, as the compiler calls them.
#define ACCESS(name, width, writes, order)                                                         \
	extern "C" void __tsan_##name(void *address)                                               \
	{                                                                                          \
		hooks().plain_access(address, width, writes, order, PLACE);                        \
	}
#define ACCESSES(width)                                                                            \
	ACCESS(read##width, width, false, WR_PLAIN)                                                \
	ACCESS(write##width, width, true, WR_PLAIN)                                                \
	ACCESS(volatile_read##width, width, false, WR_ONCE)                                        \
	ACCESS(volatile_write##width, width, true, WR_ONCE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
// Wider accesses exist on the stack; in the image they are refused by width.
ACCESSES(16)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}

uint64_t wr_load(const volatile void *address, unsigned width, wr_order order, const wr_site *site)
{
	return hooks().load(address, width, order, site, PLACE);
}

void wr_store(volatile void *address, unsigned width, uint64_t value, wr_order order,
	      const wr_site *site)
{
	hooks().store(address, width, value, order, site, PLACE);
}

uint64_t wr_exchange(volatile void *address, unsigned width, uint64_t value, wr_order order,
		     const wr_site *site)
{
	return hooks().rmw(address, width, Update::exchange, value, 0, order, site, PLACE);
}

uint64_t wr_compare_exchange(volatile void *address, unsigned width, uint64_t expected,
			     uint64_t value, wr_order order, const wr_site *site)
{
	return hooks().rmw(address, width, Update::compare_exchange, value, expected, order, site,
			   PLACE);
}

uint64_t wr_fetch(volatile void *address, unsigned width, wr_rmw_kind kind, uint64_t operand,
		  wr_order order, const wr_site *site)
{
	const Update rmw = kind == WR_RMW_ADD   ? Update::add
			   : kind == WR_RMW_AND ? Update::bit_and
						: Update::bit_or;
	return hooks().rmw(address, width, rmw, operand, 0, order, site, PLACE);
}

void wr_fence(wr_fence_kind kind, const wr_site *site)
{
	hooks().fence(kind, site, PLACE);
}

void wr_lock(volatile uint32_t *word, const wr_site *site)
{
	hooks().lock(word, site, PLACE);
}

void wr_unlock(volatile uint32_t *word, const wr_site *site)
{
	hooks().unlock(word, site, PLACE);
}

uint64_t wr_await(const volatile void *address, unsigned width, wr_condition condition,
		  const void *arg, wr_order order, wr_wait wait, const wr_site *site)
{
	const wr_await_term term{address, width, condition, arg};
	uint64_t value = 0;
	hooks().await(&term, 1, order, wait, site, PLACE, value);
	return value;
}

unsigned wr_await_any(const wr_await_term *terms, unsigned count, wr_order order, wr_wait wait,
		      const wr_site *site)
{
	uint64_t value = 0;
	return hooks().await(terms, count, order, wait, site, PLACE, value);
}

unsigned wr_choose(unsigned count)
{
	return hooks().choose(count);
}

unsigned wr_thread(void)
{
	return hooks().thread();
}

void wr_switch(unsigned to, wr_stack_entry entry)
{
	hooks().switch_stack(to, entry);
}

void wr_note(wr_note_kind kind, unsigned place, unsigned item)
{
	hooks().note(kind, place, item);
}

void wr_call_begin(wr_call_kind kind, unsigned subject)
{
	hooks().call_begin(kind, subject);
}

void wr_call_end(wr_call_kind kind, unsigned result)
{
	hooks().call_end(kind, result);
}

void wr_reached(const wr_mark *mark)
{
	hooks().reached(mark);
}

void wr_violation(const char *type, const char *text)
{
	hooks().violation(type, text);
}

void wr_error(const char *text)
{
	hooks().error(text);
}

void wr_outcome(const char *name, uint64_t value)
{
	hooks().outcome(name, value);
}

} // extern "C"
