// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What 28156108fecb rests on (seed 002, catalogue entry 6): whoever sees p->on_cpu with
 * p->on_rq at 0 finds p already out of rq->nr_running, so that a task alone on its CPU
 * leaves it at 0. CPU1 looks at A in a waker's order while A blocks.
 *
 * It does not hold to the letter: deactivate_task() stores on_rq first and lowers
 * nr_running after that. What does hold is that the count is right once on_cpu is 0,
 * for finish_task() releases what it stores.
 *
 * Bounded: one sleep, one look; nobody wakes A.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), sleeper);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	if (look_at_descheduling(A))
		reachable("CPU1 sees A while it is switched out");
}

static void finally(void)
{
	check_quiet();
}

/* A waker that is misled waits for on_cpu and chooses anew: slower, and not wrong. */
static const struct wr_expectation expected[] = {
	{ "*", WEAK, "ACCOUNTING_DRIFT WRONG_RQ", "finding (kernel/sched/core.c:deactivate_task)",
	  "finish_task:smp_store_release" },
	{ "*", "*", "ACCOUNTING_DRIFT", "finding (kernel/sched/core.c:deactivate_task)" },
};

SCENARIO(wakelist_nr_running_claim, "whether a task that is switched out is still counted", 2, 2,
	 EXPECTATIONS(expected));
