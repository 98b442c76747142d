// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * __schedule() writes A's sched_contributes_to_load, a waker A's
 * sched_remote_wakeup while A is still being switched out. Where both lie in one
 * word, each write is a read and a write of the other's bit as well (catalogue
 * entry 14, commit f97bb5272d9e).
 *
 * Bounded: one sleep, one wakeup, from behind another cache.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
	reachable("A is woken");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), sleeper);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else
		wake(A);
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.8-rc[13]", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "commit f97bb5272d9e" },
};

SCENARIO(bitfield_word, "a waker and the scheduler write bits of one task", 2, 2,
	 EXPECTATIONS(expected));
