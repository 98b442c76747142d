// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two CPUs wake A, which runs and blocks again meanwhile: the later wakeup may
 * find it on its runqueue, being switched out, or gone. A control: but for the
 * early clear of ttwu_pending, and the bits of v5.8 that share a word, nothing breaks,
 * on any kernel.
 *
 * Bounded: two wakeups, one from behind another cache, one from an idle CPU beside CPU0.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 0, CPU_IDLE);
	setup_sleeper(A, 0, CPUS(0, 2), blocks_again);
}

static void cpu(unsigned int cpu)
{
	if (cpu != 0 && wake(A) && cpu == 2)
		reachable("CPU2 wakes A");
	if (cpu != 1)
		run_cpu();
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT", "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "finding (tests/real)" },
	{ "v6.2", "c11", "DATA_RACE", "kernel/sched/core.c:finish_task",
	  "finish_task:smp_store_release" },
	{ "v6.2", STORES_DELAYED, "DATA_RACE RUNNING_TWICE", "finding (a delayed store)",
	  "finish_task:smp_store_release" },
};

SCENARIO(wake_while_blocking, "a task is woken from two CPUs while it blocks again", 3, 3,
	 EXPECTATIONS(expected));
