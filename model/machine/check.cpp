// SPDX-License-Identifier: GPL-2.0-or-later
/* What must hold when all is quiet, and what a scenario may ask of the final state. */
#include "model/kernel/sched/sched.h"
#include "model/machine/cpu.h"
#include "model/machine/face.h"

static unsigned int queued(const struct rq *rq)
{
	unsigned int count = 0;

	for (uint64_t queue = rq->queue; queue; queue >>= 8)
		count++;
	return count;
}

static bool left_to_stopper(const struct task_struct *p)
{
	uint32_t left = 0;

	for (const struct cpu &cpu : cpus)
		left |= cpu.left_to_stopper;
	return left & (1u << p->pid);
}

/* A task that is on a runqueue names that runqueue's CPU as its own, and may be there. */
static bool belongs(const struct task_struct *p, int cpu)
{
	return task_cpu(p) == (unsigned int)cpu &&
	       (p->cpus_mask & (1u << cpu) || left_to_stopper(p));
}

static void check_places(int cpu)
{
	const struct rq *rq = cpu_rq(cpu);
	bool right = is_idle_task(rq->curr) || belongs(rq->curr, cpu);

	for (uint64_t queue = rq->queue; queue; queue >>= 8)
		right &= belongs(&tasks[(queue & 0xff) - 1], cpu);
	if (!right)
		wr_violation("WRONG_RQ",
			     "a task is on a runqueue that is not its CPU's or not allowed");
}

static void check_cpu(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	bool idle = rq->curr == rq->idle;

	if (!rq->curr)
		return;
	if (rq->nr_running != queued(rq) + !idle)
		wr_violation("ACCOUNTING_DRIFT", "nr_running is not the number of runnable tasks");
	check_places(cpu);
	if (!cpu_config[cpu].runs)
		return;

	if (!llist_empty(&per_cpu(call_single_queue, cpu)))
		wr_violation("LOST_WAKEUP", "a wakeup stays on the list of a CPU that is quiet");
	else if (!ttwu_quiet(rq))
		wr_violation("ACCOUNTING_DRIFT", "a wakeup is announced, but none is left");
	if (idle && rq->queue)
		wr_violation("LOST_WAKEUP", "a task stays queued on an idle CPU");
}

/* Who sleeps is counted on the CPU it went to sleep on; only the sums mean something. */
static void check_sums(void)
{
	unsigned int uninterruptible = 0, iowait = 0;

	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		uninterruptible += cpu_rq(cpu)->nr_uninterruptible;
		iowait += cpu_rq(cpu)->nr_iowait;
	}
	for (const struct task_struct &p : tasks) {
		bool sleeps = p.cpus_mask && !p.on_rq && p.__state != TASK_DEAD;

		uninterruptible -= sleeps && (p.__state & TASK_UNINTERRUPTIBLE ||
					      (p.__state == TASK_WAKING &&
					       p.sched_contributes_to_load));
		iowait -= sleeps && p.in_iowait;
	}
	if (uninterruptible)
		wr_violation("ACCOUNTING_DRIFT",
			     "nr_uninterruptible is not the number of those that sleep so");
	if (iowait)
		wr_violation("ACCOUNTING_DRIFT", "nr_iowait is not the number of those that wait");
}

void check_quiet(void)
{
	static const char *const names[FIRST_WAKER] = { "A.cpu", "B.cpu", "C.cpu", "D.cpu" };

	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		check_cpu(cpu);
	check_sums();

	for (int task = 0; task < FIRST_WAKER; task++)
		if (tasks[task].cpus_mask)
			wr_outcome(names[task], task_place(task));
}

static bool finished(int task)
{
	uint32_t finished = 0;

	for (const struct cpu &cpu : cpus)
		finished |= cpu.finished;
	return finished & (1u << task);
}

void check_finished(int task)
{
	if (!finished(task))
		wr_violation("LOST_WAKEUP", "a task sleeps for ever though it was to be woken");
}

void check_sleeps(int task)
{
	if (finished(task))
		wr_violation("RUNNING_TWICE", "a task runs that somebody else holds stopped");
}

/* What of the idle time of @cpu is fed into avg_idle, or will be. */
static unsigned int idle_times_counted(int cpu)
{
	const struct rq *rq = cpu_rq(cpu);
	unsigned int counted = rq->avg_idle + rq->idle_stamp;

	wr_outcome("idle_times", cpus[cpu].idle_times);
	wr_outcome("balances", rq->next_balance);
	wr_outcome("counted", counted);
	return counted;
}

/*
 * A wakeup that comes while the CPU searches feeds the time of the search, though the CPU
 * does not go idle. So more may be counted than idle times, but not more than stamps.
 */
void check_idle_times(int cpu)
{
	unsigned int counted = idle_times_counted(cpu);

	if (counted < cpus[cpu].idle_times)
		wr_violation("ACCOUNTING_DRIFT", "an idle time is not fed into avg_idle");
	if (counted > cpu_rq(cpu)->next_balance)
		wr_violation("ACCOUNTING_DRIFT", "an idle time is fed into avg_idle twice");
}

void check_search_times(int cpu, int pulled)
{
	if (idle_times_counted(cpu) + pulled < cpu_rq(cpu)->next_balance)
		wr_violation("ACCOUNTING_DRIFT", "the time of a search is not fed into avg_idle");
}

int deepest_stack(void)
{
	unsigned int deepest = 0;

	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++) {
		unsigned int depth = 0;

		for (const struct task_struct &p : tasks)
			depth += p.cpus_mask && p.cpu == cpu &&
				 (p.__state == TASK_RUNNING || p.__state == TASK_WAKING);
		deepest = depth > deepest ? depth : deepest;
	}
	wr_outcome("deepest", deepest);
	return deepest;
}

void check_stack(int bound)
{
	if (deepest_stack() > bound)
		wr_violation("STACKED", "more tasks are on one CPU than the scenario allows");
}

static bool has_wakee(unsigned int cpu)
{
	bool has = false;

	for (int task = 0; task < FIRST_WAKER; task++)
		has |= tasks[task].cpus_mask && tasks[task].cpu == cpu;
	return has;
}

void check_free_cpus_used(void)
{
	unsigned int busy = 0, left_free = 0;

	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++) {
		const struct rq *rq = cpu_rq(cpu);

		if (!rq->curr || cpu_config[cpu].runs)
			continue;
		if (rq->curr != rq->idle)
			busy |= 1u << cpu;
		else if (!has_wakee(cpu))
			left_free |= 1u << cpu;
	}
	for (int task = 0; task < FIRST_WAKER; task++)
		if (busy & (1u << tasks[task].cpu) && left_free & tasks[task].cpus_mask)
			wr_violation("STACKED",
				     "a task is sent to a busy CPU, and a free one is left");
}

int interrupts_sent(int cpu)
{
	uint32_t sent = ipis[cpu].sent;
	int count = (sent & (IPI_RESCHEDULE - 1)) + sent / IPI_TICK +
		    (sent & (IPI_TICK - 1)) / IPI_RESCHEDULE;

	wr_outcome("interrupts", count);
	return count;
}
