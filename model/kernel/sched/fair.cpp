// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched.h"

#include "model/machine/cpu.h"

static inline uint64_t queue_byte(const struct task_struct *p)
{
	return p->pid + 1;
}

static inline struct task_struct *queue_first(uint64_t queue)
{
	return &tasks[(queue & 0xff) - 1];
}

/* Where @byte stands in @queue, counted in bits, or the first free place. */
static inline unsigned int queue_find(uint64_t queue, uint64_t byte)
{
	unsigned int shift = 0;

	while (shift < 64 && queue >> shift && ((queue >> shift) & 0xff) != byte)
		shift += 8;
	return shift;
}

static inline bool queue_holds(uint64_t queue, uint64_t byte)
{
	unsigned int shift = queue_find(queue, byte);

	return shift < 64 && queue >> shift;
}

static inline uint64_t queue_append(uint64_t queue, uint64_t byte)
{
	return queue | byte << queue_find(queue, 0);
}

static inline uint64_t queue_remove(uint64_t queue, uint64_t byte)
{
	unsigned int shift = queue_find(queue, byte);
	uint64_t before = shift ? queue & (~0ull >> (64 - shift)) : 0;

	return before | (queue >> shift >> 8) << shift;
}

/*
 * Mirrors kernel/sched/fair.c:enqueue_task_fair, v6.2: first the queue, then
 * the count. Leaves out: groups, load, throttling, overutilization.
 */
noinline void enqueue_task_fair(struct rq *rq, struct task_struct *p, int flags)
{
	uint64_t queue = rq->queue;
	unsigned int nr_running;

	if (!(flags & ENQUEUE_RESTORE) || rq->curr != p)
		queue = queue_append(queue, queue_byte(p));

	wr_note(WR_QUEUE_IN, cpu_of(rq), p->pid);
	rq->queue = queue;

	nr_running = rq->nr_running + 1;
	if (flags & ENQUEUE_COMMITS)
		wr_note(WR_WORK_COMMIT, cpu_of(rq), p->pid);
	rq->nr_running = nr_running;
}

/* Mirrors kernel/sched/fair.c:dequeue_task_fair, v6.2. A task that goes to
 * sleep is the current one, which is not in the queue. */
noinline void dequeue_task_fair(struct rq *rq, struct task_struct *p, int flags)
{
	unsigned int nr_running, item = p->pid;
	uint64_t queue;

	if (!(flags & DEQUEUE_SLEEP)) {
		queue = rq->queue;
		rq->queue = queue_holds(queue, queue_byte(p)) ?
			queue_remove(queue, queue_byte(p)) : queue;
	}

	nr_running = rq->nr_running - 1;
	wr_note(WR_QUEUE_OUT, cpu_of(rq), item);
	if (!(flags & DEQUEUE_SAVE))
		wr_note(WR_WORK_DONE, cpu_of(rq), item);
	rq->nr_running = nr_running;
}

/*
 * Mirrors kernel/sched/fair.c:pick_next_task_fair, v6.2, as a queue that is
 * first in first out: a task that schedules while others wait goes to the end.
 */
noinline struct task_struct *pick_next_task_fair(struct rq *rq, struct task_struct *prev)
{
	bool stays = !is_idle_task(prev) && prev->on_rq;
	struct task_struct *next;
	uint64_t queue;

	while (!(queue = rq->queue)) {
		if (stays)
			return prev;
		if (newidle_balance(rq) <= 0)
			return nullptr;
	}

	next = queue_first(queue);
	queue >>= 8;
	rq->queue = stays ? queue_append(queue, queue_byte(prev)) : queue;
	return next;
}
