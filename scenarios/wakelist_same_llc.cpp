// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU1 wakes B, which may run on CPU1 only, and A, which goes to the idle CPU0 of the same
 * cache (seed 004, catalogue entry 5). CPU1 is idle itself, as where an interrupt wakes. Up
 * to v5.19 it enqueues A by itself; the RFC, and v6.0, use CPU0's wakelist. A CPU that polls
 * needs no interrupt either way, one that does not poll needs one either way (in the
 * outcomes: interrupts). What the RFC changes is that the early clear of ttwu_pending now
 * concerns this wakeup, too; and without its test for the own CPU, B goes on CPU1's own
 * wakelist, because CPU1 looks idle.
 *
 * Bounded: one wakeup for each CPU.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS_AND_HALTS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_IDLE);
	setup_sleeper(A, 0, CPUS(0), runs_on);
	setup_sleeper(B, 1, CPUS(1), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 1) {
		wake(B);
		wake(A);
	}
	run_cpu();
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
	{ "v6.0 v6.1* rfc-same-llc", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "rfc-same-llc-no-self-test", "*", "FALSE_IDLE_INSTANT NEEDLESS_IPI",
	  "mail [RFC PATCH] sched: Queue task on wakelist in the same llc" },
	{ "*", "*", "", "mail [RFC PATCH] sched: Queue task on wakelist in the same llc" },
};

SCENARIO(wakelist_same_llc, "an idle CPU wakes a task for itself, and one for its neighbour", 2, 2,
	 EXPECTATIONS(expected));
