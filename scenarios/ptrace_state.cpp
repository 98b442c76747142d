// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stops for its tracer, who changes A's state from TRACED to __TRACED, so that
 * no fatal signal wakes it, while A is on its way into schedule() (catalogue
 * entry 13, commit d136122f5845). A change of the state is then no wakeup: A
 * must not go on.
 *
 * Bounded: one stop, one tracer, nobody wakes A. The tracer writes the state as
 * ptrace did before v5.19.
 */
#include "scenario.h"

static void tracee(void)
{
	set_special_state(TASK_TRACED);
	schedule();
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), tracee);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else if (freeze_traced(A))
		reachable("the tracer finds A stopped and freezes it");
}

static void finally(void)
{
	check_quiet();
	check_sleeps(A);
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc6", "*", "RUNNING_TWICE", "commit d136122f5845" },
	{ "*", "*", "", "commit d136122f5845" },
};

SCENARIO(ptrace_state, "a tracer changes the state of a task that is about to stop", 2, 2,
	 EXPECTATIONS(expected));
