// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs whose number of executions is known, on which the growth of a checker
// is measured. A family's member with N threads or rounds is called family(N). All
// words start at 0, and accesses are relaxed unless a name says more.
#include "checker/program/contract.h"

#include <cstddef>

namespace {

struct word {
	int value;
};

#define IMAGE __attribute__((section("image")))

IMAGE word x, y;
IMAGE word cells[20];  // by thread or index
IMAGE word slots[128]; // a hash table
IMAGE word next[8];    // of a list's or a stack's node
IMAGE word curr, nr_running, ttwu_pending, first, ipi, lock;

int load(word &w)
{
	return static_cast<int>(wr_load(&w, 4, WR_ONCE, nullptr));
}
int load_acquire(word &w)
{
	return static_cast<int>(wr_load(&w, 4, WR_ACQUIRE, nullptr));
}
void store(word &w, int value)
{
	wr_store(&w, 4, value, WR_ONCE, nullptr);
}
void store_release(word &w, int value)
{
	wr_store(&w, 4, value, WR_RELEASE, nullptr);
}

int fetch_add(word &w, int value)
{
	return static_cast<int>(wr_fetch(&w, 4, WR_RMW_ADD, value, WR_ONCE, nullptr));
}

bool cas(word &w, int expected, int value, wr_order order = WR_ONCE)
{
	return static_cast<int>(wr_compare_exchange(&w, 4, expected, value, order, nullptr)) ==
	       expected;
}

bool is_zero(uint64_t value, const void *)
{
	return value == 0;
}

bool is_not_zero(uint64_t value, const void *)
{
	return value != 0;
}

bool equals(uint64_t value, const void *wanted)
{
	return value == reinterpret_cast<uintptr_t>(wanted);
}

void await(word &w, wr_condition condition, uintptr_t arg = 0)
{
	wr_await(&w, 4, condition, reinterpret_cast<void *>(arg), WR_ACQUIRE, WR_WAIT_MUST_END,
		 nullptr);
}

// --- Counters -----------------------------------------------------------------

void ninc(unsigned, unsigned)
{
	store(x, load(x) + 1);
}

void ainc(unsigned, unsigned)
{
	fetch_add(x, 1);
}

void casrot(unsigned, unsigned thread)
{
	cas(x, thread, thread + 1);
}

// --- Reads --------------------------------------------------------------------

void readers(unsigned, unsigned thread)
{
	if (thread == 0)
		store_release(x, 42);
	else
		load_acquire(x);
}

void lastzero(unsigned n, unsigned thread)
{
	if (thread > 0) {
		store_release(cells[thread], load_acquire(cells[thread - 1]) + 1);
		return;
	}
	for (unsigned i = n; load_acquire(cells[i]) != 0;)
		--i;
}

void fib(unsigned n, unsigned thread)
{
	for (unsigned i = 0; i < n; ++i) {
		const int a = load_acquire(x), b = load_acquire(y);
		store_release(thread ? y : x, a + b);
	}
}

// --- Structures ---------------------------------------------------------------

void indexer(unsigned, unsigned thread)
{
	for (unsigned i = 0; i < 4; ++i) {
		const int entry = static_cast<int>(11 * i + thread + 1);
		unsigned slot = 7 * (11 * i + thread) % 128;
		while (!cas(slots[slot], 0, entry))
			slot = (slot + 1) % 128;
	}
}

void treiber(unsigned n, unsigned thread)
{
	if (thread == n) { // the popper
		for (;;) {
			const int top = load_acquire(first);
			if (top == 0 || cas(first, top, load(next[top - 1]), WR_FULL))
				return;
		}
	}
	for (;;) {
		const int top = load_acquire(first);
		store(next[thread], top);
		if (cas(first, top, static_cast<int>(thread + 1), WR_FULL))
			return;
	}
}

// --- Locks --------------------------------------------------------------------

void ttas(unsigned, unsigned)
{
	do
		await(lock, is_zero);
	while (!cas(lock, 0, 1, WR_ACQUIRE));
	store(y, load(y) + 1);
	store_release(lock, 0);
}

void ticket(unsigned, unsigned)
{
	const int mine = fetch_add(x, 1);
	await(lock, equals, mine);
	store(y, load(y) + 1);
	store_release(lock, mine + 1);
}

// --- A wakeup that is queued on a remote CPU -----------------------------------

void push(unsigned waker)
{
	for (;;) {
		const int top = load(first);
		store(next[waker], top);
		if (!cas(first, top, static_cast<int>(waker + 1), WR_FULL))
			continue;
		if (top == 0)
			store_release(ipi, 1);
		return;
	}
}

void wakeup(unsigned n, unsigned thread)
{
	if (thread < n) {
		if (load(curr) == 0 && load(nr_running) == 0 && load(ttwu_pending) == 0) {
			store(ttwu_pending, 1);
			push(thread);
		}
		return;
	}
	await(ipi, is_not_zero);
	int node = static_cast<int>(wr_exchange(&first, 4, 0, WR_FULL, nullptr));
	wr_lock(reinterpret_cast<volatile uint32_t *>(&lock.value), nullptr);
	for (; node; node = load(next[node - 1]))
		store(nr_running, load(nr_running) + 1);
	store(ttwu_pending, 0);
	wr_unlock(reinterpret_cast<volatile uint32_t *>(&lock.value), nullptr);
}

// --- The module ----------------------------------------------------------------

using body = void (*)(unsigned n, unsigned thread);

void zero() {}

void one_and_one()
{
	x.value = y.value = 1;
}

template <body B, unsigned N> void run(unsigned thread)
{
	B(N, thread);
}

// N or N + 1 threads.
template <body B, unsigned N>
constexpr wr_program program(const char *name, unsigned threads, void (*setup)() = zero)
{
	return {name,  "a family's member", __FILE__, threads, 1, false, false,
		setup, run<B, N>,           nullptr,  nullptr, 0};
}

#define MEMBER(family, n, threads) program<family, n>(#family "(" #n ")", threads)

constexpr wr_program programs[] = {
	MEMBER(ninc, 3, 3),
	MEMBER(ninc, 4, 4),
	MEMBER(ninc, 5, 5),
	MEMBER(ainc, 6, 6),
	MEMBER(ainc, 8, 8),
	MEMBER(casrot, 4, 4),
	MEMBER(casrot, 6, 6),
	MEMBER(casrot, 8, 8),
	MEMBER(casrot, 10, 10),
	MEMBER(readers, 10, 11),
	MEMBER(readers, 15, 16),
	MEMBER(lastzero, 5, 6),
	MEMBER(lastzero, 10, 11),
	MEMBER(lastzero, 13, 14),
	program<fib, 3>("fib(3)", 2, one_and_one),
	program<fib, 5>("fib(5)", 2, one_and_one),
	MEMBER(indexer, 12, 12),
	MEMBER(indexer, 14, 14),
	MEMBER(indexer, 15, 15),
	MEMBER(ttas, 3, 3),
	MEMBER(ttas, 4, 4),
	MEMBER(ticket, 4, 4),
	MEMBER(treiber, 3, 4),
	MEMBER(treiber, 4, 5),
	MEMBER(wakeup, 2, 3),
	MEMBER(wakeup, 3, 4),
	MEMBER(wakeup, 4, 5),
};

constexpr unsigned program_count = sizeof(programs) / sizeof(programs[0]);
const wr_program *list[program_count];

constexpr wr_field value[] = {
	{"value", offsetof(word, value), sizeof(word::value), WR_FIELD_RACY, nullptr}};

#define WORDS(name, count)                                                                         \
	{                                                                                          \
#name, &name, sizeof(word), count, value, 1, nullptr                               \
	}

const wr_object objects[] = {
	WORDS(x, 1),     WORDS(y, 1),    WORDS(cells, 20),     WORDS(slots, 128),
	WORDS(next, 8),  WORDS(curr, 1), WORDS(nr_running, 1), WORDS(ttwu_pending, 1),
	WORDS(first, 1), WORDS(ipi, 1),  WORDS(lock, 1),
};

wr_module module;

} // namespace

extern "C" {

extern char __start_image[] __attribute__((visibility("hidden")));
extern char __stop_image[] __attribute__((visibility("hidden")));

__attribute__((visibility("default"), no_sanitize("thread"))) const wr_module *wakerace_module()
{
	for (unsigned i = 0; i < program_count; ++i)
		list[i] = &programs[i];
	module.abi = WR_ABI;
	module.kernel = "families";
	module.image = __start_image;
	module.image_size = __stop_image - __start_image;
	module.objects = objects;
	module.object_count = sizeof(objects) / sizeof(objects[0]);
	module.programs = list;
	module.program_count = program_count;
	return &module;
}

} // extern "C"
