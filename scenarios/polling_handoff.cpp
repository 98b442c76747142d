// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
	setup_queued(B, 1, CPUS(0, 1), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	set_affinity(B, CPUS(0));
	wake(A);
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "*", "*", "", "catalogue entry 35" },
};

SCENARIO(polling_handoff, "a wakeup on its way to a polling CPU that has been told to reschedule", 2, 2,
	 EXPECTATIONS(expected));
