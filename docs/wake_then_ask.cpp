// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU1 wakes A on CPU0, then asks whether CPU0 is idle. Bounded: one wakeup, A never blocks. */
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else if (wake(A) && !query_idle(0))
		reachable("CPU1 sees that CPU0 is taken");
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v6.1", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
};

SCENARIO(wake_then_ask, "a waker asks about its own target", 2, 2, EXPECTATIONS(expected));
