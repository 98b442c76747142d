// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second wakeup is announced while the first is being enqueued, and the
 * clear of the first takes the announcement of the second with it (docs/
 * results-000.md). Once A has run and blocked again, only the list knows of B.
 *
 * Bounded: two wakeups from one CPU, one question of one observer, nobody pulls.
 */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), blocks_again);
	setup_sleeper(B, 0, CPUS(0), blocks_again);
}

static void cpu(unsigned int cpu)
{
	switch (cpu) {
	case 0:
		run_cpu();
		break;
	case 1:
		wake(A);
		wake(B);
		break;
	case 2:
		if (query_idle(0))
			reachable("the observer finds CPU0 idle");
		else
			reachable("the observer finds CPU0 busy");
		break;
	}
}

static void finally(void)
{
	check_quiet();
}

/* Only a count survives the clear of the other batch; no order of reads repairs a flag. */
static const struct wr_expectation expected[] = {
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "catalogue entry 1" },
	{ "placement-v1* placement-in-loop*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT",
	  "catalogue entry 3" },
	{ "placement-counter", "*", "FALSE_IDLE", "catalogue section 1.1" },
	{ "placement-counter+idle-swapped", "*", "", "catalogue section 1.1" },
	{ "*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "finding (tests/real)" },
};

SCENARIO(ttwu_pending_two_batches, "two wakeups in a row of one CPU, and an observer", 3, 3,
	 EXPECTATIONS(expected));
