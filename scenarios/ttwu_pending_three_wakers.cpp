// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ttwu_pending with one more waker: how deep the stack gets on the CPU that
 * looks idle, and how the search grows.
 *
 * Bounded: one batch, nobody pulls, woken tasks never block, CPU4 only counts as free.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	for (int cpu = 1; cpu <= 3; cpu++)
		setup_cpu(cpu, 1, CPU_BUSY);
	setup_cpu(4, 0, CPU_FREE);
	for (int task = A; task <= C; task++)
		setup_sleeper(task, 0, CPUS(0, 4), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else
		wake(cpu - 1);
}

static void finally(void)
{
	check_quiet();
	if (task_place(A) == 0 && task_place(B) == 0 && task_place(C) == 0)
		reachable("all three wakers place their task on CPU0");
}

static const struct wr_expectation expected[] = {
	{ "v5.7", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED", "catalogue entry 9" },
	{ "v5.* v6.0 v6.1 rfc-*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT STACKED",
	  "commit d6962c4fe8f9" },
	{ "v6.2 newidle-* nr-running-* sis-* wa-*", "*", "FALSE_IDLE STACKED",
	  "finding (tests/real)" },
};

LARGE_SCENARIO(ttwu_pending_three_wakers, "three wakers, one idle CPU, one batch", 4, 5,
	       EXPECTATIONS(expected));
