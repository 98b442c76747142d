// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wakes B, which may run on CPU0 only, and blocks. CPU1 wakes A while it is still being
 * switched out. With "nr_running <= 1" A goes on the wakelist of CPU0, behind B, although
 * CPU2 in the same cache is free; with "== 0" it goes to CPU2 (seed 002, catalogue entry
 * 6, commit 28156108fecb).
 *
 * Bounded: two wakeups, of which one is A's; B ends at once; CPU2 only counts as free.
 */
#include "scenario.h"

static void waker(void)
{
	wake(B);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
}

static void wakee(void)
{
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_cpu(2, 0, CPU_FREE);
	setup_runner(A, 0, CPUS(0, 2), waker);
	setup_sleeper(B, 0, CPUS(0), wakee);
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
	if (task_place(A) == 2)
		reachable("A is woken on the free CPU");
	else
		reachable("A stays on CPU0");
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT STACKED", "catalogue entry 14" },
	{ "v5.8-rc1 v5.8-rc3 v5.8-rc6 v5.8 v5.10 v5.12 v5.14 v5.19 rfc-same-llc "
	  "rfc-same-llc-no-self-test", "*",
	  "FALSE_IDLE_INSTANT STACKED", "commit 28156108fecb" },
	{ "v6.0 v6.1 v6.1+idle-swapped", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "nr-running-le-1", "*", "STACKED", "commit 28156108fecb" },
	{ "*", "*", "", "commit 28156108fecb" },
};

SCENARIO(wakelist_nr_running, "a task is woken as it leaves its CPU to another", 2, 3,
	 EXPECTATIONS(expected));
