// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tick preempts A for B between A's sleep state and its look at the condition it waits
 * for, which CPU1 makes true before it wakes A. A task that is preempted stays on its
 * runqueue whatever its state says: it has yet to look (kernel/sched/core.c:__schedule,
 * SM_PREEMPT). If it were taken off, nobody would wake it again.
 *
 * Bounded: one condition, one wakeup, one tick.
 */
#include "scenario.h"

static void preempted(void)
{
	wait_event(READ_ONCE(words[0].value));
}

static void other(void)
{
	reachable("A is preempted, or sleeps");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), preempted);
	setup_queued(B, 0, CPUS(0), other);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	WRITE_ONCE(words[0].value, 1);
	if (!wake(A))
		reachable("A does not have to be woken");
	tick(0);
}

static void finally(void)
{
	check_quiet();
	check_finished(A);
}

static const struct wr_expectation expected[] = {
	{ "v5.7", "*", "FALSE_IDLE_INSTANT", "catalogue entry 9" },
	{ "v5.8-rc[13]", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "kernel/sched/core.c:__schedule" },
};

SCENARIO(preempted_waiter, "a task is preempted between its sleep state and its look", 2, 2,
	 EXPECTATIONS(expected));
