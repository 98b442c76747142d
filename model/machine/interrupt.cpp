// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts are taken inline by the CPU's own thread. Sending is a release,
 * taking an acquire of the CPU's IPI word; a late delivery is an old value of it.
 */
#include "model/machine/cpu.h"

#include <linux/atomic.h>
#include <linux/barrier.h>

__image struct ipi_word ipis[NR_CPUS];

static const struct wr_field ipi_fields[] = {
	/* Only through atomics and acquire loads. */
	FIELD(struct ipi_word, sent, 0),
};
OBJECT("ipi", ipis, ipi_fields, nullptr);

__no_access_events void local_irq_disable(void)
{
	this_cpu()->irqs_disabled = 1;
}

__no_access_events void local_irq_enable(void)
{
	this_cpu()->irqs_disabled = 0;
}

__no_access_events unsigned long arch_local_irq_save(void)
{
	unsigned long flags = this_cpu()->irqs_disabled;

	this_cpu()->irqs_disabled = 1;
	return flags;
}

__no_access_events void arch_local_irq_restore(unsigned long flags)
{
	this_cpu()->irqs_disabled = flags;
}

__no_access_events void preempt_disable(void)
{
	this_cpu()->preempt_count++;
}

__no_access_events void preempt_enable_no_resched(void)
{
	this_cpu()->preempt_count--;
}

/* The handler, and on the way out a look whether the current task may go on.
 * Runs with interrupts off; more of them wait until it is through. */
static noinline void handle_interrupt(uint32_t sent)
{
	uint32_t fresh = sent ^ this_cpu()->ipis_taken;

	this_cpu()->ipis_taken = sent;
	if (fresh & (IPI_RESCHEDULE - 1))
		generic_smp_call_function_single_interrupt();
	if (fresh & (IPI_TICK - IPI_RESCHEDULE))
		scheduler_ipi();
	if (fresh & -IPI_TICK)
		scheduler_tick();
	if (!this_cpu()->preempt_count)
		preempt_schedule_irq();
}

static noinline void take_interrupt(void)
{
	uint32_t sent = smp_load_acquire(&ipis[smp_processor_id()].sent);

	if (sent != this_cpu()->ipis_taken)
		handle_interrupt(sent);
}

/*
 * The engine calls this before accesses, so the part that mostly says no makes
 * none of its own. A CPU that ends without the idle loop is sent no IPIs.
 */
__no_access_events void interrupt_point(void)
{
	if (this_cpu()->irqs_disabled || !cpu_config[smp_processor_id()].runs)
		return;

	local_irq_disable();
	take_interrupt();
	local_irq_enable();
}

__no_access_events static bool not_yet_taken(uint64_t sent, const void *taken)
{
	return (uint32_t)sent != (uint32_t)(uintptr_t)taken;
}

/* Waits for an interrupt and takes it. Enters with interrupts off, leaves with them
 * on; a task that does no more than run waits here, too. */
noinline void arch_cpu_idle(void)
{
	const void *taken = (const void *)(uintptr_t)this_cpu()->ipis_taken;
	uint64_t sent = wr_await(&ipis[smp_processor_id()].sent, sizeof(uint32_t), not_yet_taken,
				 taken, WR_ACQUIRE, WR_WAIT_IDLE, WR_SITE("wait_for_interrupt"));

	handle_interrupt(sent);
	local_irq_enable();
}

__no_access_events static bool must_reschedule(uint64_t flags, const void *)
{
	return flags & _TIF_NEED_RESCHED;
}

noinline void cpu_relax(void)
{
	const void *taken = (const void *)(uintptr_t)this_cpu()->ipis_taken;
	const struct wr_await_term terms[] = {
		{ &current->thread_flags, sizeof(unsigned int), must_reschedule, nullptr },
		{ &ipis[smp_processor_id()].sent, sizeof(uint32_t), not_yet_taken, taken },
	};

	if (wr_await_any(terms, ARRAY_SIZE(terms), WR_ONCE, WR_WAIT_IDLE, WR_SITE("cpu_relax")))
		interrupt_point();
}

noinline void arch_send_call_function_single_ipi(int cpu)
{
	if (cpu_config[cpu].runs)
		atomic_fetch_add_release(IPI_CALL, &ipis[cpu].sent);
}

noinline void send_tick(int cpu)
{
	if (cpu_config[cpu].runs)
		atomic_fetch_add_release(IPI_TICK, &ipis[cpu].sent);
}

noinline void smp_send_reschedule(int cpu)
{
	if (cpu_config[cpu].runs)
		atomic_fetch_add_release(IPI_RESCHEDULE, &ipis[cpu].sent);
}
