// SPDX-License-Identifier: GPL-2.0-or-later
/* The half of core.c that wakes: try_to_wake_up() and what it calls. */
#include "sched.h"

#include "model/machine/cpu.h"

/*
 * Mirrors kernel/sched/core.c:ttwu_do_wakeup, v6.2. Leaves out: task_woken, the
 * limit of avg_idle, and what else follows from it.
 */
static noinline void ttwu_do_wakeup(struct rq *rq, struct task_struct *p)
{
	check_preempt_curr(rq, p);
	WRITE_ONCE(p->__state, TASK_RUNNING);

	if (rq->idle_stamp) {
		rq->avg_idle++;
		rq->idle_stamp = 0;
	}
}

/* Mirrors kernel/sched/core.c:ttwu_do_activate, v6.2. Leaves out: delay accounting. */
static noinline void ttwu_do_activate(struct rq *rq, struct task_struct *p, int wake_flags,
				      int flags)
{
	if (p->sched_contributes_to_load)
		rq->nr_uninterruptible--;

	if (!(wake_flags & WF_MIGRATED) && p->in_iowait)
		atomic_dec(&task_rq(p)->nr_iowait);

	activate_task(rq, p, ENQUEUE_WAKEUP | flags);
	ttwu_do_wakeup(rq, p);
}

/* Mirrors kernel/sched/core.c:ttwu_runnable, v6.2. */
static noinline int ttwu_runnable(struct task_struct *p)
{
	struct rq *rq = __task_rq_lock(p);
	int ret = 0;

	if (task_on_rq_queued(p)) {
		note_wakeup(p);
		ttwu_do_wakeup(rq, p);
		ret = 1;
	}
	raw_spin_rq_unlock(rq);

	return ret;
}

/* Mirrors kernel/sched/core.c:sched_ttwu_pending, v6.2. Leaves out: the clock. */
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
		struct task_struct *p = llist_entry(llist, struct task_struct, wake_entry.llist);

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

		ttwu_do_activate(rq, p, p->sched_remote_wakeup ? WF_MIGRATED : 0, 0);
	}

	/*
	 * Only now: as long as nothing is enqueued, the flag is all that tells
	 * the others of this work. One more wakeup may be on its way already;
	 * the kernel relies on nr_running to cover it.
	 */
	WRITE_ONCE(rq->ttwu_pending, 0);
	rq_unlock_irqrestore(rq, flags);
}

/* Mirrors kernel/sched/core.c:set_nr_if_polling, v6.2. On a machine without a
 * polling bit nobody polls. */
static noinline bool set_nr_if_polling(struct task_struct *p)
{
	unsigned int val;

	if (!machine.polling_bit)
		return false;

	val = READ_ONCE(p->thread_flags);
	for (;;) {
		if (!(val & _TIF_POLLING_NRFLAG))
			return false;
		if (val & _TIF_NEED_RESCHED)
			return true;
		note_told(p);
		if (try_cmpxchg(&p->thread_flags, &val, val | _TIF_NEED_RESCHED))
			break;
	}
	return true;
}

/* Mirrors kernel/sched/core.c:send_call_function_single_ipi, v6.2. */
noinline void send_call_function_single_ipi(int cpu)
{
	bool kick;

	wr_call_begin(WR_CALL_KICK, cpu);
	kick = !set_nr_if_polling(cpu_rq(cpu)->idle);
	if (kick)
		arch_send_call_function_single_ipi(cpu);
	wr_call_end(WR_CALL_KICK, kick);
}

/* Mirrors kernel/sched/core.c:__ttwu_queue_wakelist, v6.2. */
static noinline void __ttwu_queue_wakelist(struct task_struct *p, int cpu, int wake_flags)
{
	struct rq *rq = cpu_rq(cpu);

	p->sched_remote_wakeup = !!(wake_flags & WF_MIGRATED);

	note_announced(cpu, p);
	wr_note(WR_WORK_COMMIT, cpu, p->pid);
	WRITE_ONCE(rq->ttwu_pending, 1);
	__smp_call_single_queue(cpu, &p->wake_entry.llist);
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
		__ttwu_queue_wakelist(p, cpu, wake_flags);
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
	ttwu_do_activate(rq, p, wake_flags, ENQUEUE_COMMITS);
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

/* Mirrors kernel/sched/core.c:try_to_wake_up, v6.2. Leaves out: psi, wake_cpu,
 * statistics. */
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
	wr_call_begin(WR_CALL_SELECT, p->pid);
	if (smp_load_acquire(&p->on_cpu) &&
	    ttwu_queue_wakelist(p, cpu = task_cpu(p), wake_flags)) {
		wr_call_end(WR_CALL_SELECT, cpu);
		goto unlock;
	}
	wr_call_end(WR_CALL_SELECT, WR_NOWHERE);

	/* Or wait for it, and see all that the task did there. Pairs with finish_task(). */
	smp_cond_load_acquire(&p->on_cpu, !VAL);

	cpu = select_task_rq(p, task_cpu(p), wake_flags | WF_TTWU);
	if (task_cpu(p) != (unsigned int)cpu) {
		if (p->in_iowait)
			atomic_dec(&task_rq(p)->nr_iowait);
		wake_flags |= WF_MIGRATED;
		set_task_cpu(p, cpu);
	}

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

