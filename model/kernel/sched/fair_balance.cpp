// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of fair.c by which a CPU that runs out of tasks takes one from another. */
#include "sched.h"

#include "model/machine/cpu.h"

/* Mirrors kernel/sched/fair.c:should_we_balance for CPU_NEWLY_IDLE, v6.2. */
static noinline bool should_we_balance(struct rq *this_rq)
{
	return !(this_rq->nr_running > 0 || this_rq->ttwu_pending);
}

/* Mirrors kernel/sched/fair.c:find_busiest_queue, v6.2: by the number of tasks,
 * groups and loads left out. */
static noinline struct rq *find_busiest_queue(struct rq *this_rq, unsigned int span)
{
	unsigned int busiest_nr = 1;
	struct rq *busiest = nullptr;

	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		struct rq *rq = cpu_rq(cpu);
		unsigned int nr_running;

		if (!(span & (1u << cpu)) || rq == this_rq)
			continue;
		nr_running = rq->nr_running;
		if (nr_running > busiest_nr) {
			busiest_nr = nr_running;
			busiest = rq;
		}
	}

	return busiest;
}

/* Mirrors kernel/sched/fair.c:detach_tasks with can_migrate_task and
 * detach_task, v6.2: one task, the newest in the queue that may come. */
static noinline struct task_struct *detach_tasks(struct rq *src_rq, int dst_cpu)
{
	if (src_rq->nr_running <= 1)
		return nullptr;

	for (uint64_t queue = src_rq->queue; queue; queue = queue_without_last(queue)) {
		struct task_struct *p = queue_last(queue);

		if (!(p->cpus_mask & (1u << dst_cpu)) || task_on_cpu(p))
			continue;
		deactivate_task(src_rq, p, 0);
		set_task_cpu(p, dst_cpu);
		return p;
	}

	return nullptr;
}

/* Mirrors kernel/sched/fair.c:attach_tasks with attach_task, v6.2. */
static noinline void attach_tasks(struct rq *dst_rq, struct task_struct *p)
{
	raw_spin_rq_lock(dst_rq);
	activate_task(dst_rq, p, ENQUEUE_COMMITS);
	check_preempt_curr(dst_rq, p);
	raw_spin_rq_unlock(dst_rq);
}

/* Mirrors kernel/sched/fair.c:load_balance for CPU_NEWLY_IDLE, v6.2: one lock
 * after the other, and p->pi_lock never. Returns the number of tasks taken. */
static noinline int load_balance(struct rq *this_rq, unsigned int span)
{
	struct rq *busiest;
	struct task_struct *p;

	if (!should_we_balance(this_rq))
		return 0;

	busiest = find_busiest_queue(this_rq, span);
	if (!busiest)
		return 0;

	raw_spin_rq_lock(busiest);
	p = detach_tasks(busiest, cpu_of(this_rq));
	raw_spin_rq_unlock(busiest);
	if (!p)
		return 0;

	attach_tasks(this_rq, p);
	return 1;
}

/*
 * Mirrors kernel/sched/fair.c:newidle_balance, v6.2. The domains are the cache
 * and the machine. Leaves out: misfits, the cost of a search against avg_idle,
 * tasks of other classes, blocked load.
 */
noinline int newidle_balance(struct rq *this_rq)
{
	int this_cpu = cpu_of(this_rq), pulled_task = 0;

	wr_call_begin(WR_CALL_SEARCH, this_cpu);

	/* A wakee of its own is on the way: no need to look for others. */
	if (this_rq->ttwu_pending) {
		wr_call_end(WR_CALL_SEARCH, 0);
		return 0;
	}

	/* Before the search, so that its time counts as idle time. */
	this_rq->idle_stamp = 1;

	if (!(machine.overload & (1u << this_cpu)))
		goto out;

	raw_spin_rq_unlock(this_rq);
	for (unsigned int span : machine.domains[this_cpu]) {
		if (!span)
			continue;
		pulled_task = load_balance(this_rq, span);
		if (pulled_task || this_rq->nr_running > 0 || this_rq->ttwu_pending)
			break;
	}
	raw_spin_rq_lock(this_rq);

	/* Somebody may have come while the lock was free. */
	if (this_rq->nr_running && !pulled_task)
		pulled_task = 1;
out:
	wr_call_end(WR_CALL_SEARCH, machine.overload >> this_cpu & 1);
	this_rq->next_balance++;
	if (pulled_task)
		this_rq->idle_stamp = 0;

	return pulled_task;
}
