// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU0 runs out of tasks as A blocks, and CPU1 wakes A while it is still being switched
 * out, so that A waits on CPU0's wakelist. CPU0 need not look at other CPUs for work
 * then (seed 001, catalogue section 1.4 and entry 42, commit e5e678e4fea2). Before, it
 * did, and took B from CPU2 to run it first.
 *
 * The third version of the proposal also left the time of such a search out of avg_idle;
 * the fourth, which was merged, does not. What both leave out: newidle_idle_time.
 *
 * Bounded: one sleep, one wakeup, one task to pull, which sits behind another cache.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
	WRITE_ONCE(words[0].value, 1);
}

static void other(void)
{
	if (READ_ONCE(words[0].value))
		reachable("CPU0 runs A, then B");
	else
		reachable("CPU0 runs B while A sleeps, or waits");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_cpu(2, 1, CPU_BUSY);
	setup_overload();
	setup_runner(A, 0, CPUS(0), sleeper);
	setup_queued(B, 2, CPUS(0, 2), other);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	if (wake(A))
		reachable("CPU1 wakes A");
}

static void finally(void)
{
	check_quiet();
	check_search_times(0, task_place(B) == 0);
}

/*
 * In v5.7 A's waker waits for the end of the switch, and takes the lock of CPU0: it can
 * do so as soon as CPU0, out of tasks once more after B, has dropped it to search. See
 * ttwu_pending for FALSE_IDLE_INSTANT, and bitfield_word for DATA_RACE.
 */
static const struct wr_expectation expected[] = {
	{ "v5.7", "*", "NEEDLESS_SEARCH", "finding (kernel/sched/fair.c:newidle_balance)" },
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT NEEDLESS_SEARCH",
	  "catalogue entry 14" },
	{ "v5.8-rc1 v5.8-rc3 v5.8-rc6 v5.8 v5.10 v5.12", "*", "FALSE_IDLE_INSTANT NEEDLESS_SEARCH",
	  "catalogue entry 42" },
	{ "v5.14 v5.19 v6.0 v6.1 v6.1+idle-swapped rfc-same-llc rfc-same-llc-no-self-test", "*",
	  "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "newidle-before", "*", "NEEDLESS_SEARCH", "catalogue entry 42" },
	{ "newidle-v3", "*", "ACCOUNTING_DRIFT",
	  "mail <20210420120705.5c705d4b@imladris.surriel.com>" },
	{ "*", "*", "", "commit e5e678e4fea2" },
};

SCENARIO(newidle_pending, "a CPU runs out of tasks while the one that left it is woken", 2, 3,
	 EXPECTATIONS(expected));
