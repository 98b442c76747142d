// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As stacking_burst, with four wakers.
 *
 * Bounded: as stacking_burst, four wakeups.
 */
#include "burst.h"

static void setup(void)
{
	setup_burst(4);
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

LARGE_SCENARIO(stacking_burst_four,
	       "four tasks of one CPU are woken at once, and two CPUs are free", 5, 6,
	       EXPECTATIONS(expected));
