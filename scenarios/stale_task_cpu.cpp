// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A is preempted after it has set its sleep state, and pulled to CPU0 by newidle
 * balance, which needs no pi_lock, while B, on the CPU that A left, wakes it
 * (catalogue entry 11, commit b6e13e85829f). Who reads A's CPU before anything
 * else is known of A puts it on the wakelist of a CPU that A is not on.
 *
 * C gives CPU1 its tick and ends, so that CPU0 runs out of tasks and searches.
 *
 * Bounded: one tick, one wakeup, one pull.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
	if (smp_processor_id() == 0)
		reachable("A is woken on CPU0, to which it was pulled");
	runs_on();
}

static void waker(void)
{
	wake(A);
}

static void ticker(void)
{
	tick(1);
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_IDLE);
	setup_overload();
	setup_short_idle(1);
	setup_runner(C, 0, CPUS(0), ticker);
	setup_runner(A, 1, CPUS(0, 1), sleeper);
	setup_queued(B, 1, CPUS(1), waker);
}

static void cpu(unsigned int)
{
	run_cpu();
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc1", "*",
	  "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT NEEDLESS_IPI NEEDLESS_SEARCH RUNNING_TWICE WRONG_RQ",
	  "commit b6e13e85829f" },
	{ "v5.8-rc3", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT NEEDLESS_SEARCH",
	  "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT NEEDLESS_SEARCH",
	  "commit f97bb5272d9e" },
	{ "v5.8* v5.10 v5.12", "*", "FALSE_IDLE_INSTANT NEEDLESS_SEARCH", "commit e5e678e4fea2" },
	{ "newidle-before", "*", "NEEDLESS_SEARCH", "commit e5e678e4fea2" },
	{ "v5.14 v5.19 v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "commit b6e13e85829f" },
};

SCENARIO(stale_task_cpu, "a preempted sleeper is migrated while it is woken from its old CPU", 2, 2,
	 EXPECTATIONS(expected));
