// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A blocks on CPU0, which has B to run, and CPU1 wakes A and takes it to itself. What CPU0
 * did to A last is handed over by on_cpu, as a message: the release of finish_task(), the
 * acquire of the waker's wait (catalogue entry 33, c). A's saved registers must not be
 * missed. CPU1 enqueues A under its own lock; if it sent A to the wakelist of another CPU,
 * the full barrier of that push would do for the acquire.
 *
 * Bounded: one sleep, one wakeup.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
	if (smp_processor_id() == 1)
		reachable("A blocks on CPU0 and goes on on CPU1");
}

static void other(void)
{
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_IDLE);
	setup_runner(A, 0, CPUS(0, 1), sleeper);
	setup_queued(B, 0, CPUS(0), other);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 1)
		wake(A);
	run_cpu();
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v6.2", WEAK, "DATA_RACE", "catalogue entry 33",
	  "try_to_wake_up:smp_cond_load_acquire" },
	{ "v6.2", "c11", "DATA_RACE", "catalogue entry 33", "finish_task:smp_store_release" },
	{ "v6.2", STORES_DELAYED, "DATA_RACE RUNNING_TWICE", "finding (a delayed store)",
	  "finish_task:smp_store_release" },
	{ "v6.2", "sc tso", "", "catalogue entry 33", "finish_task:smp_store_release" },
	{ "v5.7", "*", "", "catalogue entry 33" },
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT", "commit f97bb5272d9e" },
	{ "rfc-same-llc-no-self-test", "*", "FALSE_IDLE_INSTANT NEEDLESS_IPI",
	  "mail [RFC PATCH] sched: Queue task on wakelist in the same llc" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 33" },
};

SCENARIO(on_cpu_handoff, "a task blocks, and its waker takes it to another CPU", 2, 2,
	 EXPECTATIONS(expected));
