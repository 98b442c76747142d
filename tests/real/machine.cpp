// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of CPUs, interrupts and tasks around functions that were cut out
 * of a real kernel, and those stubs that need more than a macro. Written anew,
 * not taken from the model, which the results are compared with.
 */
#include "tests/real/machine.hpp"

#include "model/machine/face.h"

__image struct task_struct tasks[items];
__image struct cpu cpus[NR_CPUS];
__image struct ipi ipis[NR_CPUS];
struct config configs[NR_CPUS];

DEFINE_PER_CPU(struct rq, runqueues);
DEFINE_PER_CPU(struct llist_head, call_single_queue);
DEFINE_PER_CPU(int, sd_llc_id);
DEFINE_PER_CPU(struct cpumask, select_rq_mask);
struct sched_domain *sd_llc[NR_CPUS];

/* --- What the compiled kernel asks of its machine --- */

__no_access_events struct task_struct *get_current(void)
{
	return this_cpu().curr;
}

__no_access_events bool test_tsk_need_resched(struct task_struct *tsk)
{
	return tsk == get_current() && this_cpu().need_resched;
}

__no_access_events void set_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 1;
}

__no_access_events void clear_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 0;
}

__no_access_events void local_irq_disable(void)
{
	this_cpu().irqs_disabled = 1;
}

__no_access_events void local_irq_enable(void)
{
	this_cpu().irqs_disabled = 0;
}

__no_access_events unsigned long arch_local_irq_save(void)
{
	unsigned long flags = this_cpu().irqs_disabled;

	this_cpu().irqs_disabled = 1;
	return flags;
}

__no_access_events void arch_local_irq_restore(unsigned long flags)
{
	this_cpu().irqs_disabled = flags;
}

__no_access_events void preempt_disable(void)
{
	this_cpu().preempt_count++;
}

__no_access_events void preempt_enable_no_resched(void)
{
	this_cpu().preempt_count--;
}

__no_access_events static bool preemption_is_due()
{
	return !this_cpu().preempt_count && this_cpu().need_resched;
}

void preempt_enable(void)
{
	preempt_enable_no_resched();
	if (!preemption_is_due() || this_cpu().irqs_disabled)
		return;
	local_irq_disable();
	preempt_schedule_irq();
	local_irq_enable();
}

static noinline void send_ipi(int cpu, uint32_t kind)
{
	if (configs[cpu].followed)
		atomic_fetch_add_release(kind, &ipis[cpu].sent);
}

void arch_send_call_function_single_ipi(int cpu) { send_ipi(cpu, call_ipi); }
void smp_send_reschedule(int cpu) { send_ipi(cpu, reschedule_ipi); }
void send_tick(int cpu) { send_ipi(cpu, tick_ipi); }

/* As include/linux/llist.h has these two. */
struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, nullptr);
}

bool llist_add_batch(struct llist_node *first, struct llist_node *last, struct llist_head *head);

bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct task_struct *p = llist_entry(node, struct task_struct, wake_entry.llist);
	const int cpu = head - call_single_queue;

	/* Nobody would take it from the list of a CPU that is not followed. */
	if (!configs[cpu].followed)
		return false;
	wr_note(WR_QUEUE_IN, 100 + cpu, p->pid);
	return llist_add_batch(node, node, head);
}

bool asked_idle(int cpu)
{
	int idle;

	wr_call_begin(WR_CALL_IDLE, cpu);
	idle = idle_cpu(cpu);
	wr_call_end(WR_CALL_IDLE, idle);

	return idle;
}

int load_of(int cpu)
{
	return configs[cpu].load;
}

/* --- Interrupts --- */

/* By hand: a task that shares its CPU has had its time. */
static void scheduler_tick()
{
	struct rq *rq = this_rq();

	raw_spin_rq_lock(rq);
	if (rq->nr_running > 1)
		resched_curr(rq);
	raw_spin_rq_unlock(rq);
}

static noinline void handle_interrupt(uint32_t sent)
{
	uint32_t fresh = sent ^ this_cpu().ipis_taken;

	this_cpu().ipis_taken = sent;
	if (fresh & (reschedule_ipi - 1))
		generic_smp_call_function_single_interrupt();
	if (fresh & (tick_ipi - reschedule_ipi))
		this_cpu().need_resched = 1;
	if (fresh & -tick_ipi)
		scheduler_tick();
	if (preemption_is_due())
		preempt_schedule_irq();
}

static noinline void take_interrupt()
{
	uint32_t sent = smp_load_acquire(&ipis[smp_processor_id()].sent);

	if (sent != this_cpu().ipis_taken)
		handle_interrupt(sent);
}

__no_access_events void interrupt_point(void)
{
	if (this_cpu().irqs_disabled || !configs[smp_processor_id()].followed)
		return;
	local_irq_disable();
	take_interrupt();
	local_irq_enable();
}

static __no_access_events bool not_yet_taken(uint64_t sent, const void *taken)
{
	return static_cast<uint32_t>(sent) != static_cast<uint32_t>(uintptr_t(taken));
}

/* Whoever waits has nothing else to do. */
noinline void wait_for_interrupt(void)
{
	const void *taken = reinterpret_cast<const void *>(uintptr_t(this_cpu().ipis_taken));

	local_irq_disable();
	handle_interrupt(wr_await(&ipis[smp_processor_id()].sent, sizeof(uint32_t), not_yet_taken,
				  taken, WR_ACQUIRE, WR_WAIT_IDLE, WR_SITE("wait_for_interrupt")));
	local_irq_enable();
}

/* --- Tasks and their stacks --- */

static void run_body()
{
	get_current()->body();
	this_cpu().finished |= 1u << get_current()->pid;
	real_do_task_dead();
	/* Whoever wakes the dead is stopped by the engine. */
	for (;;)
		wait_for_interrupt();
}

static void runs_for_the_first_time(unsigned int)
{
	schedule_tail(this_cpu().last);
	run_body();
}

static void runs_from_the_start(unsigned int)
{
	wr_note(WR_OWNER_START, smp_processor_id(), get_current()->pid);
	run_body();
}

noinline struct task_struct *machine_switch(struct task_struct *prev, struct task_struct *next)
{
	struct cpu &cpu = this_cpu();

	if (!is_idle_task(prev))
		prev->registers = cpu.registers + 1;
	if (is_idle_task(next))
		cpu.idle_times++;
	else
		cpu.registers = next->registers;
	cpu.curr = next;
	cpu.last = prev;
	wr_switch(is_idle_task(next) ? WR_OWN_STACK : next->pid, runs_for_the_first_time);
	return this_cpu().last;
}

void runs_on(void)
{
	for (;;)
		wait_for_interrupt();
}

noinline void blocks_again(void)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		schedule();
	}
}

static noinline void idle_once()
{
	while (!this_cpu().need_resched)
		wait_for_interrupt();
	flush_smp_call_function_queue();
	schedule_idle();
}

void run_cpu(void)
{
	/* The idle task is the stack that the thread began on. */
	if (!is_idle_task(get_current())) {
		wr_switch(get_current()->pid, runs_from_the_start);
		schedule_tail(this_cpu().last);
	}
	for (;;)
		idle_once();
}
