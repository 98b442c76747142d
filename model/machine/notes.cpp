// SPDX-License-Identifier: GPL-2.0-or-later
/* What the engine is told about accesses, in its own words: work, owners, queues, wakeups. */
#include "model/machine/cpu.h"
#include "model/machine/face.h"

static struct task_struct *task_of(struct llist_node *node)
{
	return llist_entry(node, struct task_struct, wake_entry.llist);
}

static bool is_wakeup(struct llist_node *node)
{
	return llist_entry(node, struct __call_single_node, llist)->u_flags == CSD_TYPE_TTWU;
}

void note_list_push(struct llist_head *head, struct llist_node *node)
{
	if (is_wakeup(node))
		wr_note(WR_QUEUE_IN, WAKE_QUEUE(head - call_single_queue), task_of(node)->pid);
}

void note_list_pop(int cpu, struct llist_node *node)
{
	wr_note(WR_QUEUE_OUT, WAKE_QUEUE(cpu), task_of(node)->pid);
}

/*
 * A task that never blocks keeps its CPU, and no tick takes it away, so those
 * queued behind it need not run. Its wakeups are judged by check_quiet() alone.
 */
void note_wakeup(struct task_struct *p)
{
	if (p->body != runs_on)
		wr_note(WR_WAKE, smp_processor_id(), p->pid);
}

/* A CPU that is not followed is trusted to run what it is given. */
void note_left_to(int cpu, struct task_struct *p)
{
	if (!cpu_config[cpu].runs)
		wr_note(WR_RUN, cpu, p->pid);
}

void note_runs(void)
{
	if (!is_idle_task(current))
		wr_note(WR_RUN, smp_processor_id(), current->pid);
}

void note_switch(int cpu, struct task_struct *next)
{
	unsigned int item = next->pid;

	if (is_idle_task(next))
		return;

	wr_note(WR_OWNER_BEGIN, cpu, item);
	wr_note(WR_RUN, cpu, item);
}

void note_left_to_stopper(struct task_struct *p)
{
	this_cpu()->left_to_stopper |= 1u << p->pid;
}

/* A CPU never needs an interrupt to reach itself. Whoever wakes a task anew has to
 * heed where it may run. */
void note_announced(int cpu, struct task_struct *p)
{
	if (cpu == smp_processor_id())
		wr_violation("NEEDLESS_IPI", "a task goes on the wakelist of its own waker's CPU");
	this_cpu()->left_to_stopper &= ~(1u << p->pid);
}

/* A task that meant to block, but was woken before it did, goes on. */
void note_stays(int cpu, struct task_struct *prev)
{
	if (!is_idle_task(prev))
		wr_note(WR_RUN, cpu, prev->pid);
}

/* Who polls for NEED_RESCHED needs nothing more once it is set. */
void note_told(struct task_struct *curr)
{
	if (is_idle_task(curr))
		wr_note(WR_POLL_END, curr->pid - NR_TASKS, 0);
}
