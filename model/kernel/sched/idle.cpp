// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

#include "model/machine/cpu.h"

/* Mirrors include/linux/sched/idle.h:__current_set_polling, v6.2. */
static noinline void __current_set_polling(void)
{
	if (!machine.polling_bit)
		return;
	wr_note(WR_POLL_BEGIN, smp_processor_id(), 0);
	atomic_or(_TIF_POLLING_NRFLAG, &current->thread_flags);
}

/* Mirrors include/linux/sched/idle.h:__current_clr_polling, v6.2. */
static noinline void __current_clr_polling(void)
{
	if (!machine.polling_bit)
		return;
	wr_note(WR_POLL_END, smp_processor_id(), 0);
	atomic_and(~_TIF_POLLING_NRFLAG, &current->thread_flags);
}

/* Mirrors include/linux/sched/idle.h:current_clr_polling_and_test, v6.2. */
static noinline bool current_clr_polling_and_test(void)
{
	if (machine.polling_bit) {
		__current_clr_polling();
		smp_mb__after_atomic();
	}
	return need_resched();
}

/* Mirrors kernel/sched/idle.c:cpu_idle_poll, v6.2. Interrupts are taken meanwhile. */
static noinline void cpu_idle_poll(void)
{
	local_irq_enable();
	while (!need_resched())
		cpu_relax();
}

/* Mirrors kernel/sched/idle.c:default_idle_call with the end of
 * cpuidle_idle_call, v6.2. Leaves out: the tick, RCU, cpuidle's own states. */
static noinline void default_idle_call(void)
{
	if (current_clr_polling_and_test())
		local_irq_enable();
	else
		arch_cpu_idle();
	__current_set_polling();
}

/*
 * Mirrors kernel/sched/idle.c:do_idle, v6.2. Leaves out: the tick, offline
 * CPUs, one of several looks at the flag before the CPU halts, and the barriers
 * where there is no polling bit that they could order.
 */
noinline void do_idle(void)
{
	__current_set_polling();

	while (!need_resched()) {
		if (machine.polling_bit)
			smp_rmb();
		local_irq_disable();
		if (machine.idle_polls)
			cpu_idle_poll();
		else
			default_idle_call();
	}

	__current_clr_polling();

	/* Until the bit was seen cleared, a waker relied on our looking at the list. */
	if (machine.polling_bit)
		smp_mb__after_atomic();

	flush_smp_call_function_queue();
	schedule_idle();
}
