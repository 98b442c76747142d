// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A is woken, runs on CPU0 and blocks again; two CPUs wake it, so that one of the wakeups
 * is spurious and may come at any moment (catalogue entries 27, 28 and 33). A waker reads
 * A's state, on_rq and on_cpu in this order, and each may still have its value of before.
 *
 * An on_rq older than the state sends the waker past a task that is queued. It takes a
 * running task for a sleeping one, or, if on_cpu is 1, leaves it to the CPU that runs it,
 * which then waits for itself (commit 135e8c9250dd; up to v5.7 the waker waits, here until
 * A blocks). An on_cpu older than on_rq lets it place a task that is still on a CPU (commit
 * ecf7d01c229d). An on_cpu that is seen to be 0 hands over all that was done there: by the
 * acquire of the wait for it, and by the release of finish_task(). Under TSO, which keeps
 * the order of reads, none is needed.
 *
 * The acquire of the first look at on_cpu, which keeps the read of A's CPU behind it, is
 * not noticed here, nor in stale_task_cpu: that on_rq is 0 was read before, with a barrier
 * behind it, and the CPU that wrote the 0 knew A's CPU, from the lock of its runqueue.
 *
 * Bounded: one sleep besides the first, two wakeups.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
	reachable("A is woken, blocks, and is woken again");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_IDLE);
	setup_cpu(2, 1, CPU_BUSY);
	setup_sleeper(A, 0, CPUS(0, 1), sleeper);
}

static void cpu(unsigned int cpu)
{
	if (cpu != 0)
		wake(A);
	if (cpu != 2)
		run_cpu();
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v6.2", "c11", "DATA_RACE DEADLOCK DOUBLE_ENQUEUE RUNNING_TWICE",
	  "commit 135e8c9250dd", "try_to_wake_up:smp_rmb" },
	{ "v6.2", STORES_DELAYED,
	  "ACCOUNTING_DRIFT DATA_RACE DEADLOCK DOUBLE_ENQUEUE RUNNING_TWICE",
	  "finding (a delayed store)", "try_to_wake_up:smp_rmb" },
	{ "v6.2", "c11", "DATA_RACE DOUBLE_ENQUEUE RUNNING_TWICE", "commit ecf7d01c229d",
	  "try_to_wake_up:smp_acquire__after_ctrl_dep" },
	{ "v6.2", STORES_DELAYED, "ACCOUNTING_DRIFT DATA_RACE DOUBLE_ENQUEUE RUNNING_TWICE",
	  "finding (a delayed store)", "try_to_wake_up:smp_acquire__after_ctrl_dep" },
	{ "v6.2", WEAK, "DATA_RACE", "catalogue entry 33",
	  "try_to_wake_up:smp_cond_load_acquire" },
	{ "v6.2", "c11", "DATA_RACE", "catalogue entry 33", "finish_task:smp_store_release" },
	{ "v6.2", STORES_DELAYED, "DATA_RACE RUNNING_TWICE", "finding (a delayed store)",
	  "finish_task:smp_store_release" },
	{ "v6.2", WEAK, "", "finding (covered by the barrier after on_rq)",
	  "try_to_wake_up:smp_load_acquire" },
	{ "v6.2", "sc tso", "", "catalogue entry 28", "try_to_wake_up:smp_rmb" },
	{ "v6.2", "sc tso", "", "catalogue entry 27",
	  "try_to_wake_up:smp_acquire__after_ctrl_dep" },
	{ "v5.7", "*", "FALSE_IDLE_INSTANT", "catalogue entry 9" },
	{ "v5.8-rc6 v5.8", WEAK, "DATA_RACE FALSE_IDLE_INSTANT", "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 28" },
};

SCENARIO(on_rq_on_cpu, "two CPUs wake a task that is woken, runs and blocks again", 3, 3,
	 EXPECTATIONS(expected));
