// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two wakers, one idle CPU with a free neighbour (docs/results-000.md).
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
		reachable("both wakers place their task on CPU0");
}

/*
 * The late clear closes the instant, not the torn read: idle_cpu() reads
 * nr_running and ttwu_pending in the order in which CPU0 changes them. Reading
 * them the other way round does, if both sides are ordered.
 */
static const struct wr_expectation expected[] = {
	{ "v6.1+idle-swapped", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED",
	  "catalogue section 1.1" },
	{ "v5.7", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED", "catalogue entry 9" },
	{ "v5.* v6.0 v6.1 rfc-*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED",
	  "commit d6962c4fe8f9" },
	{ "placement-v1 placement-in-loop placement-counter", "*", "FALSE_IDLE STACKED",
	  "catalogue entry 4" },
	{ "idle-swapped idle-swapped-rmb", "sc tso", "", "finding (tests/real)" },
	{ "idle-swapped idle-swapped-rmb", WEAK, "FALSE_IDLE STACKED", "finding (tests/real)" },
	{ "idle-swapped-rmb-release", "*", "", "finding (tests/real)" },
	{ "placement-*+idle-swapped", "*", "", "catalogue section 1.1" },
	{ "*", "*", "FALSE_IDLE STACKED", "finding (tests/real)" },
};

SCENARIO(ttwu_pending, "two wakers, one idle CPU, one batch", 3, 4, EXPECTATIONS(expected));
