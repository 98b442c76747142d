// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A waits for I/O. Its waker may see it off the runqueue before __schedule() has
 * counted it in nr_iowait; whoever takes it out of the count must not be sooner
 * (catalogue entry 15, commit ec618b84f6e1). CPU2 looks at the count meanwhile.
 *
 * Bounded: one wait, one wakeup, one look.
 */
#include "scenario.h"

static void sleeper(void)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	io_schedule();
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
	setup_cpu(2, 1, CPU_BUSY);
	setup_runner(A, 0, CPUS(0), sleeper);
}

static void cpu(unsigned int cpu)
{
	switch (cpu) {
	case 0:
		run_cpu();
		break;
	case 1:
		if (wake(A))
			reachable("A is woken");
		break;
	case 2:
		if (look_at_iowait(0) > 0)
			reachable("the observer sees A waiting for I/O");
		break;
	}
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	/* in_iowait shares a word with the waker's sched_remote_wakeup. */
	{ "v6.2", WEAK, "ACCOUNTING_DRIFT", "finding (a fresh reading)",
	  "__schedule:smp_mb__after_spinlock" },
	{ "v5.8-rc6 v5.8", WEAK, "ACCOUNTING_DRIFT DATA_RACE FALSE_IDLE_INSTANT",
	  "commit f97bb5272d9e" },
	{ "v5.8*", "*", "ACCOUNTING_DRIFT FALSE_IDLE_INSTANT", "commit ec618b84f6e1" },
	{ "v5.* v6.0 v6.1* rfc-*", "*", "FALSE_IDLE_INSTANT", "commit d6962c4fe8f9" },
	{ "*", "*", "", "commit ec618b84f6e1" },
};

SCENARIO(iowait_order, "a task that waits for I/O is woken as it blocks", 3, 3,
	 EXPECTATIONS(expected));
