// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wakeup is announced to a CPU that polls, then halts (seed 004, catalogue section 1.3
 * and entry 35). The waker pushes A on CPU0's list, then looks at the flags of CPU0's idle
 * task: if that polls, NEED_RESCHED will do, else an interrupt has to be sent. CPU0 clears
 * its polling flag, then looks at its list. No wakeup may be lost, no interrupt needless.
 *
 * Here nobody but this waker makes CPU0 leave its loop, so that the hand-over is a message:
 * the list, then NEED_RESCHED. On CPU0's side only the barrier of do_idle() orders the two
 * reads. On the waker's side the push and the compare-and-exchange of the flag are a full
 * barrier each, and either suffices. The barrier between CPU0's clear of its polling flag
 * and its last look at NEED_RESCHED is not needed for this: both are in one word. For the
 * other half, in which each side writes before it reads, see polling_handoff_told.
 *
 * Bounded: one wakeup; CPU0 polls for a moment before it halts.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS_AND_HALTS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	wake(A);
}

static void finally(void)
{
	check_quiet();
	if (interrupts_sent(0))
		reachable("CPU0 does not poll, and is interrupted");
	else
		reachable("CPU0 polls, and needs no interrupt");
}

static const struct wr_expectation expected[] = {
	{ "v6.2", WEAK, "LOST_WAKEUP", "catalogue section 1.3", "do_idle:smp_mb__after_atomic" },
	{ "v6.2", "c11", "DATA_RACE LOST_WAKEUP", "catalogue section 1.3",
	  "llist_add:cmpxchg set_nr_if_polling:cmpxchg" },
	{ "v6.2", STORES_DELAYED, "ACCOUNTING_DRIFT DATA_RACE LOST_WAKEUP",
	  "finding (a delayed store)", "llist_add:cmpxchg set_nr_if_polling:cmpxchg" },
	{ "v6.2", WEAK, "", "finding (the other one does)", "llist_add:cmpxchg" },
	{ "v6.2", WEAK, "", "finding (the other one does)", "set_nr_if_polling:cmpxchg" },
	{ "v6.2", WEAK, "", "catalogue section 1.3",
	  "current_clr_polling_and_test:smp_mb__after_atomic" },
	{ "v6.2", "sc tso", "", "catalogue section 1.3", "do_idle:smp_mb__after_atomic" },
	{ "v5.7", "*", "FALSE_IDLE_INSTANT", "catalogue entry 9" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 35" },
};

SCENARIO(polling_handoff, "a wakeup is on its way to a CPU that polls, then halts", 2, 2,
	 EXPECTATIONS(expected));
