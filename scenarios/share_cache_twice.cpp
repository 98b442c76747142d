// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The domains are rebuilt while C wakes A on its own CPU. Who asks whether a CPU
 * shares its cache with itself by reading the cache's number twice may be told
 * no, and sends the task to the waker's own wakelist (catalogue entry 17, commit
 * 42dc938a590c).
 *
 * Bounded: one wakeup, one change of one number.
 */
#include "scenario.h"

static void waker(void)
{
	if (wake(A))
		reachable("C wakes A");
}

static void setup(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 0, CPU_BUSY);
	setup_runner(C, 0, CPUS(0), waker);
	setup_sleeper(A, 0, CPUS(0), runs_on);
}

static void cpu(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	else
		move_to_llc(0, 1);
}

static void finally(void)
{
	check_quiet();
}

static const struct wr_expectation expected[] = {
	{ "v5.7 v5.8* v5.10 v5.12 v5.14", "*", "NEEDLESS_IPI", "commit 42dc938a590c" },
	{ "*", "*", "", "commit 42dc938a590c" },
};

SCENARIO(share_cache_twice, "the domains are rebuilt under a wakeup on the waker's own CPU", 2, 2,
	 EXPECTATIONS(expected));
