// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As polling_handoff, but CPU0 has been told to reschedule already, because B was moved to
 * it (catalogue section 1.3 and entry 35). If CPU0 polls still, A's waker sends nothing,
 * and relies on it to look at its list after it has cleared its polling flag. Each side
 * writes one word, then reads the other's. So each needs a full barrier in between: the
 * waker that of its push, CPU0 that of do_idle(). Without one of them, A stays on the list.
 * The compare-and-exchange of the flag, which polling_handoff could do with, is not reached.
 *
 * Under TSO both barriers come for free, because both writes are atomic operations.
 *
 * Bounded: one move and one wakeup, both from CPU1; CPU0 does not halt.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
	setup_queued(B, 1, CPUS(0, 1), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	set_affinity(B, CPUS(0));
	wake(A);
}

static void finally(void)
{
	int interrupts = interrupts_sent(0);

	check_quiet();
	if (interrupts == 0)
		reachable("CPU0 polls, and needs no interrupt");
	if (interrupts == 1)
		reachable("CPU0 is interrupted for one of the two");
	if (interrupts == 2)
		reachable("CPU0 is interrupted for both");
}

static const struct wr_expectation expected[] = {
	{ "v6.2", WEAK, "LOST_WAKEUP", "catalogue entry 35", "do_idle:smp_mb__after_atomic" },
	{ "v6.2", "c11", "DATA_RACE LOST_WAKEUP", "catalogue entry 35", "llist_add:cmpxchg" },
	{ "v6.2", STORES_DELAYED, "ACCOUNTING_DRIFT DATA_RACE LOST_WAKEUP",
	  "finding (a delayed store)", "llist_add:cmpxchg" },
	{ "v6.2", WEAK, "", "finding (not reached)", "set_nr_if_polling:cmpxchg" },
	{ "v6.2", WEAK, "", "catalogue section 1.3", "set_nr_and_not_polling:atomic_fetch_or" },
	{ "v6.2", "sc tso", "", "catalogue entry 35", "do_idle:smp_mb__after_atomic" },
	{ "v6.2", "sc tso", "", "catalogue entry 35", "llist_add:cmpxchg" },
	{ "*", "*", "", "catalogue entry 35" },
};

SCENARIO(polling_handoff_told, "a wakeup is on its way to a polling CPU that has been told", 2, 2,
	 EXPECTATIONS(expected));
