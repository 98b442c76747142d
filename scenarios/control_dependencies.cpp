// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A blocks on CPU0 and counts as a load; CPU1 wakes it meanwhile (catalogue entries 12 and
 * 33, d). __schedule() reads the state, and only then writes on_rq = 0; the waker reads
 * on_rq = 0, and only then writes WAKING. So __schedule() never sees WAKING, if it reads
 * the state before, and once. Until v5.8-rc5 the load was counted afterwards, by another
 * look at the state (commit dbfb089d360b). In v5.8 the count drifts for another reason: the
 * bit that remembers it shares a word with the waker's (see bitfield_word).
 *
 * The two control dependencies are the two sides of a load buffering shape. Relacy does not
 * delay stores, so that the barrier on the waker's side is not noticed when it is dropped:
 * that says nothing about hardware.
 *
 * Bounded: one sleep, one wakeup from the same cache.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
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

	if (wake(A))
		reachable("A is woken");
	else
		reachable("A does not sleep yet");
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v6.2", WEAK, "", "finding (no load buffering)",
	  "try_to_wake_up:smp_acquire__after_ctrl_dep" },
	{ "v5.7", "*", "", "catalogue entry 12" },
	{ "v5.8-rc[13]", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 33" },
};

SCENARIO(control_dependencies, "a task that counts as a load is woken while it blocks", 2, 2,
	 EXPECTATIONS(expected));
