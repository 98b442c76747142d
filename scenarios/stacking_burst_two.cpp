// SPDX-License-Identifier: GPL-2.0-or-later
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
	{ "*", "*", "", "catalogue entry 46" },
};

SCENARIO(stacking_burst_two, "x", 3, 6, EXPECTATIONS(expected));
