// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A waits for I/O on CPU0, which has B to run. CPU1 wakes A and takes it to itself, so that
 * A is counted off nr_iowait where it waited, not where it goes (kernel/sched/core.c:
 * try_to_wake_up, WF_MIGRATED).
 *
 * Bounded: one wait, one wakeup.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	io_schedule();
	if (smp_processor_id() == 1)
		reachable("A goes on on CPU1");
}

static void other(void)
{
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_IDLE);
	setup_runner(A, 0, CPUS(0, 1), sleeper);
	setup_queued(B, 0, CPUS(0), other);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 1)
		wake(A);
	run_cpu();
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.7", "*", "", "kernel/sched/core.c:try_to_wake_up" },
	{ "v5.8-rc[13]", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "rfc-same-llc-no-self-test", "*", "FALSE_IDLE_INSTANT NEEDLESS_IPI",
	  "mail [RFC PATCH] sched: Queue task on wakelist in the same llc" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "kernel/sched/core.c:try_to_wake_up" },
};

SCENARIO(iowait_migration, "a task that waits for I/O is woken on another CPU", 2, 2,
	 EXPECTATIONS(expected));
