// SPDX-License-Identifier: GPL-2.0-or-later
/* Scenarios that are wrong in themselves: each must be told so, not the kernel. */
#include "scenario.h"

static void finally(void)
{
	check_quiet();
}

static void nothing(void)
{
}

static void two_cpus(void)
{
	machine_setup();
	setup_cpu(0, 0, CPU_IDLE);
	setup_cpu(1, 1, CPU_BUSY);
}

static void wakes_a(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	wake(A);
}

/* A scenario whose set-up goes on with @more. */
#define ODD_SETUP(name, more)						\
	namespace name {						\
	static void setup(void)						\
	{								\
		two_cpus();						\
		more;							\
	}								\
	static void cpu(unsigned int cpu)				\
	{								\
		wakes_a(cpu);						\
	}								\
	SCENARIO(name, "odd", 2, 2, nullptr, 0);			\
	}

/* One in which CPU1 does @what. */
#define ODD_PART(name, what)						\
	namespace name {						\
	static void setup(void)						\
	{								\
		two_cpus();						\
		setup_sleeper(A, 0, CPUS(0), nothing);			\
	}								\
	static void cpu(unsigned int cpu)				\
	{								\
		if (cpu == 0)						\
			run_cpu();					\
		what;							\
	}								\
	SCENARIO(name, "odd", 2, 2, nullptr, 0);			\
	}

ODD_SETUP(cpu_number, setup_cpu(9, 0, CPU_IDLE))
ODD_SETUP(cpu_twice, setup_cpu(0, 0, CPU_BUSY))
ODD_SETUP(no_such_cpu, setup_sleeper(A, 5, CPUS(0), nothing))
ODD_SETUP(nowhere_to_run, setup_sleeper(A, 0, CPUS(5), nothing))
ODD_SETUP(no_body, setup_sleeper(A, 0, CPUS(0), nullptr))
ODD_SETUP(runner_on_busy, setup_runner(A, 1, CPUS(1), nothing))
ODD_SETUP(two_runners, setup_runner(A, 0, CPUS(0), nothing); setup_runner(B, 0, CPUS(0), nothing))
ODD_SETUP(runner_elsewhere, setup_runner(A, 0, CPUS(1), nothing))
ODD_SETUP(queued_on_idle, setup_queued(A, 0, CPUS(0), nothing))
ODD_SETUP(uncounted_cpu, setup_cpu(2, 0, CPU_FREE))
ODD_PART(wakes_nobody, wake(D))
ODD_PART(asks_nobody, query_idle(5))
ODD_PART(affinity_to_none, set_affinity(A, 0))
ODD_PART(tick_of_none, tick(4))
