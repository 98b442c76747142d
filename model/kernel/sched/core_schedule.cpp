// SPDX-License-Identifier: GPL-2.0-or-later
/* The half of core.c that switches: __schedule() and what it calls. */
#include "sched.h"

#include "model/machine/cpu.h"

/* Mirrors kernel/sched/core.c:scheduler_ipi, v6.2: the flag is set already, unless it
 * is this interrupt that carries it. */
noinline void scheduler_ipi(void)
{
	if (!machine.polling_bit)
		set_tsk_need_resched(current);
}

/* Mirrors kernel/sched/core.c:prepare_task, v6.2. */
static noinline void prepare_task(struct task_struct *next)
{
	WRITE_ONCE(next->on_cpu, 1);
}

/* Mirrors kernel/sched/core.c:finish_task, v6.2. */
static noinline void finish_task(struct task_struct *prev)
{
	if (!is_idle_task(prev))
		wr_note(WR_OWNER_END, smp_processor_id(), prev->pid);
	/* Nothing of this CPU's may touch the task any more: whoever sees the zero owns it. */
	smp_store_release(&prev->on_cpu, 0);
}

/* Mirrors kernel/sched/core.c:finish_task_switch, v6.2. Leaves out: dying tasks, mm, hooks. */
static noinline void finish_task_switch(struct task_struct *prev)
{
	struct rq *rq = this_rq();

	finish_task(prev);
	raw_spin_rq_unlock_irq(rq);
}

/* Mirrors kernel/sched/core.c:schedule_tail, v6.2: what a task does that runs for
 * the first time. */
noinline void schedule_tail(struct task_struct *prev)
{
	finish_task_switch(prev);
}

/* Mirrors kernel/sched/core.c:context_switch, v6.2. Leaves out: mm. */
static noinline void context_switch(struct task_struct *prev, struct task_struct *next)
{
	prepare_task(next);
	prev = switch_to(prev, next);
	/* Another CPU, perhaps, and long after. */
	finish_task_switch(prev);
}

/* Mirrors kernel/sched/core.c:pick_next_task, v6.2. Leaves out: other classes. */
static noinline struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev)
{
	struct task_struct *p = pick_next_task_fair(rq, prev);

	return p ? p : rq->idle;
}

/* Mirrors kernel/sched/core.c:__schedule, v6.2. Leaves out: signals, statistics. */
static noinline void __schedule(unsigned int sched_mode)
{
	int cpu = smp_processor_id();
	struct rq *rq = cpu_rq(cpu);
	struct task_struct *prev = rq->curr, *next;
	unsigned int prev_state;

	local_irq_disable();
	raw_spin_rq_lock(rq);
	smp_mb__after_spinlock();

	/* Read once: a waker may change it as soon as the task is off the runqueue. */
	prev_state = READ_ONCE(prev->__state);
	if (!(sched_mode & SM_PREEMPT) && prev_state) {
		prev->sched_contributes_to_load = (prev_state & TASK_UNINTERRUPTIBLE) &&
						  !(prev_state & TASK_NOLOAD);
		if (prev->sched_contributes_to_load)
			rq->nr_uninterruptible++;

		deactivate_task(rq, prev, DEQUEUE_SLEEP);

		if (prev->in_iowait)
			atomic_inc(&rq->nr_iowait);
	}

	next = pick_next_task(rq, prev);
	clear_tsk_need_resched(prev);

	if (likely(prev != next)) {
		note_switch(cpu, next);
		rq->curr = next;
		context_switch(prev, next);
	} else {
		note_stays(cpu, prev);
		raw_spin_rq_unlock_irq(rq);
	}
}

/* Mirrors kernel/sched/core.c:schedule, v6.2. Leaves out: the plug of block requests. */
noinline void schedule(void)
{
	do {
		preempt_disable();
		__schedule(SM_NONE);
		preempt_enable_no_resched();
	} while (need_resched());
}

/* Mirrors kernel/sched/core.c:schedule_idle, v6.2. */
noinline void schedule_idle(void)
{
	do {
		__schedule(SM_NONE);
	} while (need_resched());
}

/* Mirrors kernel/sched/core.c:preempt_schedule_irq, v6.2, with the caller's
 * question whether it is time. Runs with interrupts off. */
noinline void preempt_schedule_irq(void)
{
	while (need_resched()) {
		preempt_disable();
		local_irq_enable();
		__schedule(SM_PREEMPT);
		local_irq_disable();
		preempt_enable_no_resched();
	}
}

/* Mirrors kernel/sched/core.c:io_schedule, v6.2. */
noinline void io_schedule(void)
{
	unsigned int token = current->in_iowait;

	current->in_iowait = 1;
	schedule();
	current->in_iowait = token;
}

/* Mirrors kernel/sched/core.c:do_task_dead, v6.2. Leaves out: what becomes of the task. */
noinline void do_task_dead(void)
{
	set_special_state(TASK_DEAD);
	preempt_disable();
	__schedule(SM_NONE);
	wr_violation("RUNNING_TWICE", "a dead task runs");
}
