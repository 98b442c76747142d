// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two wakers, one idle CPU with a free neighbour (catalogue entries 1 and 2).
 * A and B last ran on CPU0. The wakers sit behind another cache, so that every
 * kernel announces the wakeups to CPU0 instead of taking its lock.
 *
 * Bounded: one batch, nobody pulls, woken tasks never block, CPU3 only counts as free.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 1, CPU_BUSY);
	setup_cpu(3, 0, CPU_FREE);
	setup_sleeper(A, 0, CPUS(0, 3), runs_on);
	setup_sleeper(B, 0, CPUS(0, 3), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else
		wake(cpu == 1 ? A : B);
}

static void finally(void)
{
	check_quiet();
	if (task_place(A) == 0 && task_place(B) == 3)
		reachable("B's waker sees that CPU0 is taken and places B on CPU3");
	if (task_place(A) == 0 && task_place(B) == 0)
		reachable("both wakers look before either has announced its task");
}

static const struct wr_expectation expected[] = {
	{ "v6.1", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED", "catalogue entry 1" },
};

SCENARIO(ttwu_pending, "two wakers, one idle CPU, one batch", 3, 4, EXPECTATIONS(expected));
