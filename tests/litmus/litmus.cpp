// SPDX-License-Identifier: GPL-2.0-or-later
//
// A module of classic litmus tests: what an engine explores and what it does
// not is read off their outcomes (docs/engines.md). Registers are private to
// their thread, so that only the shared words are explored.
#include <linux/atomic.h>
#include <linux/barrier.h>
#include <linux/spinlock.h>

namespace {

struct shared {
	int x, y, z, w;
	int data; // plain: races are reported
	raw_spinlock_t lock;
};

struct registers {
	long r[4];
};

__image shared m;
__image registers registers_of[4];

#define r0 (registers_of[wr_thread()].r[0])
#define r1 (registers_of[wr_thread()].r[1])
#define interrupts_on (registers_of[wr_thread()].r[2])
#define field(type, name, flags) {#name, offsetof(type, name), sizeof(type::name), flags, nullptr}

const wr_field shared_fields[] = {
	field(shared, x, WR_FIELD_RACY), field(shared, y, WR_FIELD_RACY),
	field(shared, z, WR_FIELD_RACY), field(shared, w, WR_FIELD_RACY),
	field(shared, data, 0),          field(shared, lock, 0),
};
const wr_field register_fields[] = {field(registers, r, WR_FIELD_PRIVATE)};
const wr_object objects[] = {
	{"m", &m, sizeof(m), 1, shared_fields, 6, nullptr},
	{"registers", registers_of, sizeof(registers), 4, register_fields, 1, nullptr},
};

void zero() {}

// The handler of the one test that has interrupts: taken once y is set, it
// notes what x is worth at that moment.
void interrupt_point()
{
	if (!interrupts_on || r0 || READ_ONCE(m.y) != 1)
		return;
	r0 = 1 + READ_ONCE(m.x);
}

// The outcome is the registers that a test has written, thread by thread.
void report()
{
	static const char *const names[4][2] = {
		{"0:r0", "0:r1"}, {"1:r0", "1:r1"}, {"2:r0", "2:r1"}, {"3:r0", "3:r1"}};
	for (unsigned t = 0; t < 4; ++t)
		for (unsigned r = 0; r < 2; ++r)
			if (registers_of[t].r[r])
				wr_outcome(names[t][r], registers_of[t].r[r]);
	wr_outcome("x", m.x);
	wr_outcome("y", m.y);
}

// A test is its threads. A register holds 1 more than what was read, so that
// "read 0" and "not read" differ.
#define READ(reg, var) (reg = 1 + READ_ONCE(m.var))
#define WRITE(var, value) WRITE_ONCE(m.var, value)
#define TEST(id, name, threads, ...) TEST_EXPECTING(nullptr, 0, id, name, threads, __VA_ARGS__)
#define TEST_EXPECTING(rows, row_count, id, name, threads, ...)                                  \
	void id(unsigned thread)                                                                 \
	{                                                                                        \
		switch (thread) {                                                                \
			__VA_ARGS__                                                              \
		}                                                                                \
	}                                                                                        \
	const wr_program program_##id = {name, "", __FILE__, threads, 4, false, false,           \
					 zero, id, report, rows, row_count};
#define P(n, ...)                                                                                \
	case n: {                                                                                \
		__VA_ARGS__;                                                                     \
		break;                                                                           \
	}

TEST(sb, "SB", 2, P(0, WRITE(x, 1); READ(r0, y)) P(1, WRITE(y, 1); READ(r0, x)))
TEST(sb_mb, "SB+mb", 2,
     P(0, WRITE(x, 1); smp_mb(); READ(r0, y)) P(1, WRITE(y, 1); smp_mb(); READ(r0, x)))
TEST(sb_mb_po, "SB+mb+po", 2,
     P(0, WRITE(x, 1); smp_mb(); READ(r0, y)) P(1, WRITE(y, 1); READ(r0, x)))
TEST(sb_xchg, "SB+xchg", 2,
     P(0, xchg(&m.x, 1); READ(r0, y)) P(1, xchg(&m.y, 1); READ(r0, x)))
TEST(sb_rel_acq, "SB+rel+acq", 2,
     P(0, smp_store_release(&m.x, 1); r0 = 1 + smp_load_acquire(&m.y))
     P(1, smp_store_release(&m.y, 1); r0 = 1 + smp_load_acquire(&m.x)))
TEST(mp, "MP", 2, P(0, WRITE(x, 1); WRITE(y, 1)) P(1, READ(r0, y); READ(r1, x)))
TEST(mp_wmb, "MP+wmb", 2,
     P(0, WRITE(x, 1); smp_wmb(); WRITE(y, 1)) P(1, READ(r0, y); READ(r1, x)))
TEST(mp_rmb, "MP+rmb", 2,
     P(0, WRITE(x, 1); WRITE(y, 1)) P(1, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(mp_wmb_rmb, "MP+wmb+rmb", 2,
     P(0, WRITE(x, 1); smp_wmb(); WRITE(y, 1)) P(1, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(mp_rel_acq, "MP+rel+acq", 2,
     P(0, WRITE(x, 1); smp_store_release(&m.y, 1))
     P(1, r0 = 1 + smp_load_acquire(&m.y); READ(r1, x)))
TEST(mp_add_release, "MP+fetch_add_release+acq", 2,
     P(0, WRITE(x, 1); atomic_fetch_add_release(1, &m.y))
     P(1, r0 = 1 + smp_load_acquire(&m.y); READ(r1, x)))
TEST(sb_await, "SB+await", 2,
     P(0, WRITE(x, 1); READ(r0, y))
     P(1, WRITE(y, 1); smp_cond_load_relaxed(&m.x, VAL == 0); r0 = 1))
TEST(interrupt, "INTERRUPT", 2,
     P(0, interrupts_on = 1; WRITE(x, 1); WRITE(x, 2); interrupts_on = 0) P(1, WRITE(y, 1)))
TEST(mp_rel_ctrl, "MP+rel+ctrl-acquire", 2,
     P(0, WRITE(x, 1); smp_store_release(&m.y, 1))
     P(1, if (READ(r0, y) == 2) { smp_acquire__after_ctrl_dep(); READ(r1, x); }))
TEST(mp_old, "MP+wmb+rmb+old-values", 2,
     P(0, WRITE(x, 1); WRITE(x, 2); WRITE(x, 3); WRITE(y, 1)) P(1, READ(r0, y); READ(r1, x)))
TEST(mp_unlock_lock, "MP+unlock-lock+rmb", 2,
     P(0, raw_spin_lock(&m.lock); WRITE(x, 1); raw_spin_unlock(&m.lock);
       raw_spin_lock(&m.lock); WRITE(y, 1); raw_spin_unlock(&m.lock))
     P(1, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(mp_lock, "MP+lock+rmb", 2,
     P(0, WRITE(x, 1); raw_spin_lock(&m.lock); WRITE(y, 1); raw_spin_unlock(&m.lock))
     P(1, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(lb, "LB", 2, P(0, READ(r0, x); WRITE(y, 1)) P(1, READ(r0, y); WRITE(x, 1)))
TEST(lb_mb, "LB+mb", 2,
     P(0, READ(r0, x); smp_mb(); WRITE(y, 1)) P(1, READ(r0, y); smp_mb(); WRITE(x, 1)))
TEST(s, "S", 2, P(0, WRITE(x, 2); WRITE(y, 1)) P(1, READ(r0, y); WRITE(x, 1)))
TEST(s_wmb_acq, "S+wmb+acq", 2,
     P(0, WRITE(x, 2); smp_wmb(); WRITE(y, 1)) P(1, r0 = 1 + smp_load_acquire(&m.y); WRITE(x, 1)))
TEST(r, "R", 2, P(0, WRITE(x, 1); WRITE(y, 1)) P(1, WRITE(y, 2); READ(r0, x)))
TEST(r_mb, "R+mb", 2,
     P(0, WRITE(x, 1); smp_mb(); WRITE(y, 1)) P(1, WRITE(y, 2); smp_mb(); READ(r0, x)))
TEST(r_wmb_mb, "R+wmb+mb", 2,
     P(0, WRITE(x, 1); smp_wmb(); WRITE(y, 1)) P(1, WRITE(y, 2); smp_mb(); READ(r0, x)))
TEST(w2, "2+2W", 2, P(0, WRITE(x, 1); WRITE(y, 2)) P(1, WRITE(y, 1); WRITE(x, 2)))
TEST(w2_wmb, "2+2W+wmb", 2,
     P(0, WRITE(x, 1); smp_wmb(); WRITE(y, 2)) P(1, WRITE(y, 1); smp_wmb(); WRITE(x, 2)))
TEST(wrc, "WRC", 3,
     P(0, WRITE(x, 1)) P(1, READ(r0, x); WRITE(y, 1)) P(2, READ(r0, y); READ(r1, x)))
TEST(wrc_wmb_rmb, "WRC+wmb+rmb", 3,
     P(0, WRITE(x, 1)) P(1, READ(r0, x); smp_wmb(); WRITE(y, 1))
     P(2, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(wrc_rel_acq, "WRC+rel+acq", 3,
     P(0, WRITE(x, 1)) P(1, READ(r0, x); smp_store_release(&m.y, 1))
     P(2, r0 = 1 + smp_load_acquire(&m.y); READ(r1, x)))
TEST(iriw, "IRIW", 4,
     P(0, WRITE(x, 1)) P(1, WRITE(y, 1)) P(2, READ(r0, x); READ(r1, y))
     P(3, READ(r0, y); READ(r1, x)))
TEST(iriw_rmb, "IRIW+rmb", 4,
     P(0, WRITE(x, 1)) P(1, WRITE(y, 1)) P(2, READ(r0, x); smp_rmb(); READ(r1, y))
     P(3, READ(r0, y); smp_rmb(); READ(r1, x)))
TEST(iriw_mb, "IRIW+mb", 4,
     P(0, WRITE(x, 1)) P(1, WRITE(y, 1)) P(2, READ(r0, x); smp_mb(); READ(r1, y))
     P(3, READ(r0, y); smp_mb(); READ(r1, x)))
TEST(corr, "CoRR", 2, P(0, WRITE(x, 1)) P(1, READ(r0, x); READ(r1, x)))
TEST(corr2, "CoRR2", 4,
     P(0, WRITE(x, 1)) P(1, WRITE(x, 2)) P(2, READ(r0, x); READ(r1, x))
     P(3, READ(r0, x); READ(r1, x)))
TEST(coww, "CoWR", 2, P(0, WRITE(x, 1); READ(r0, x)) P(1, WRITE(x, 2)))
TEST(cas, "CAS", 3,
     P(0, r0 = 1 + cmpxchg(&m.x, 0, 1)) P(1, r0 = 1 + cmpxchg(&m.x, 0, 2))
     P(2, r0 = 1 + cmpxchg(&m.x, 1, 3)))
TEST(add, "ADD", 3,
     P(0, r0 = 1 + atomic_fetch_add(1, &m.x)) P(1, r0 = 1 + atomic_fetch_add(1, &m.x))
     P(2, r0 = 1 + atomic_fetch_add(1, &m.x)))
TEST(await, "AWAIT", 3,
     P(0, WRITE(x, 1); smp_store_release(&m.y, 1)) P(1, WRITE(x, 2); smp_store_release(&m.y, 2))
     P(2, r0 = smp_cond_load_acquire(&m.y, VAL == 1); READ(r1, x)))
TEST(toggle, "AWAIT+toggle", 3,
     P(0, WRITE(x, 1); WRITE(x, 0)) P(1, smp_cond_load_acquire(&m.x, VAL == 1); WRITE(y, 1))
     P(2, READ(r0, y); READ(r1, x)))
TEST(locks, "LOCK", 3,
     P(0, raw_spin_lock(&m.lock); r0 = ++m.data; raw_spin_unlock(&m.lock))
     P(1, raw_spin_lock(&m.lock); r0 = ++m.data; raw_spin_unlock(&m.lock))
     P(2, raw_spin_lock(&m.lock); r0 = ++m.data; raw_spin_unlock(&m.lock)))
TEST(race, "RACE", 2, P(0, m.data = 1; WRITE(x, 1)) P(1, READ(r0, x); r1 = 1 + m.data))
TEST(deadlock, "DEADLOCK", 2,
     P(0, smp_cond_load_acquire(&m.x, VAL == 1); WRITE(y, 1))
     P(1, smp_cond_load_acquire(&m.y, VAL == 1); WRITE(x, 1)))
TEST(choice, "CHOICE", 2,
     P(0, if (wr_choose(3) == 2) WRITE(x, 1)) P(1, READ(r0, x)))

// The one test with expectations: what happens depends on the weakened sites.
const wr_expectation handing_over_rows[] = {
	{"*", "*", "", "catalogue", nullptr},
	{"litmus", "c11", "DATA_RACE", "finding", "handing_over:smp_store_release"},
	{"litmus", "c11", "DATA_RACE", "finding",
	 "handing_over:smp_store_release handing_over:smp_load_acquire"},
	{"litmus", "sc", "", "finding", "handing_over:smp_wmb"}, // is no site of this module
	{"another", "sc", "", "finding", "handing_over:smp_rmb"},
};
TEST_EXPECTING(handing_over_rows, 5, handing_over, "HANDING-OVER", 2,
     P(0, m.data = 1; smp_store_release(&m.y, 1))
     P(1, if (smp_load_acquire(&m.y)) m.data = 2))

const wr_program *const programs[] = {
	&program_sb, &program_sb_mb, &program_sb_mb_po, &program_sb_xchg, &program_sb_rel_acq,
	&program_mp, &program_mp_wmb, &program_mp_rmb, &program_mp_wmb_rmb, &program_mp_rel_acq,
	&program_mp_add_release, &program_sb_await, &program_interrupt,
	&program_mp_rel_ctrl, &program_mp_old, &program_mp_unlock_lock, &program_mp_lock,
	&program_lb, &program_lb_mb, &program_s, &program_s_wmb_acq, &program_r, &program_r_mb,
	&program_r_wmb_mb, &program_w2, &program_w2_wmb, &program_wrc, &program_wrc_wmb_rmb,
	&program_wrc_rel_acq, &program_iriw, &program_iriw_rmb, &program_iriw_mb, &program_corr,
	&program_corr2, &program_coww, &program_cas, &program_add, &program_await,
	&program_toggle, &program_locks, &program_race, &program_deadlock, &program_choice,
	&program_handing_over,
};

} // namespace

extern "C" {
extern char __start_image[] __attribute__((visibility("hidden")));
extern char __stop_image[] __attribute__((visibility("hidden")));
extern const wr_site __start_wr_sites[] __attribute__((visibility("hidden")));
extern const wr_site __stop_wr_sites[] __attribute__((visibility("hidden")));

__attribute__((visibility("default"))) __no_access_events const wr_module *wakerace_module(void)
{
	static const char *const places[] = {"P0", "P1", "P2", "P3"};
	static wr_module module;
	module = {WR_ABI, "litmus", __start_image,
		  static_cast<size_t>(__stop_image - __start_image), objects, 2, nullptr, 0,
		  __start_wr_sites, static_cast<unsigned>(__stop_wr_sites - __start_wr_sites),
		  nullptr, 0, programs, ARRAY_SIZE(programs), interrupt_point, nullptr, 0,
		  places, 4, nullptr};
	return &module;
}
}
