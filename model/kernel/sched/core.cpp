// SPDX-License-Identifier: GPL-2.0-or-later
/* The runqueue: what both halves of core.c, the wakeup and the switch, stand on. */
#include "sched.h"

#include "model/machine/cpu.h"

DEFINE_PER_CPU(struct rq, runqueues);

/*
 * The three mirror include/linux/sched.h:test_tsk_need_resched and its
 * neighbours, v6.2. On a machine without a polling bit the flag is the CPU's
 * own and travels with the interrupt: that it may be seen a moment earlier is
 * left out.
 */
noinline bool test_tsk_need_resched(struct task_struct *p)
{
	if (!machine.polling_bit)
		return p == current && this_cpu()->need_resched;
	return READ_ONCE(p->thread_flags) & _TIF_NEED_RESCHED;
}

noinline void set_tsk_need_resched(struct task_struct *p)
{
	if (!machine.polling_bit)
		this_cpu()->need_resched = 1;
	else
		atomic_or(_TIF_NEED_RESCHED, &p->thread_flags);
}

noinline void clear_tsk_need_resched(struct task_struct *p)
{
	if (!machine.polling_bit)
		this_cpu()->need_resched = 0;
	else
		atomic_and(~_TIF_NEED_RESCHED, &p->thread_flags);
}

/* Mirrors kernel/sched/core.c:set_nr_and_not_polling, v6.2. A machine without a
 * polling bit always sends the interrupt. */
static noinline bool set_nr_and_not_polling(struct task_struct *p)
{
	if (!machine.polling_bit)
		return true;
	note_told(p);
	return !(atomic_fetch_or(_TIF_NEED_RESCHED, &p->thread_flags) & _TIF_POLLING_NRFLAG);
}

/* Mirrors kernel/sched/core.c:resched_curr, v6.2. */
noinline void resched_curr(struct rq *rq)
{
	struct task_struct *curr = rq->curr;
	int cpu = cpu_of(rq);
	bool kick;

	if (test_tsk_need_resched(curr))
		return;

	if (cpu == smp_processor_id()) {
		set_tsk_need_resched(curr);
		return;
	}

	wr_call_begin(WR_CALL_KICK, cpu);
	kick = set_nr_and_not_polling(curr);
	if (kick)
		smp_send_reschedule(cpu);
	wr_call_end(WR_CALL_KICK, kick);
}

/* Mirrors kernel/sched/core.c:check_preempt_curr, v6.2. Leaves out: preemption
 * of one task by another that is woken; only an idle CPU is told to reschedule. */
noinline void check_preempt_curr(struct rq *rq, struct task_struct *)
{
	if (rq->curr == rq->idle)
		resched_curr(rq);
}

/*
 * Mirrors kernel/sched/core.c:scheduler_tick with kernel/sched/fair.c:
 * check_preempt_tick, v6.2: the current task has had its share. Leaves out:
 * clocks, load, balancing.
 */
noinline void scheduler_tick(void)
{
	struct rq *rq = this_rq();

	raw_spin_rq_lock(rq);
	if (rq->nr_running > 1)
		resched_curr(rq);
	raw_spin_rq_unlock(rq);
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

/*
 * Mirrors kernel/sched/core.c:__task_rq_lock, v6.2. Leaves out: pinning. Who
 * sees the new CPU sees that the task is migrating, too: by the write barrier of
 * set_task_cpu() there, by which lock is taken here.
 */
noinline struct rq *__task_rq_lock(struct task_struct *p)
{
	for (;;) {
		struct rq *rq = cpu_rq(read_once_addr_dep(&p->cpu));

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
 * Mirrors kernel/sched/core.c:__do_set_cpus_allowed, v6.2: a queued task is
 * dequeued and enqueued again around the change.
 */
static noinline void __do_set_cpus_allowed(struct rq *rq, struct task_struct *p, unsigned int mask)
{
	bool queued = task_on_rq_queued(p);

	if (queued && rq->curr == p)
		note_left_to_stopper(p);
	if (queued)
		dequeue_task_fair(rq, p, DEQUEUE_SAVE);
	p->cpus_mask = mask;
	if (queued)
		enqueue_task_fair(rq, p, ENQUEUE_RESTORE);
}

/*
 * Mirrors kernel/sched/core.c:__set_cpus_allowed_ptr with affine_move_task,
 * v6.2. Leaves out: the stopper, so that a task that runs or is being woken
 * stays where it is; migrate_disable; the wait of several callers. Returns
 * whether the task was moved, which the kernel does not tell.
 */
noinline bool set_cpus_allowed(struct task_struct *p, unsigned int mask)
{
	unsigned long flags;
	bool moved = false;
	struct rq *rq;

	raw_spin_lock_irqsave(&p->pi_lock, flags);
	rq = __task_rq_lock(p);
	__do_set_cpus_allowed(rq, p, mask);
	if (!(mask & (1u << task_cpu(p))) && !task_on_cpu(p)) {
		if (READ_ONCE(p->__state) == TASK_WAKING) {
			note_left_to_stopper(p);
		} else if (task_on_rq_queued(p)) {
			rq = move_queued_task(rq, p, __builtin_ctz(mask));
			moved = true;
		}
	}
	raw_spin_rq_unlock(rq);
	raw_spin_unlock_irqrestore(&p->pi_lock, flags);

	return moved;
}

/* Mirrors kernel/sched/core.c:nr_iowait_cpu, v6.2. */
unsigned int nr_iowait_cpu(int cpu)
{
	return READ_ONCE(cpu_rq(cpu)->nr_iowait);
}

/* Mirrors kernel/sched/core.c:cpus_share_cache, v6.2. */
bool cpus_share_cache(int this_cpu, int that_cpu)
{
	if (this_cpu == that_cpu)
		return true;

	return READ_ONCE(sd_llc_id[this_cpu].id) == READ_ONCE(sd_llc_id[that_cpu].id);
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
	FIELD(struct rq, nr_uninterruptible, 0),
	/* An atomic in the kernel. */
	FIELD(struct rq, nr_iowait, WR_FIELD_RACY),
	FIELD(struct rq, idle_stamp, 0),
	FIELD(struct rq, avg_idle, 0),
	FIELD(struct rq, next_balance, 0),
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
