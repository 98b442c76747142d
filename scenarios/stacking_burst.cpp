// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that last ran on CPU0 are woken in a burst, each from a busy CPU behind another
 * cache; CPU0 and CPU5 beside it are free (seed 003, catalogue entries 45 and 46).
 *
 * That wakers which look at the same time all choose CPU0 cannot be helped: nothing tells
 * one of the other. With WA_WEIGHT a waker that is late enough to see CPU0 taken prefers
 * its own CPU, which has work, to CPU5, which has none; with SIS_CURRENT each does so from
 * the start. This is what the policy adds, and what is reported as STACKED. How deep a
 * CPU gets at worst, the outcome "deepest" says.
 *
 * Bounded: three wakeups; CPUs that are free only count what they are given; loads are
 * given, as if measured before the burst.
 */
#include "burst.h"

static void setup(void)
{
	setup_burst(3);
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

SCENARIO(stacking_burst, "three tasks of one CPU are woken at once, and two CPUs are free", 4, 6,
	 EXPECTATIONS(expected));
