// SPDX-License-Identifier: GPL-2.0-or-later
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
	{ "*", "*", "", "catalogue entry 46" },
};

SCENARIO(stacking_burst, "x", 4, 6, EXPECTATIONS(expected));
