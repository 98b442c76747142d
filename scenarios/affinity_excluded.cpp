// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A blocks on CPU0. Before it is switched out, CPU0 is taken from the CPUs that
 * it may run on, and it is woken: the CPU that is switching it out must not be
 * the one that gets it (catalogue entry 18, commit 751d4cbc4387).
 *
 * Bounded: one sleep, one change, one wakeup. The kernel's stopper, which is not
 * modelled, runs too early to help a task that is not queued yet.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
	runs_on();
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 0, CPU_FREE);
	setup_runner(A, 0, CPUS(0, 2), sleeper);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0) {
		run_cpu();
	} else {
		set_affinity(A, CPUS(2));
		wake(A);
	}
}

static void finally(void)
{
	check_quiet();
	if (task_place(A) == 2)
		reachable("A goes to CPU2");
}

static const struct wr_expectation expected[] = {
	{ "v5.8 v5.8-rc6", WEAK, "DATA_RACE FALSE_IDLE_INSTANT WRONG_RQ", "commit f97bb5272d9e" },
	{ "v5.8* v5.1* rfc-*", "*", "FALSE_IDLE_INSTANT WRONG_RQ", "commit 751d4cbc4387" },
	{ "*", "*", "", "commit 751d4cbc4387" },
};

SCENARIO(affinity_excluded, "a task loses its CPU while it blocks there", 2, 3,
	 EXPECTATIONS(expected));
