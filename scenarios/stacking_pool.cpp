// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU0 wakes four tasks in a row, as one that hands out work to a pool of threads (seed
 * 003, catalogue entry 45). Each last ran on a CPU of its own; all CPUs are busy, CPU0
 * the least. WA_WEIGHT takes each of the tasks to CPU0: the load of a CPU is an average
 * that the tasks which have just been put there have yet to move. No race is needed.
 *
 * Bounded: four tasks; the loads are given; a task beside each busy one is no pile.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_BUSY);
	for (int cpu = 1; cpu <= 4; cpu++) {
		setup_cpu(cpu, 0, CPU_BUSY);
		setup_load(cpu, 1);
		setup_sleeper(A + cpu - 1, cpu, CPUS(0, 1, 2, 3, 4), runs_on);
	}
}

static void cpu(unsigned int cpu)
{
	for (int task = A; task <= D && cpu == 0; task++)
		if (wake(task) && task == D)
			reachable("all are awake");
}

static void finally(void)
{
	check_quiet();
	check_stack(2);
}

static const struct wr_expectation expected[] = {
	{ "wa-weight-off wa-weight-off+sis-current", "*", "",
	  "mail <66406be50c8e040870217f5c9131b901d4dd2013.camel@gmx.de>" },
	{ "*", "*", "STACKED", "mail <66406be50c8e040870217f5c9131b901d4dd2013.camel@gmx.de>" },
};

SCENARIO(stacking_pool, "one CPU wakes a pool of tasks while all CPUs are busy", 2, 5,
	 EXPECTATIONS(expected));
