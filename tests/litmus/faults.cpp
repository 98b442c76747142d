// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs that do what a program under test must not, and a few that must be
// taken for what they are: the engine has to tell them apart.
#include <linux/atomic.h>
#include <linux/barrier.h>
#include <linux/spinlock.h>

namespace {

struct shared {
	int x, y;
	int constant;
	int unnamed;
	unsigned low : 1, high : 1;
	int data; // plain: races are reported
	raw_spinlock_t lock;
};

struct personal {
	int value;
	int interrupts; // are to come, see interrupt_point
};

__image shared m;
__image personal own[2];
int outside; // neither stack nor image: what is not restored between executions

#define FIELD(type, name, flags)                                                                   \
	{                                                                                          \
#name, offsetof(type, name), sizeof(type::name), flags, nullptr                    \
	}

const wr_field shared_fields[] = {
	FIELD(shared, x, WR_FIELD_RACY),
	FIELD(shared, y, WR_FIELD_RACY),
	FIELD(shared, constant, WR_FIELD_CONST),
	{"bits", offsetof(shared, unnamed) + sizeof(int), 1, WR_FIELD_RACY, nullptr},
	FIELD(shared, data, 0),
	FIELD(shared, lock, 0),
};
const wr_field own_fields[] = {
	FIELD(personal, value, WR_FIELD_PRIVATE),
	FIELD(personal, interrupts, WR_FIELD_PRIVATE),
};
const wr_object objects[] = {
	{"m", &m, sizeof(m), 1, shared_fields, 6, nullptr},
	{"own", own, sizeof(personal), 2, own_fields, 2, nullptr},
};

// P0 looks idle while x is 0.
const wr_idle_view idle_views[] = {{0, &m.x, sizeof(m.x), 0}};

// Item 1 may not go to P2, item 2 only to P0.
uint32_t allowed_places(unsigned item)
{
	return item == 1 ? 3 : item == 2 ? 1 : 7;
}

void zero() {}

void report()
{
	wr_outcome("x", m.x);
	wr_outcome("bits", m.low + 2 * m.high);
}

#define PROGRAM(id, name, body0, body1) PROGRAM_IN("", id, name, body0, body1)
#define PROGRAM_IN(file, id, name, body0, body1)                                                   \
	void id(unsigned thread)                                                                   \
	{                                                                                          \
		if (thread == 0) {                                                                 \
			body0;                                                                     \
		} else {                                                                           \
			body1;                                                                     \
		}                                                                                  \
	}                                                                                          \
	const wr_program program_##id = {name,  "",   file, 2,      2,       false,                \
					 false, zero, id,   report, nullptr, 0};

int read_behind(int *from)
{
	int value;
	asm volatile("movl %1, %0" : "=r"(value) : "m"(*from));
	return value;
}

void write_behind(int *to)
{
	asm volatile("movl $5, %0" : "=m"(*to));
}

bool touches_image(uint64_t, const void *)
{
	return m.y == 0;
}

int sum_on_stack()
{
	volatile int words[8];
	int sum = 0;
	for (int i = 0; i < 8; ++i)
		words[i] = i;
	for (int i = 0; i < 8; ++i)
		sum += words[i];
	return sum;
}

PROGRAM(asm_read, "asm-read", m.y = read_behind(&m.x) & 1, m.x = 1)
PROGRAM(asm_write, "asm-write", write_behind(&m.x), m.y = 1)
PROGRAM(bitfield, "bitfield", m.low = 1, m.high = 1)
PROGRAM(stack, "stack", m.x = sum_on_stack(), m.y = 1)
PROGRAM(unnamed, "unnamed", m.unnamed = 1, m.y = 1)
PROGRAM(narrow, "narrow", *(char *)&m.x = 1, m.y = 1)
PROGRAM(constant, "constant", m.constant = 1, m.y = 1)
PROGRAM(foreign, "foreign", own[1].value = 1, m.y = 1)
// Thread 1 has not begun when thread 0 fails, and would wait and wait.
PROGRAM(foreign_first, "foreign-first", own[1].value = 1,
	for (;;) smp_cond_load_relaxed(&m.x, VAL == 0))
PROGRAM(condition, "condition",
	wr_await(&m.x, 4, touches_image, nullptr, WR_ONCE, WR_WAIT_MUST_END, nullptr), m.x = 1)
PROGRAM(endless, "endless", while (READ_ONCE(m.x) != 2){}, m.x = 1)
PROGRAM(spin, "spin", for (volatile int i = 1; i;){}, m.x = 1)
PROGRAM(crash, "crash", *(volatile int *)8 = 1, m.x = 1)
PROGRAM(unsteady, "unsteady", if (++outside % 3 == 0) m.y = 1, m.y = 2)
// Marks belong to the program whose file they stand in.
PROGRAM_IN(__FILE__, unreached, "unreached", if (READ_ONCE(m.x) == 7) reachable("x is 7"), m.x = 1)
PROGRAM(unbalanced, "unbalanced", wr_call_end(WR_CALL_IDLE, 0), m.x = 1)
PROGRAM(own_words, "own-words", own[0].value = 3; m.x = own[0].value, m.y = 1)

// --- What an invariant must notice, and what it must not -------------------------

#define CALL(kind, subject, reads, result)                                                         \
	wr_call_begin(kind, subject);                                                              \
	reads;                                                                                     \
	wr_call_end(kind, result)
#define NOTED(kind, place, item, access)                                                           \
	wr_note(kind, place, item);                                                                \
	access

PROGRAM(search, "search", CALL(WR_CALL_SEARCH, 0, READ_ONCE(m.y), 1),
	NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.x, 1)))
// Only what the search reads says that there is work, and it says so in time.
PROGRAM(search_near, "search-near", CALL(WR_CALL_SEARCH, 0, int busy = READ_ONCE(m.x), !busy),
	NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.x, 1)))
PROGRAM(search_elsewhere, "search-elsewhere", CALL(WR_CALL_SEARCH, 0, READ_ONCE(m.y), 1),
	NOTED(WR_WORK_COMMIT, 1, 0, WRITE_ONCE(m.x, 1)))
PROGRAM(search_after, "search-after", NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.x, 1));
	NOTED(WR_WORK_DONE, 0, 0, WRITE_ONCE(m.x, 0));
	CALL(WR_CALL_SEARCH, 0, READ_ONCE(m.y), 1), m.y = 1)
// The lock may be taken before the work is there; it is not asked for work.
PROGRAM(search_lock, "search-lock",
	CALL(WR_CALL_SEARCH, 0, raw_spin_lock(&m.lock); raw_spin_unlock(&m.lock);
	     READ_ONCE(m.y), 1),
	raw_spin_lock(&m.lock);
	NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.x, 1)); raw_spin_unlock(&m.lock))

// Needless only where the kick sees that P0 polls. The call after it reads nothing.
PROGRAM(kick, "kick", NOTED(WR_POLL_BEGIN, 0, 0, WRITE_ONCE(m.x, 1)),
	CALL(WR_CALL_KICK, 0, READ_ONCE(m.x), 1);
	CALL(WR_CALL_IDLE, 0, {}, 0))
PROGRAM(kick_near, "kick-near", NOTED(WR_POLL_BEGIN, 0, 0, WRITE_ONCE(m.x, 1)),
	CALL(WR_CALL_KICK, 0, int polls = READ_ONCE(m.x), !polls))
PROGRAM(kick_end, "kick-end", NOTED(WR_POLL_BEGIN, 0, 0, WRITE_ONCE(m.x, 1));
	smp_store_release(&m.y, 1), smp_cond_load_acquire(&m.y, VAL);
	CALL(WR_CALL_KICK, 0, NOTED(WR_POLL_END, 0, 0, xchg(&m.x, 2)), 1))

#define COMMIT_TO_P0 NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.x, 1))
PROGRAM(stacked, "stacked", COMMIT_TO_P0; CALL(WR_CALL_SELECT, 1, READ_ONCE(m.y), 0), m.y = 1)
PROGRAM(stacked_confined, "stacked-confined", COMMIT_TO_P0;
	CALL(WR_CALL_SELECT, 2, READ_ONCE(m.y), 0), m.y = 1)
PROGRAM(stacked_busy, "stacked-busy", COMMIT_TO_P0; NOTED(WR_WORK_COMMIT, 1, 3, WRITE_ONCE(m.x, 2));
	CALL(WR_CALL_SELECT, 1, READ_ONCE(m.y), 0), m.y = 1)
PROGRAM(stacked_nowhere, "stacked-nowhere",
	NOTED(WR_WORK_COMMIT, WR_NOWHERE, 0, WRITE_ONCE(m.x, 1));
	CALL(WR_CALL_SELECT, 1, READ_ONCE(m.y), WR_NOWHERE), m.y = 1)

// That x is 1 before the commit is known by a from-read only, if y is read as 0.
PROGRAM(instant, "instant", WRITE_ONCE(m.x, 1);
	READ_ONCE(m.y), NOTED(WR_WORK_COMMIT, 0, 0, WRITE_ONCE(m.y, 1)))
PROGRAM(failed_exchange, "failed-exchange", NOTED(WR_WORK_COMMIT, 0, 0, cmpxchg(&m.x, 7, 8));
	CALL(WR_CALL_IDLE, 0, READ_ONCE(m.x), 1), m.y = 1)

// --- Stacks that move --------------------------------------------------------------

void back()
{
	wr_switch(WR_OWN_STACK, nullptr);
}

// Writes a plain cell, and once more when it is gone on with.
void writes_twice(unsigned)
{
	int kept = 40;
	asm volatile("" : "+m"(kept)); // lives on the stack
	m.data = 1;
	back();
	m.data++;
	WRITE_ONCE(m.x, kept + m.data);
	for (;;)
		back();
}

PROGRAM(handed_over, "handed-over", wr_switch(0, writes_twice);
	smp_store_release(&m.y, 1), smp_cond_load_acquire(&m.y, VAL); wr_switch(0, writes_twice))
PROGRAM(handed_over_relaxed, "handed-over-relaxed", wr_switch(0, writes_twice);
	WRITE_ONCE(m.y, 1), smp_cond_load_relaxed(&m.y, VAL); wr_switch(0, writes_twice))
PROGRAM(own_stack, "own-stack", back(); wr_switch(15, writes_twice); wr_switch(15, writes_twice);
	WRITE_ONCE(m.y, 1), READ_ONCE(m.y))
PROGRAM(no_such_stack, "no-such-stack", wr_switch(WR_STACKS_MAX, writes_twice), m.x = 1)

void reads_y(unsigned)
{
	WRITE_ONCE(m.x, 1);
	READ_ONCE(m.y);
	for (;;)
		back();
}

PROGRAM(stack_in_use, "stack-in-use", wr_switch(0, reads_y), WRITE_ONCE(m.y, 1);
	wr_switch(0, reads_y))

void writes_x(unsigned)
{
	WRITE_ONCE(m.x, 1);
	for (;;)
		back();
}

// No access tells who is on the stack first, nor whether it was left.
PROGRAM(stack_contended, "stack-contended", wr_switch(0, writes_x), WRITE_ONCE(m.y, 1);
	wr_switch(0, writes_x))

// Leaves the stack that is interrupted, as a preemption does.
void interrupt_point()
{
	if (!own[wr_thread()].interrupts)
		return;
	own[wr_thread()].interrupts = 0;
	back();
}

void notes_and_is_interrupted(unsigned)
{
	own[wr_thread()].interrupts = 1;
	NOTED(WR_WORK_COMMIT, 1, 0, WRITE_ONCE(m.x, 1));
	back();
}

PROGRAM(interrupted, "interrupted", wr_switch(0, notes_and_is_interrupted);
	smp_store_release(&m.y, 1), smp_cond_load_acquire(&m.y, VAL); wr_note(WR_WORK_COMMIT, 1, 1);
	wr_switch(0, notes_and_is_interrupted); CALL(WR_CALL_SEARCH, 1, READ_ONCE(m.y), 1))

void searches_and_is_interrupted(unsigned)
{
	wr_call_begin(WR_CALL_SEARCH, 0);
	own[wr_thread()].interrupts = 1;
	READ_ONCE(m.x);
	wr_call_end(WR_CALL_SEARCH, 1);
	back();
}

// The search begins on one thread and ends on the other, amid a call of each.
PROGRAM(carried_call, "carried-call", COMMIT_TO_P0;
	CALL(WR_CALL_KICK, 1, wr_switch(0, searches_and_is_interrupted), 0); READ_ONCE(m.x);
	smp_store_release(&m.y, 1), CALL(WR_CALL_IDLE, 0, smp_cond_load_acquire(&m.y, VAL);
					 wr_switch(0, searches_and_is_interrupted), 0))

const wr_program *const programs[] = {
	&program_asm_read,
	&program_asm_write,
	&program_bitfield,
	&program_stack,
	&program_unnamed,
	&program_narrow,
	&program_constant,
	&program_foreign,
	&program_condition,
	&program_endless,
	&program_spin,
	&program_crash,
	&program_unsteady,
	&program_unreached,
	&program_unbalanced,
	&program_own_words,
	&program_search,
	&program_search_near,
	&program_search_elsewhere,
	&program_search_after,
	&program_search_lock,
	&program_kick,
	&program_kick_near,
	&program_kick_end,
	&program_stacked,
	&program_stacked_confined,
	&program_stacked_busy,
	&program_stacked_nowhere,
	&program_instant,
	&program_failed_exchange,
	&program_handed_over,
	&program_handed_over_relaxed,
	&program_own_stack,
	&program_no_such_stack,
	&program_stack_in_use,
	&program_stack_contended,
	&program_foreign_first,
	&program_interrupted,
	&program_carried_call,
};

} // namespace

extern "C" {
extern char __start_image[] __attribute__((visibility("hidden")));
extern char __stop_image[] __attribute__((visibility("hidden")));
extern const wr_site __start_wr_sites[] __attribute__((visibility("hidden")));
extern const wr_site __stop_wr_sites[] __attribute__((visibility("hidden")));
extern const wr_mark __start_wr_marks[] __attribute__((visibility("hidden")));
extern const wr_mark __stop_wr_marks[] __attribute__((visibility("hidden")));

__attribute__((visibility("default"))) __no_access_events const wr_module *wakerace_module(void)
{
	static const char *const places[] = {"P0", "P1", "P2"};
	static wr_module module;
	module = {WR_ABI,
		  "faults",
		  __start_image,
		  static_cast<size_t>(__stop_image - __start_image),
		  objects,
		  2,
		  idle_views,
		  1,
		  __start_wr_sites,
		  static_cast<unsigned>(__stop_wr_sites - __start_wr_sites),
		  __start_wr_marks,
		  static_cast<unsigned>(__stop_wr_marks - __start_wr_marks),
		  programs,
		  ARRAY_SIZE(programs),
		  interrupt_point,
		  nullptr,
		  0,
		  places,
		  3,
		  allowed_places};
	return &module;
}
}
