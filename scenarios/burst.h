/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stacking_burst scenarios have in common: sleepers that all last ran on CPU0. */
#pragma once

#include "scenario.h"

/*
 * CPU1 and those that follow are busy, and each wakes one task. CPU0 has the greater load
 * from what it ran before, so that wake_affine_weight() prefers the waker's CPU as soon as
 * CPU0 is seen taken.
 */
static inline void setup_burst(int wakers)
{
	machine_setup();
	setup_cpu(0, 0, CPU_FREE);
	setup_cpu(5, 0, CPU_FREE);
	setup_load(0, 1);
	for (int i = 1; i <= wakers; i++) {
		setup_cpu(i, 1, CPU_BUSY);
		setup_sleeper(A + i - 1, 0, CPUS(0, 1, 2, 3, 4, 5), runs_on);
	}
}

/* The part of each CPU. */
static inline void wake_in_burst(unsigned int cpu)
{
	if (cpu > 0)
		wake(A + cpu - 1);
}
