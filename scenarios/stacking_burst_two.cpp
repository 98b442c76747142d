// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two CPUs each wake a task that last ran on CPU0; CPU0 and its neighbour are free. The
 * smallest size of stacking_burst, which says what is looked at.
 *
 * Bounded: as stacking_burst, two wakeups.
 */
#include "burst.h"

static void setup(void)
{
	setup_burst(2);
}

static void cpu(unsigned int cpu)
{
	wake_in_burst(cpu);
}

static void finally(void)
{
	check_quiet();
	check_free_cpus_used();
	if (deepest_stack() > 1)
		reachable("two tasks end on one CPU");
}

static const struct wr_expectation expected[] = {
	{ "wa-weight-off", "*", "", "catalogue entry 46" },
	{ "sis-current wa-weight-off+sis-current", "*", "STACKED", "catalogue entry 45" },
	{ "*", "*", "STACKED", "mail <66406be50c8e040870217f5c9131b901d4dd2013.camel@gmx.de>" },
};

SCENARIO(stacking_burst_two, "two tasks of one CPU are woken at once, and two CPUs are free", 3, 6,
	 EXPECTATIONS(expected));
