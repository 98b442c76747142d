// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All that a scenario knows of the system under test (model/machine/face.h), with
 * the cut functions behind it. What needs a polling bit is not here.
 */
#include "model/machine/face.h"

#include "tests/real/machine.hpp"

__image struct word words[4];

static struct sched_domain domains[NR_CPUS][2];
static struct root_domain root_domain;

/* --- Setting up --- */

static void set_up_task(struct task_struct *p, unsigned int pid)
{
	*p = {};
	p->pid = pid;
	p->cpus_ptr = &p->cpus_mask;
	p->sched_class = pid < idle_tasks_first ? &fair_sched_class : &idle_sched_class;
	p->wake_entry.u_flags = CSD_TYPE_TTWU;
}

/* The model has seen the scenario first. */
void machine_ready(unsigned int, unsigned int)
{
}

void machine_setup(void)
{
	root_domain = {};
	for (unsigned int i = 0; i < items; i++)
		set_up_task(&tasks[i], i);
	for (int i = 0; i < NR_CPUS; i++) {
		*cpu_rq(i) = {};
		cpu_rq(i)->cpu = i;
		cpu_rq(i)->idle = &tasks[idle_tasks_first + i];
		cpu_rq(i)->rd = &root_domain;
		cpu_rq(i)->max_idle_balance_cost = ~0u;
		sd_llc_id[i] = NR_CPUS + i;
		sd_llc[i] = nullptr;
		configs[i] = {};
	}
}

static unsigned int span_of_cache(int cpu)
{
	unsigned int span = 0;

	for (int i = 0; i < NR_CPUS; i++)
		if (cpu_rq(i)->curr && sd_llc_id[i] == sd_llc_id[cpu])
			span |= 1u << i;
	return span;
}

/* A domain of one CPU, and one that is no larger than the one below, is left out. */
static void set_up_domains(int cpu)
{
	unsigned int spans[2] = { span_of_cache(cpu), 0 };
	struct sched_domain **place = &cpu_rq(cpu)->sd;

	for (int i = 0; i < NR_CPUS; i++)
		if (cpu_rq(i)->curr)
			spans[1] |= 1u << i;
	*place = nullptr;
	sd_llc[cpu] = nullptr;
	for (int level = 0; level < 2; level++) {
		struct sched_domain *sd = &domains[cpu][level];

		if (!(spans[level] & (spans[level] - 1)) || (level && spans[1] == spans[0]))
			continue;
		*sd = {};
		sd->span.bits = spans[level];
		sd->flags = SD_BALANCE_NEWIDLE | SD_WAKE_AFFINE;
		sd->imbalance_pct = 100;
		*place = sd;
		place = &sd->parent;
		if (!level)
			sd_llc[cpu] = sd;
	}
}

static void make_current(struct task_struct *p, int cpu)
{
	p->cpu = p->wake_cpu = p->recent_used_cpu = cpu;
	p->on_cpu = p->on_rq = p->se.on_rq = 1;
	cpu_rq(cpu)->curr = cpus[cpu].curr = p;
}

static void count_running(int cpu)
{
	cpu_rq(cpu)->nr_running++;
	cpu_rq(cpu)->cfs.h_nr_running++;
}

void setup_cpu(int cpu, int llc, enum cpu_role role)
{
	const bool busy = role == CPU_BUSY;
	struct task_struct *p = busy ? &tasks[named_tasks + cpu] : cpu_rq(cpu)->idle;

	sd_llc_id[cpu] = llc;
	configs[cpu].followed = role == CPU_IDLE;
	make_current(p, cpu);
	p->cpus_mask.bits = 1u << cpu;
	p->nr_cpus_allowed = 1;
	p->body = runs_on;
	cpus[cpu].preempt_count = !busy;
	if (busy)
		count_running(cpu);
	for (int i = 0; i < NR_CPUS; i++)
		set_up_domains(i);
}

void setup_load(int cpu, int load)
{
	configs[cpu].load = load;
}

void setup_overload(void)
{
	root_domain.overload = 1;
}

void setup_short_idle(int cpu)
{
	for (struct sched_domain &sd : domains[cpu])
		sd.max_newidle_lb_cost = ~0u;
}

static struct task_struct *set_up_named(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = &tasks[task];

	p->cpu = p->wake_cpu = p->recent_used_cpu = cpu;
	p->cpus_mask.bits = allowed;
	p->nr_cpus_allowed = __builtin_popcount(allowed);
	p->body = body;
	return p;
}

void setup_sleeper(int task, int cpu, unsigned int allowed, task_body body)
{
	set_up_named(task, cpu, allowed, body)->__state = TASK_INTERRUPTIBLE;
}

void setup_runner(int task, int cpu, unsigned int allowed, task_body body)
{
	make_current(set_up_named(task, cpu, allowed, body), cpu);
	cpus[cpu].preempt_count = 0;
	count_running(cpu);
}

void setup_queued(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = set_up_named(task, cpu, allowed, body);

	p->on_rq = TASK_ON_RQ_QUEUED;
	p->se.on_rq = 1;
	cpu_rq(cpu)->queue = cpu_rq(cpu)->queue << 8 | (p->pid + 1);
	count_running(cpu);
}

/* --- What CPUs and bodies do --- */

bool wake(int task)
{
	return wake_up_process(&tasks[task]);
}

bool query_idle(int cpu)
{
	unsigned long flags;
	bool idle;

	local_irq_save(flags);
	idle = asked_idle(cpu);
	local_irq_restore(flags);

	return idle;
}

/* Reads as try_to_wake_up() does, as far as ttwu_queue_cond(), and on to its wait for on_cpu. */
bool look_at_descheduling(int task)
{
	struct task_struct *p = &tasks[task];
	struct rq *rq;

	if (READ_ONCE(p->on_rq))
		return false;
	smp_acquire__after_ctrl_dep();
	if (!smp_load_acquire(&p->on_cpu))
		return false;
	rq = cpu_rq(task_cpu(p));
	if (!rq->nr_running)
		return true;
	wr_violation("ACCOUNTING_DRIFT", "a task that is being switched out is still counted");
	smp_cond_load_acquire(&p->on_cpu, !VAL);
	if (rq->nr_running)
		wr_violation("WRONG_RQ", "a task that has been switched out is still counted");
	return true;
}

bool set_affinity(int task, unsigned int allowed)
{
	const uint32_t migrations = this_cpu().migrations;
	struct cpumask mask = { allowed };

	set_cpus_allowed_ptr(&tasks[task], &mask);
	return this_cpu().migrations != migrations;
}

void tick(int cpu)
{
	send_tick(cpu);
}

bool freeze_traced(int task)
{
	if (READ_ONCE(tasks[task].__state) != TASK_TRACED)
		return false;
	WRITE_ONCE(tasks[task].__state, __TASK_TRACED);
	return true;
}

void move_to_llc(int cpu, int llc)
{
	WRITE_ONCE(sd_llc_id[cpu], llc);
}

int look_at_iowait(int cpu)
{
	int waiting = nr_iowait_cpu(cpu);

	if (waiting < 0)
		wr_violation("ACCOUNTING_DRIFT", "fewer than no tasks wait for I/O");
	return waiting;
}

/* --- Looking at the end: all is quiet --- */

int task_place(int task)
{
	return tasks[task].cpu;
}

static uint32_t all_of(uint32_t cpu::*bits)
{
	uint32_t all = 0;

	for (const struct cpu &cpu : cpus)
		all |= cpu.*bits;
	return all;
}

static bool may_be_on(const struct task_struct *p, int cpu)
{
	const uint32_t left = all_of(&cpu::left_to_stopper);

	return p->cpu == (unsigned int)cpu &&
	       (p->cpus_mask.bits >> cpu & 1 || left >> p->pid & 1);
}

static void look_at(int cpu)
{
	const struct rq *rq = cpu_rq(cpu);
	const bool idle = rq->curr == rq->idle;
	unsigned int runnable = !idle;
	bool right = idle || may_be_on(rq->curr, cpu);

	for (u64 queue = rq->queue; queue; queue >>= 8) {
		runnable++;
		right &= may_be_on(queue_first(queue), cpu);
	}
	if (rq->nr_running != runnable)
		wr_violation("ACCOUNTING_DRIFT", "nr_running differs from what can run");
	if (!right)
		wr_violation("WRONG_RQ", "a task is where it may not be, or knows not where it is");
	if (!configs[cpu].followed)
		return;
	if (call_single_queue[cpu].first)
		wr_violation("LOST_WAKEUP", "a wakeup stays on the list of a quiet CPU");
	else if (rq->ttwu_pending)
		wr_violation("ACCOUNTING_DRIFT", "a wakeup is announced, but none is left");
	if (idle && rq->queue)
		wr_violation("LOST_WAKEUP", "a task stays queued on an idle CPU");
}

static void look_at_sums()
{
	int uninterruptible = 0, waiting = 0;

	for (const struct rq &rq : runqueues) {
		uninterruptible += rq.nr_uninterruptible;
		waiting += rq.nr_iowait;
	}
	for (unsigned int i = 0; i < named_tasks; i++) {
		const struct task_struct &p = tasks[i];

		if (!p.cpus_mask.bits || p.on_rq || p.__state == TASK_DEAD)
			continue;
		uninterruptible -= p.__state == TASK_UNINTERRUPTIBLE ||
				   (p.__state == TASK_WAKING && p.sched_contributes_to_load);
		waiting -= p.in_iowait;
	}
	if (uninterruptible)
		wr_violation("ACCOUNTING_DRIFT", "nr_uninterruptible does not add up");
	if (waiting)
		wr_violation("ACCOUNTING_DRIFT", "nr_iowait does not add up");
}

void check_quiet(void)
{
	static const char *const names[named_tasks] = { "A.cpu", "B.cpu", "C.cpu", "D.cpu" };

	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		if (cpu_rq(cpu)->curr)
			look_at(cpu);
	look_at_sums();
	for (unsigned int i = 0; i < named_tasks; i++)
		if (tasks[i].cpus_mask.bits)
			wr_outcome(names[i], tasks[i].cpu);
}

void check_finished(int task)
{
	if (!(all_of(&cpu::finished) >> task & 1))
		wr_violation("LOST_WAKEUP", "a task sleeps for ever though it was to be woken");
}

void check_sleeps(int task)
{
	if (all_of(&cpu::finished) >> task & 1)
		wr_violation("RUNNING_TWICE", "a task runs that somebody else holds stopped");
}

static unsigned int counted_idle_times(int cpu)
{
	const unsigned int counted = cpu_rq(cpu)->avg_idle + cpu_rq(cpu)->idle_stamp;

	wr_outcome("idle_times", cpus[cpu].idle_times);
	wr_outcome("balances", cpu_rq(cpu)->next_balance);
	wr_outcome("counted", counted);
	return counted;
}

void check_idle_times(int cpu)
{
	const unsigned int counted = counted_idle_times(cpu);

	if (counted < cpus[cpu].idle_times || counted > cpu_rq(cpu)->next_balance)
		wr_violation("ACCOUNTING_DRIFT", "the idle times do not add up");
}

void check_search_times(int cpu, int pulled)
{
	if (counted_idle_times(cpu) + pulled < cpu_rq(cpu)->next_balance)
		wr_violation("ACCOUNTING_DRIFT", "the time of a search is not fed into avg_idle");
}

int deepest_stack(void)
{
	unsigned int deepest = 0;

	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++) {
		unsigned int depth = 0;

		for (unsigned int i = 0; i < idle_tasks_first; i++)
			depth += tasks[i].cpus_mask.bits && tasks[i].cpu == cpu &&
				 (tasks[i].__state == TASK_RUNNING ||
				  tasks[i].__state == TASK_WAKING);
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
