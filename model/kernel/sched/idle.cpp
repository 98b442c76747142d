// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

/*
 * Mirrors kernel/sched/idle.c:do_idle, v6.2. Leaves out: polling with the
 * full barrier after it, the tick, offline CPUs, cpuidle, the loop's own read barrier (the
 * flag is the CPU's own here).
 */
noinline void do_idle(void)
{
	while (!need_resched()) {
		local_irq_disable();
		arch_cpu_idle();
	}

	/* A push whose IPI is still under way is taken along. */
	flush_smp_call_function_queue();
	schedule_idle();
}
