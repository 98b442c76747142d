// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU1 wakes A and B, one after the other, on the idle CPU0 of the same cache (seed 004).
 * The mail says that the wakelist costs no more interrupts than before. For one wakeup that
 * is so, see wakelist_same_llc. For two it is not. A waker that enqueues by itself finds
 * that CPU0 has been told to reschedule already: one interrupt at the most. With the
 * wakelist CPU0 may have emptied its list, but not enqueued A yet, when B is pushed: it is
 * interrupted again, because nothing else would make it look (in the outcomes: interrupts).
 * Under the RFC such a push needs a CPU0 that looks idle though A was sent to it.
 *
 * Bounded: two wakeups; A is not preempted for B; CPU0 polls for a moment before it halts.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS_AND_HALTS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
	setup_sleeper(B, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	wake(A);
	wake(B);
}

static void finally(void)
{
	int interrupts = interrupts_sent(0);

	check_quiet();
	if (interrupts == 0)
		reachable("CPU0 polls, and needs no interrupt for either");
	if (interrupts == 1)
		reachable("CPU0 is interrupted once");
}

static const struct wr_expectation expected[] = {
	{ "rfc-*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "catalogue entry 2" },
	{ "v6.0 v6.1*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "mail [RFC PATCH] sched: Queue task on wakelist in the same llc" },
};

LARGE_SCENARIO(wakelist_same_llc_burst, "two wakeups for the idle CPU of the same cache", 2, 2,
	       EXPECTATIONS(expected));
