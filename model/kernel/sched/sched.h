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

#define ENQUEUE_MIGRATED 0x40
/* Around a change of the mask: the task stays this CPU's work. */
#define DEQUEUE_SAVE 0x02
#define ENQUEUE_RESTORE 0x02

#define WF_TTWU 0x08
#define WF_MIGRATED 0x20
/* Gone since v6.0; the older kernels need it. */
#define WF_ON_CPU 0x40

#define SM_NONE 0u
#define SM_PREEMPT 1u

/* The scheduler features that a variant may switch: kernel/sched/features.h. */
#define sched_feat_WA_IDLE true
#define sched_feat_WA_WEIGHT true
#define sched_feat(feature) sched_feat_##feature

struct rq {
	raw_spinlock_t __lock;
	unsigned int nr_running;
	unsigned int ttwu_pending;
	unsigned int nr_uninterruptible;
	unsigned int nr_iowait;
	/*
	 * There is no clock: the stamp is 1 when the idle time is being taken,
	 * avg_idle counts the idle times that were fed into it, and next_balance
	 * how often it was moved on.
	 */
	unsigned int idle_stamp;
	unsigned int avg_idle;
	unsigned int next_balance;
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

/* Mirrors kernel/sched/sched.h:task_on_cpu, v6.2. */
static inline bool task_on_cpu(const struct task_struct *p)
{
	return READ_ONCE(p->on_cpu);
}

#define raw_spin_rq_lock(rq) raw_spin_lock(&(rq)->__lock)
#define raw_spin_rq_unlock(rq) raw_spin_unlock(&(rq)->__lock)
#define raw_spin_rq_unlock_irq(rq) raw_spin_unlock_irq(&(rq)->__lock)
#define rq_lock_irqsave(rq, flags) raw_spin_lock_irqsave(&(rq)->__lock, flags)
#define rq_unlock_irqrestore(rq, flags) raw_spin_unlock_irqrestore(&(rq)->__lock, flags)

struct rq *__task_rq_lock(struct task_struct *p);
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
int newidle_balance(struct rq *this_rq);

/* The task that was queued last, and the queue without it. */
static inline struct task_struct *queue_last(uint64_t queue)
{
	return &tasks[(queue >> (56 - (__builtin_clzll(queue) & ~7)) & 0xff) - 1];
}

static inline uint64_t queue_without_last(uint64_t queue)
{
	return queue & ~(0xffull << (56 - (__builtin_clzll(queue) & ~7)));
}

/* True when no wakeup is announced to @rq: what has to hold when all is quiet. */
bool ttwu_quiet(struct rq *rq);
