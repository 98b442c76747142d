// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As ttwu_pending_two_batches, but A does not run on CPU0: CPU2 moves it to
 * itself while CPU0 has yet to look at its next interrupt, and then asks whether
 * CPU0 is idle (docs/results-000.md). It does so by changing A's affinity: the
 * balancer would not take the only task of a runqueue.
 *
 * Bounded: two wakeups from one CPU, one pull, one question; B may run on CPU0 only.
 */
#include "scenario.h"

static void mover(void)
{
	if (set_affinity(A, CPUS(2)) && query_idle(0))
		reachable("CPU2 pulls a task and then finds CPU0 idle");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 0, CPU_IDLE);
	setup_sleeper(A, 0, CPUS(0, 2), runs_on);
	setup_sleeper(B, 0, CPUS(0), runs_on);
	setup_runner(C, 2, CPUS(2), mover);
}

static void cpu(unsigned int cpu)
{
	switch (cpu) {
	case 0:
	case 2:
		run_cpu();
		break;
	case 1:
		wake(A);
		wake(B);
		break;
	}
}

static void finally(void)
{
	check_quiet();
	if (task_place(A) == 2)
		reachable("A is pulled to CPU2");
}

/* That nr_running is above zero does not last: this is what the comment of the fix forgets. */
static const struct wr_expectation expected[] = {
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "catalogue section 1.1" },
	{ "placement-v1* placement-in-loop*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT",
	  "catalogue entry 3" },
	/* Not by the count: the change of the mask takes the task off its runqueue for a moment. */
	{ "placement-counter+idle-swapped", "*", "FALSE_IDLE_INSTANT",
	  "finding (docs/results-000.md)" },
	{ "placement-counter", "*", "FALSE_IDLE FALSE_IDLE_INSTANT",
	  "finding (docs/results-000.md)" },
	{ "*", "*", "FALSE_IDLE FALSE_IDLE_INSTANT", "finding (tests/real)" },
};

SCENARIO(ttwu_pending_pull, "one of two wakeups is pulled away, and the puller looks back", 3, 3,
	 EXPECTATIONS(expected));
