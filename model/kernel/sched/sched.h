/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/sched.h>
#include <linux/smp.h>

#define TASK_ON_RQ_QUEUED 1u
#define TASK_ON_RQ_MIGRATING 2u

#define ENQUEUE_WAKEUP 0x01
#define DEQUEUE_SLEEP 0x01
/* Ours: the work was not announced before, so the enqueue is what commits it to the CPU. */
#define ENQUEUE_COMMITS 0x1000

#define WF_TTWU 0x08
/* Gone since v6.0; the older kernels need it. */
#define WF_ON_CPU 0x40

struct rq {
	raw_spinlock_t __lock;
	unsigned int nr_running;
	unsigned int ttwu_pending;
	unsigned int cpu;
	struct task_struct *curr;
	struct task_struct *idle;
	/*
	 * The queued tasks except the current one, first in first out: a byte
	 * each, pid + 1, the first to run in the lowest. One word instead of a
	 * tree, because only the order and the number of accesses matter.
	 */
	uint64_t queue;
};

DECLARE_PER_CPU(struct rq, runqueues);

#define cpu_rq(cpu) (&per_cpu(runqueues, (cpu)))
#define this_rq() cpu_rq(smp_processor_id())
#define task_rq(p) cpu_rq(task_cpu(p))

static inline int cpu_of(const struct rq *rq)
{
	return rq->cpu;
}

static inline bool task_on_rq_queued(const struct task_struct *p)
{
	return p->on_rq == TASK_ON_RQ_QUEUED;
}

static inline bool task_on_rq_migrating(const struct task_struct *p)
{
	return READ_ONCE(p->on_rq) == TASK_ON_RQ_MIGRATING;
}

#define raw_spin_rq_lock(rq) raw_spin_lock(&(rq)->__lock)
#define raw_spin_rq_unlock(rq) raw_spin_unlock(&(rq)->__lock)
#define raw_spin_rq_unlock_irq(rq) raw_spin_unlock_irq(&(rq)->__lock)
#define rq_lock_irqsave(rq, flags) raw_spin_lock_irqsave(&(rq)->__lock, flags)
#define rq_unlock_irqrestore(rq, flags) raw_spin_unlock_irqrestore(&(rq)->__lock, flags)

void activate_task(struct rq *rq, struct task_struct *p, int flags);
void deactivate_task(struct rq *rq, struct task_struct *p, int flags);
void set_task_cpu(struct task_struct *p, unsigned int cpu);
void check_preempt_curr(struct rq *rq, struct task_struct *p);
void resched_curr(struct rq *rq);
void sched_ttwu_pending(void *arg);
void send_call_function_single_ipi(int cpu);
bool cpus_share_cache(int this_cpu, int that_cpu);
int noted_idle_cpu(int cpu);

void enqueue_task_fair(struct rq *rq, struct task_struct *p, int flags);
void dequeue_task_fair(struct rq *rq, struct task_struct *p, int flags);
struct task_struct *pick_next_task_fair(struct rq *rq, struct task_struct *prev);
int select_task_rq_fair(struct task_struct *p, int prev_cpu, int wake_flags);
bool migrate_queued_task(struct task_struct *p, int new_cpu);

/* True when no wakeup is announced to @rq: what has to hold when all is quiet. */
bool ttwu_quiet(struct rq *rq);
