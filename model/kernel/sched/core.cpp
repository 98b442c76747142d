// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

#include <linux/atomic.h>
#include "model/machine/cpu.h"

DEFINE_PER_CPU(struct rq, runqueues);

/* Mirrors kernel/sched/core.c:resched_curr, v6.2. Leaves out: the flag in the
 * remote task's thread_info, which travels with the IPI instead; polling. */
noinline void resched_curr(struct rq *rq)
{
	int cpu = cpu_of(rq);

	if (cpu == smp_processor_id())
		set_need_resched();
	else
		smp_send_reschedule(cpu);
}

/* Mirrors kernel/sched/core.c:check_preempt_curr, v6.2. Leaves out: preemption
 * of one task by another; only an idle CPU is told to reschedule. */
noinline void check_preempt_curr(struct rq *rq, struct task_struct *)
{
	if (rq->curr == rq->idle)
		resched_curr(rq);
}

/* Mirrors kernel/sched/core.c:activate_task, v6.2. Leaves out: statistics, clocks. */
noinline void activate_task(struct rq *rq, struct task_struct *p, int flags)
{
	enqueue_task_fair(rq, p, flags);

	p->on_rq = TASK_ON_RQ_QUEUED;
}

/* Mirrors kernel/sched/core.c:deactivate_task, v6.2. */
noinline void deactivate_task(struct rq *rq, struct task_struct *p, int flags)
{
	p->on_rq = (flags & DEQUEUE_SLEEP) ? 0 : TASK_ON_RQ_MIGRATING;

	dequeue_task_fair(rq, p, flags);
}

/* Mirrors kernel/sched/core.c:set_task_cpu with __set_task_cpu, v6.2. Leaves out: wake_cpu. */
noinline void set_task_cpu(struct task_struct *p, unsigned int cpu)
{
	smp_wmb();
	WRITE_ONCE(p->cpu, cpu);
}

/* Mirrors kernel/sched/core.c:__task_rq_lock, v6.2. Leaves out: pinning. */
static noinline struct rq *__task_rq_lock(struct task_struct *p)
{
	for (;;) {
		struct rq *rq = task_rq(p);

		raw_spin_rq_lock(rq);
		if (likely(rq == task_rq(p) && !task_on_rq_migrating(p)))
			return rq;
		raw_spin_rq_unlock(rq);

		smp_cond_load_relaxed(&p->on_rq, VAL != TASK_ON_RQ_MIGRATING);
	}
}

/* Mirrors kernel/sched/core.c:move_queued_task, v6.2: one lock after the other, never both. */
static noinline struct rq *move_queued_task(struct rq *rq, struct task_struct *p, int new_cpu)
{
	deactivate_task(rq, p, 0);
	set_task_cpu(p, new_cpu);
	raw_spin_rq_unlock(rq);

	rq = cpu_rq(new_cpu);
	raw_spin_rq_lock(rq);
	activate_task(rq, p, ENQUEUE_COMMITS);
	check_preempt_curr(rq, p);

	return rq;
}

/*
 * Mirrors kernel/sched/core.c:affine_move_task under __set_cpus_allowed_ptr,
 * v6.2: what takes the only queued task of a CPU away, since the balancer
 * leaves that one alone. Leaves out: the mask itself, which is wide enough from
 * the start, and with it the moment under the lock at which the task is dequeued
 * and enqueued again around the change of the mask; the stopper, which moves a
 * task that runs or is being woken.
 */
noinline bool migrate_queued_task(struct task_struct *p, int new_cpu)
{
	unsigned long flags;
	bool moves = false;
	struct rq *rq;

	raw_spin_lock_irqsave(&p->pi_lock, flags);
	rq = __task_rq_lock(p);
	if (!p->on_cpu && READ_ONCE(p->__state) != TASK_WAKING) {
		moves = task_on_rq_queued(p);
		if (moves)
			rq = move_queued_task(rq, p, new_cpu);
	}
	raw_spin_rq_unlock(rq);
	raw_spin_unlock_irqrestore(&p->pi_lock, flags);

	return moves;
}

/* Mirrors kernel/sched/core.c:ttwu_do_wakeup, v6.2, without the preemption
 * check, which its callers make. Leaves out: idle_stamp, avg_idle. */
static noinline void ttwu_do_wakeup(struct task_struct *p)
{
	WRITE_ONCE(p->__state, TASK_RUNNING);
}

/* Mirrors kernel/sched/core.c:ttwu_do_activate, v6.2. Leaves out: nr_uninterruptible, nr_iowait. */
static noinline void ttwu_do_activate(struct rq *rq, struct task_struct *p, int flags)
{
	activate_task(rq, p, ENQUEUE_WAKEUP | flags);
	check_preempt_curr(rq, p);
	ttwu_do_wakeup(p);
}

/* Mirrors kernel/sched/core.c:ttwu_runnable, v6.2. */
static noinline int ttwu_runnable(struct task_struct *p)
{
	struct rq *rq = __task_rq_lock(p);
	int ret = 0;

	if (task_on_rq_queued(p)) {
		check_preempt_curr(rq, p);
		note_wakeup(p);
		ttwu_do_wakeup(p);
		ret = 1;
	}
	raw_spin_rq_unlock(rq);

	return ret;
}

/* Mirrors kernel/sched/core.c:sched_ttwu_pending, v6.2. Leaves out: the clock,
 * sched_remote_wakeup. */
noinline void sched_ttwu_pending(void *arg)
{
	struct llist_node *llist = (struct llist_node *)arg;
	struct rq *rq = this_rq();
	struct llist_node *next;
	unsigned long flags;

	if (!llist)
		return;

	rq_lock_irqsave(rq, flags);

	for (; llist; llist = next) {
		struct task_struct *p = llist_entry(llist, struct task_struct, wake_entry);

		note_list_pop(cpu_of(rq), llist);
		next = llist->next;

		if (unlikely(p->on_cpu)) {
			wr_violation("RUNNING_TWICE", "a drained task is still on a CPU");
			smp_cond_load_acquire(&p->on_cpu, !VAL);
		}

		if (unlikely(task_cpu(p) != (unsigned int)cpu_of(rq))) {
			wr_violation("WRONG_RQ", "a task is drained by another CPU than its own");
			set_task_cpu(p, cpu_of(rq));
		}

		ttwu_do_activate(rq, p, 0);
	}

	/*
	 * Only now: as long as nothing is enqueued, the flag is all that tells
	 * the others of this work. One more wakeup may be on its way already;
	 * the kernel relies on nr_running to cover it.
	 */
	WRITE_ONCE(rq->ttwu_pending, 0);
	rq_unlock_irqrestore(rq, flags);
}

/* Mirrors kernel/sched/core.c:send_call_function_single_ipi, v6.2. Leaves out:
 * polling; an idle CPU of this model always halts until an interrupt. */
noinline void send_call_function_single_ipi(int cpu)
{
	arch_send_call_function_single_ipi(cpu);
}

/* Mirrors kernel/sched/core.c:__ttwu_queue_wakelist, v6.2. Leaves out:
 * sched_remote_wakeup, which only statistics and placement read. */
static noinline void __ttwu_queue_wakelist(struct task_struct *p, int cpu)
{
	struct rq *rq = cpu_rq(cpu);

	wr_note(WR_WORK_COMMIT, cpu, p->pid);
	WRITE_ONCE(rq->ttwu_pending, 1);
	__smp_call_single_queue(cpu, &p->wake_entry);
}

/* Mirrors kernel/sched/core.c:cpus_share_cache, v6.2. */
bool cpus_share_cache(int this_cpu, int that_cpu)
{
	if (this_cpu == that_cpu)
		return true;

	return cpu_config[this_cpu].llc == cpu_config[that_cpu].llc;
}

/* Mirrors kernel/sched/core.c:ttwu_queue_cond, v6.2. Leaves out: cpu_active. */
static noinline bool ttwu_queue_cond(struct task_struct *p, int cpu, int)
{
	/* The task may not be allowed there any more. */
	if (!(p->cpus_mask & (1u << cpu)))
		return false;

	/* Another cache: its runqueue had better be touched by its own CPU. */
	if (!cpus_share_cache(smp_processor_id(), cpu))
		return true;

	if (cpu == smp_processor_id())
		return false;

	/* An idle CPU, or one that is about to be, has the time to enqueue by itself. */
	if (!cpu_rq(cpu)->nr_running)
		return true;

	return false;
}

/* Mirrors kernel/sched/core.c:ttwu_queue_wakelist, v6.2. Leaves out: the feature switch. */
static noinline bool ttwu_queue_wakelist(struct task_struct *p, int cpu, int wake_flags)
{
	if (ttwu_queue_cond(p, cpu, wake_flags)) {
		__ttwu_queue_wakelist(p, cpu);
		return true;
	}

	return false;
}

/* Mirrors kernel/sched/core.c:ttwu_queue, v6.2. */
static noinline void ttwu_queue(struct task_struct *p, int cpu, int wake_flags)
{
	struct rq *rq = cpu_rq(cpu);

	note_left_to(cpu, p);
	if (ttwu_queue_wakelist(p, cpu, wake_flags))
		return;

	raw_spin_rq_lock(rq);
	ttwu_do_activate(rq, p, ENQUEUE_COMMITS);
	raw_spin_rq_unlock(rq);
}

/* Mirrors kernel/sched/core.c:select_task_rq, v6.2. Leaves out: the fallback for
 * CPUs that are gone. */
static noinline int select_task_rq(struct task_struct *p, int cpu, int wake_flags)
{
	wr_call_begin(WR_CALL_SELECT, p->pid);
	if (p->cpus_mask & (p->cpus_mask - 1))
		cpu = select_task_rq_fair(p, cpu, wake_flags);
	else
		cpu = __builtin_ctz(p->cpus_mask);
	wr_call_end(WR_CALL_SELECT, cpu);

	return cpu;
}

/* Mirrors kernel/sched/core.c:ttwu_state_match, v6.2. Leaves out: PREEMPT_RT's saved state. */
static inline bool ttwu_state_match(struct task_struct *p, unsigned int state, int *success)
{
	if (READ_ONCE(p->__state) & state) {
		*success = 1;
		return true;
	}
	return false;
}

/* Mirrors kernel/sched/core.c:try_to_wake_up, v6.2. Leaves out: iowait and
 * load accounting, psi, wake_cpu, statistics. */
static noinline int try_to_wake_up(struct task_struct *p, unsigned int state, int wake_flags)
{
	unsigned long flags;
	int cpu, success = 0;

	if (p == current) {
		if (!ttwu_state_match(p, state, &success))
			goto out;

		WRITE_ONCE(p->__state, TASK_RUNNING);
		goto out;
	}

	/* The waker's condition against the state: the other half is in set_current_state(). */
	raw_spin_lock_irqsave(&p->pi_lock, flags);
	smp_mb__after_spinlock();
	if (!ttwu_state_match(p, state, &success))
		goto unlock;

	/* An on_rq older than the state would send us past a task that is still queued. */
	smp_rmb();
	if (READ_ONCE(p->on_rq) && ttwu_runnable(p))
		goto unlock;

	/*
	 * The task left its runqueue. Neither its on_cpu may be older than
	 * that, nor may its state change before __schedule() has seen it.
	 */
	smp_acquire__after_ctrl_dep();

	/* From here the state keeps others away, so pi_lock need not be held until the enqueue. */
	note_wakeup(p);
	WRITE_ONCE(p->__state, TASK_WAKING);

	/*
	 * Still being switched out: let the CPU that does it enqueue the task.
	 * Its interrupts are off until it is done. The task's CPU is read
	 * after on_cpu, for it is only certain while the task is on one.
	 */
	if (smp_load_acquire(&p->on_cpu) &&
	    ttwu_queue_wakelist(p, task_cpu(p), wake_flags))
		goto unlock;

	/* Or wait for it, and see all that the task did there. Pairs with finish_task(). */
	smp_cond_load_acquire(&p->on_cpu, !VAL);

	cpu = select_task_rq(p, task_cpu(p), wake_flags | WF_TTWU);
	if (task_cpu(p) != (unsigned int)cpu)
		set_task_cpu(p, cpu);

	ttwu_queue(p, cpu, wake_flags);
unlock:
	raw_spin_unlock_irqrestore(&p->pi_lock, flags);
out:
	return success;
}

int wake_up_process(struct task_struct *p)
{
	return try_to_wake_up(p, TASK_NORMAL, 0);
}

/* Mirrors kernel/sched/core.c:scheduler_ipi, v6.2. */
noinline void scheduler_ipi(void)
{
	set_need_resched();
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
static noinline void finish_task_switch(struct rq *rq, struct task_struct *prev)
{
	finish_task(prev);
	raw_spin_rq_unlock_irq(rq);
}

/* Mirrors kernel/sched/core.c:context_switch, v6.2. Leaves out: mm. */
static noinline void context_switch(struct rq *rq, struct task_struct *prev,
				    struct task_struct *next)
{
	prepare_task(next);
	switch_to(prev, next);
	finish_task_switch(rq, prev);
}

/* Mirrors kernel/sched/core.c:pick_next_task, v6.2. Leaves out: other classes;
 * newidle balance with its look at ttwu_pending and its drop of the lock. */
static noinline struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev)
{
	struct task_struct *p = pick_next_task_fair(rq, prev);

	return p ? p : rq->idle;
}

/* Mirrors kernel/sched/core.c:__schedule, v6.2. Leaves out: signals,
 * preemption (SM_PREEMPT), accounting. */
static noinline void __schedule(void)
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
	if (prev_state)
		deactivate_task(rq, prev, DEQUEUE_SLEEP);

	next = pick_next_task(rq, prev);
	clear_need_resched();

	if (likely(prev != next)) {
		note_switch(cpu, next);
		rq->curr = next;
		context_switch(rq, prev, next);
	} else {
		note_stays(cpu, prev);
		raw_spin_rq_unlock_irq(rq);
	}
}

/* Mirrors kernel/sched/core.c:schedule, v6.2. */
noinline void schedule(void)
{
	do {
		__schedule();
	} while (need_resched());
}

/* Mirrors kernel/sched/core.c:schedule_idle, v6.2. */
noinline void schedule_idle(void)
{
	do {
		__schedule();
	} while (need_resched());
}

/* Mirrors kernel/sched/core.c:idle_cpu, v6.2. */
noinline int idle_cpu(int cpu)
{
	struct rq *rq = cpu_rq(cpu);

	if (rq->curr != rq->idle)
		return 0;

	if (rq->nr_running)
		return 0;

	if (rq->ttwu_pending)
		return 0;

	return 1;
}

/* What idle_cpu() reads, for the question whether all of it looks idle at one instant. */
#define IDLE_VIEW(cpu)							\
	{ cpu, &runqueues[cpu].curr, 8, (uint64_t)&idle_tasks[cpu] },	\
	{ cpu, &runqueues[cpu].nr_running, 4, 0 },			\
	{ cpu, &runqueues[cpu].ttwu_pending, 4, 0 }

const struct wr_idle_view idle_views[] = {
	IDLE_VIEW(0), IDLE_VIEW(1), IDLE_VIEW(2), IDLE_VIEW(3), IDLE_VIEW(4), IDLE_VIEW(5),
};
const unsigned int idle_view_count = ARRAY_SIZE(idle_views);

bool ttwu_quiet(struct rq *rq)
{
	return !rq->ttwu_pending;
}

static const struct wr_field rq_fields[] = {
	FIELD(struct rq, __lock, 0),
	/* idle_cpu() reads the three without a lock or ONCE, as the kernel does. */
	FIELD(struct rq, nr_running, WR_FIELD_RACY),
	FIELD(struct rq, ttwu_pending, WR_FIELD_RACY),
	FIELD(struct rq, curr, WR_FIELD_RACY | WR_FIELD_POINTER),
	FIELD(struct rq, cpu, WR_FIELD_CONST),
	FIELD(struct rq, idle, WR_FIELD_CONST | WR_FIELD_POINTER),
	FIELD(struct rq, queue, 0),
};
OBJECT("rq", runqueues, rq_fields, nullptr);

/* Mirrors kernel/sched/core.c:available_idle_cpu, v6.2. Leaves out: vcpu_is_preempted. */
int available_idle_cpu(int cpu)
{
	return noted_idle_cpu(cpu);
}

/* idle_cpu() with its reads shown to the engine as one call. */
int noted_idle_cpu(int cpu)
{
	int idle;

	wr_call_begin(WR_CALL_IDLE, cpu);
	idle = idle_cpu(cpu);
	wr_call_end(WR_CALL_IDLE, idle);

	return idle;
}
