// SPDX-License-Identifier: GPL-2.0-or-later
/* What the engine is told: about stores of the kernel, and where it has trace points. */
#include "tests/real/machine.hpp"

#include "model/machine/face.h"

static bool must_run(const struct task_struct *p)
{
	/* Such a task keeps its CPU for good, and hinders those behind it. */
	return p->body != runs_on;
}

static void note_state(struct task_struct *p, unsigned int state)
{
	if (p == get_current() || (state != TASK_RUNNING && state != TASK_WAKING))
		return;
	/* The end of a wakeup that was noted when it began. */
	if (this_cpu().enqueued == p) {
		this_cpu().enqueued = nullptr;
		return;
	}
	if (must_run(p))
		wr_note(WR_WAKE, smp_processor_id(), p->pid);
}

static void note_announced(int cpu)
{
	const uint32_t item = this_cpu().waking;

	this_cpu().left_to_stopper &= ~(1u << item);
	if (!configs[cpu].followed)
		wr_note(WR_RUN, cpu, item);
	wr_note(WR_WORK_COMMIT, cpu, item);
}

static void note_current(const struct task_struct *next)
{
	if (is_idle_task(next))
		return;
	wr_note(WR_OWNER_BEGIN, smp_processor_id(), next->pid);
	wr_note(WR_RUN, smp_processor_id(), next->pid);
}

void note_store(const volatile void *place, uint64_t value)
{
	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		if (place == &runqueues[cpu].ttwu_pending && value)
			note_announced(cpu);
	for (struct task_struct &p : tasks)
		if (place == &p.__state)
			note_state(&p, value);
	if (place == &this_rq()->curr)
		note_current(reinterpret_cast<const struct task_struct *>(value));
}

void note_waking(struct task_struct *p)
{
	this_cpu().waking = p->pid;
}

void note_runs(void)
{
	if (!is_idle_task(get_current()))
		wr_note(WR_RUN, smp_processor_id(), get_current()->pid);
}

void note_stays(struct rq *)
{
	note_runs();
}

void note_leaves(struct task_struct *prev)
{
	if (!is_idle_task(prev))
		wr_note(WR_OWNER_END, smp_processor_id(), prev->pid);
}

void note_drained(struct task_struct *p)
{
	this_cpu().drained = p;
	wr_note(WR_QUEUE_OUT, 100 + smp_processor_id(), p->pid);
}

void note_left_to_stopper(struct task_struct *p)
{
	this_cpu().left_to_stopper |= 1u << p->pid;
}
