// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A waits for a condition, which CPU1 makes true before it wakes A (catalogue entry 33, b).
 * A writes its state, then reads the condition; the waker writes the condition, then reads
 * the state. So each needs a full barrier in between: in set_current_state() and in
 * try_to_wake_up(). Without one of them, A sleeps for ever. Under TSO the waker's comes
 * with its lock, and A's is still needed.
 *
 * The other half of the entry, (a), is left out: __schedule() looks for signals by itself,
 * and the model has none. For what else the barrier there does see iowait_order.
 *
 * Bounded: one condition, one wakeup.
 */
#include "scenario.h"

static void waiter(void)
{
	wait_event(READ_ONCE(words[0].value));
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), waiter);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();

	WRITE_ONCE(words[0].value, 1);
	if (wake(A))
		reachable("A has to be woken");
	else
		reachable("A sees the condition in time");
}

static void finally(void)
{
	check_quiet();
	check_finished(A);
}

static const struct wr_expectation expected[] = {
	{ "v6.2", WEAK, "LOST_WAKEUP", "catalogue entry 33", "waiter:smp_store_mb" },
	{ "v6.2", WEAK, "LOST_WAKEUP", "catalogue entry 33",
	  "try_to_wake_up:smp_mb__after_spinlock" },
	{ "v6.2", "tso", "LOST_WAKEUP", "catalogue entry 33", "waiter:smp_store_mb" },
	{ "v6.2", "sc", "", "catalogue entry 33", "waiter:smp_store_mb" },
	{ "v6.2", "sc tso", "", "catalogue entry 33", "try_to_wake_up:smp_mb__after_spinlock" },
	{ "v6.2", WEAK, "", "catalogue entry 33", "__schedule:smp_mb__after_spinlock" },
	{ "v5.7", "*", "FALSE_IDLE_INSTANT", "catalogue entry 9" },
	{ "v5.8-rc[13]", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit dbfb089d360b" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "catalogue entry 33" },
};

SCENARIO(waiter_waker, "a task waits for a condition that its waker makes true", 2, 2,
	 EXPECTATIONS(expected));
