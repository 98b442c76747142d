// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/machine/face.h"

#include "model/kernel/sched/sched.h"
#include "model/machine/cpu.h"

static void setup_task(struct task_struct *p, unsigned int pid)
{
	p->__state = TASK_RUNNING;
	p->on_rq = 0;
	p->on_cpu = 0;
	p->cpu = 0;
	p->pi_lock.word = 0;
	p->pid = pid;
	p->cpus_mask = 0;
	p->wake_entry.next = nullptr;
	p->context = 0;
	p->body = nullptr;
}

void machine_setup(void)
{
	for (unsigned int i = 0; i < NR_TASKS; i++)
		setup_task(&tasks[i], i);

	for (unsigned int i = 0; i < NR_CPUS; i++) {
		struct rq *rq = cpu_rq(i);

		setup_task(&idle_tasks[i], NR_TASKS + i);
		rq->__lock.word = 0;
		rq->nr_running = 0;
		rq->cpu = i;
		rq->queue = 0;
		rq->idle = &idle_tasks[i];
		/* Until the scenario speaks of it: nobody's neighbour, and never idle. */
		rq->curr = nullptr;
		cpu_config[i].llc = NR_CPUS + i;
		cpu_config[i].runs = 0;
	}
}

void setup_cpu(int cpu, int llc, enum cpu_role role)
{
	struct rq *rq = cpu_rq(cpu);
	struct task_struct *p = role == CPU_BUSY ? &tasks[FIRST_WAKER + cpu] : &idle_tasks[cpu];

	cpu_config[cpu].llc = llc;
	cpu_config[cpu].runs = role == CPU_IDLE;
	p->cpu = cpu;
	p->on_cpu = 1;
	p->on_rq = 1;
	p->cpus_mask = 1u << cpu;
	p->body = runs_on;
	rq->curr = p;
	rq->nr_running = role == CPU_BUSY;
	cpus[cpu].curr = p;
}

void setup_sleeper(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = &tasks[task];

	p->__state = TASK_UNINTERRUPTIBLE;
	p->cpu = cpu;
	p->cpus_mask = allowed;
	p->body = body;
}

void step(void)
{
	interrupt_point();
	if (need_resched())
		schedule();
}

bool wake(int task)
{
	return wake_up_process(&tasks[task]);
}

bool query_idle(int cpu)
{
	unsigned long flags;
	bool idle;

	local_irq_save(flags);
	idle = noted_idle_cpu(cpu);
	local_irq_restore(flags);

	return idle;
}

bool pull(int task)
{
	return migrate_queued_task(&tasks[task], smp_processor_id());
}

int task_place(int task)
{
	return tasks[task].cpu;
}

static unsigned int queued(const struct rq *rq)
{
	unsigned int count = 0;

	for (uint64_t queue = rq->queue; queue; queue >>= 8)
		count++;
	return count;
}

/* A task that is on a runqueue must name that runqueue's CPU as its own. */
static void check_places(int cpu)
{
	const struct rq *rq = cpu_rq(cpu);
	bool right = is_idle_task(rq->curr) || task_cpu(rq->curr) == (unsigned int)cpu;

	for (uint64_t queue = rq->queue; queue; queue >>= 8)
		right &= task_cpu(&tasks[(queue & 0xff) - 1]) == (unsigned int)cpu;
	if (!right)
		wr_violation("WRONG_RQ", "a task is on a runqueue that is not its CPU's");
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

void check_quiet(void)
{
	static const char *const names[FIRST_WAKER] = { "A.cpu", "B.cpu", "C.cpu", "D.cpu" };

	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		check_cpu(cpu);

	for (int task = 0; task < FIRST_WAKER; task++)
		if (tasks[task].cpus_mask)
			wr_outcome(names[task], task_place(task));
}
