// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the idle time that newidle_pending is about gets into avg_idle (catalogue section
 * 1.4). CPU0 stamps the time when it runs out of tasks, and the next wakeup feeds what
 * has passed. Since e5e678e4fea2 a CPU that finds a wakeup announced goes idle without a
 * stamp, so that this time is never fed; if the announcement comes a moment later, after
 * the stamp, the same idle time is. Before, each was. The third version of the proposal
 * fed neither.
 *
 * Bounded: one sleep, one wakeup; nobody has tasks to give, so that CPU0 does not search.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), sleeper);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	if (wake(A))
		reachable("CPU1 wakes A");
}

static void finally(void)
{
	check_quiet();
	check_idle_times(0);
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT", "catalogue entry 14" },
	{ "v5.8-rc1 v5.8-rc3 v5.8-rc6 v5.8 v5.10 v5.12", "*", "FALSE_IDLE_INSTANT",
	  "commit d6962c4fe8f9" },
	{ "v5.14 v5.19 v6.0 v6.1 v6.1+idle-swapped rfc-same-llc rfc-same-llc-no-self-test", "*",
	  "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "catalogue section 1.4" },
	{ "v5.7 newidle-before", "*", "", "catalogue section 1.4" },
	{ "*", "*", "ACCOUNTING_DRIFT", "catalogue section 1.4" },
};

SCENARIO(newidle_idle_time, "what avg_idle sees of an idle time that a wakeup cuts short", 2, 2,
	 EXPECTATIONS(expected));
