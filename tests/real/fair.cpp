// SPDX-License-Identifier: GPL-2.0-or-later
/* The fair class as far as it is not cut: the queue, the count, and load_balance(), by hand. */
#include "tests/real/machine.hpp"

u64 queue_append(u64 queue, const struct task_struct *p)
{
	int place = 0;

	while (queue >> place & 0xff)
		place += 8;
	return queue | u64(p->pid + 1) << place;
}

u64 queue_remove(u64 queue, const struct task_struct *p)
{
	u64 rest = 0;

	for (; queue; queue >>= 8)
		if (queue_first(queue) != p)
			rest = queue_append(rest, queue_first(queue));
	return rest;
}

/* The current task is not in the queue, as if it were not in the tree. */
void queue_in(struct rq *rq, struct task_struct *p, int flags)
{
	const bool comes_back = flags & ENQUEUE_RESTORE;

	p->se.on_rq = 1;
	if (!configs[rq->cpu].followed)
		wr_note(WR_RUN, rq->cpu, p->pid);
	wr_note(WR_QUEUE_IN, rq->cpu, p->pid);
	rq->queue = comes_back && rq->curr == p ? rq->queue : queue_append(rq->queue, p);
	/* A wakeup that was announced before is committed since then. */
	this_cpu().work_changes = this_cpu().drained != p && !comes_back;
	this_cpu().drained = nullptr;
	this_cpu().enqueued = flags & ENQUEUE_WAKEUP ? p : nullptr;
}

void queue_out(struct rq *rq, struct task_struct *p, int flags)
{
	p->se.on_rq = 0;
	rq->queue = queue_remove(rq->queue, p);
	this_cpu().work_changes = !(flags & DEQUEUE_SAVE);
}

void count_in(struct rq *rq, struct task_struct *p)
{
	unsigned int nr_running = rq->nr_running + 1;

	if (this_cpu().work_changes)
		wr_note(WR_WORK_COMMIT, rq->cpu, p->pid);
	rq->nr_running = nr_running;
}

void count_out(struct rq *rq, struct task_struct *p)
{
	unsigned int nr_running = rq->nr_running - 1;

	wr_note(WR_QUEUE_OUT, rq->cpu, p->pid);
	if (this_cpu().work_changes)
		wr_note(WR_WORK_DONE, rq->cpu, p->pid);
	rq->nr_running = nr_running;
}

/* No task preempts another one. */
void no_preemption(struct rq *, struct task_struct *, int)
{
}

static struct task_struct *detach_one(struct rq *busiest, int cpu)
{
	u64 queue = busiest->queue;
	struct task_struct *found = nullptr;

	if (busiest->nr_running <= 1)
		return nullptr;
	for (; queue; queue >>= 8)
		if (queue_first(queue)->cpus_mask.bits >> cpu & 1 && !queue_first(queue)->on_cpu)
			found = queue_first(queue);
	if (found) {
		deactivate_task(busiest, found, DEQUEUE_NOCLOCK);
		set_task_cpu(found, cpu);
	}
	return found;
}

/* By hand: whether to balance at all, the queue with the most tasks, its last task that
 * may come; one lock after the other. */
int load_balance(int this_cpu, struct rq *this_rq, struct sched_domain *sd, int, int *)
{
	unsigned int most = 1;
	struct rq *busiest = nullptr;
	struct task_struct *p;

	if (this_rq->nr_running > 0 || this_rq->ttwu_pending)
		return 0;
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		if (cpu == this_cpu || !(sd->span.bits >> cpu & 1))
			continue;
		unsigned int nr_running = cpu_rq(cpu)->nr_running;

		if (nr_running > most) {
			most = nr_running;
			busiest = cpu_rq(cpu);
		}
	}
	if (!busiest)
		return 0;
	raw_spin_rq_lock(busiest);
	p = detach_one(busiest, this_cpu);
	raw_spin_rq_unlock(busiest);
	if (!p)
		return 0;
	raw_spin_rq_lock(this_rq);
	activate_task(this_rq, p, ENQUEUE_NOCLOCK);
	check_preempt_curr(this_rq, p, 0);
	raw_spin_rq_unlock(this_rq);
	return 1;
}

struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev, struct rq_flags *rf)
{
	const bool stays = !is_idle_task(prev) && prev->on_rq;
	struct task_struct *next;

	while (!rq->queue) {
		if (stays)
			return prev;
		if (real_newidle_balance(rq, rf) <= 0)
			return rq->idle;
	}

	next = queue_first(rq->queue);
	rq->queue = stays ? queue_append(rq->queue >> 8, prev) : rq->queue >> 8;
	return next;
}
