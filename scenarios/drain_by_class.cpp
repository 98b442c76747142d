// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU0 is asked to look whether it is idle, as for nohz balancing, while a wakeup
 * is on its way to it. One batch of the list may hold both: calls come first,
 * wakeups last, so that the question comes before the enqueue, and only
 * ttwu_pending tells of the wakeup (catalogue entry 38 b). CPU0 asks itself, with
 * interrupts off, so nothing of its own comes between its reads: the torn read of
 * other observers is not there.
 *
 * Bounded: one call, one wakeup.
 */
#include "scenario.h"

static void look(void)
{
	if (query_idle(0))
		reachable("CPU0 finds itself idle");
	else
		reachable("CPU0 finds that it has work");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	switch (cpu) {
	case 0:
		run_cpu();
		break;
	case 1:
		wake(A);
		break;
	case 2:
		call_on(0, look);
		break;
	}
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 38" },
};

SCENARIO(drain_by_class, "a CPU looks whether it is idle between two entries of one list", 3, 3,
	 EXPECTATIONS(expected));
