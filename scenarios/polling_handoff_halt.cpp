// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario.h"

static void setup(void)
{
	machine_setup();
	setup_idle(IDLE_POLLS_AND_HALTS);
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0), runs_on);
	setup_sleeper(B, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	wake(A);
	wake(B);
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "*", "*", "", "catalogue entry 35" },
};

SCENARIO(polling_handoff_halt, "two wakeups on their way to a CPU that polls, then halts", 2, 2,
	 EXPECTATIONS(expected));
