// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks, the switch between them, and what a CPU does all day. */
#include "model/machine/cpu.h"
#include "model/machine/face.h"

__image struct task_struct tasks[NR_TASKS];
__image struct task_struct idle_tasks[NR_CPUS];
__image struct cpu cpus[NR_CPUS];
__image struct cpu_config cpu_config[NR_CPUS];

#define STATE_NAMES "0=RUNNING 1=INTERRUPTIBLE 2=UNINTERRUPTIBLE 512=WAKING"
#define ON_RQ_NAMES "0=0 1=QUEUED 2=MIGRATING"

static const struct wr_field task_fields[] = {
	/* A waker looks at these four before it owns the task; the barriers of
	 * try_to_wake_up() order them, not a lock. */
	FIELD_VALUES(struct task_struct, __state, WR_FIELD_RACY, STATE_NAMES),
	FIELD_VALUES(struct task_struct, on_rq, WR_FIELD_RACY, ON_RQ_NAMES),
	FIELD(struct task_struct, on_cpu, WR_FIELD_RACY),
	FIELD(struct task_struct, cpu, WR_FIELD_RACY),
	FIELD(struct task_struct, pi_lock, 0),
	FIELD(struct task_struct, pid, WR_FIELD_CONST),
	FIELD(struct task_struct, cpus_mask, WR_FIELD_CONST),
	FIELD(struct task_struct, wake_entry, WR_FIELD_POINTER),
	FIELD(struct task_struct, context, 0),
	FIELD(struct task_struct, body, WR_FIELD_CONST),
};
static const char *const task_names[] = {
	"A", "B", "C", "D", "waker0", "waker1", "waker2", "waker3", "waker4", "waker5",
};
OBJECT("task", tasks, task_fields, task_names);

/* Nobody wakes an idle task, so only its own CPU looks at it. */
static const struct wr_field idle_task_fields[] = {
	FIELD(struct task_struct, __state, WR_FIELD_PRIVATE),
	FIELD(struct task_struct, on_rq, WR_FIELD_PRIVATE),
	FIELD(struct task_struct, on_cpu, WR_FIELD_PRIVATE),
	FIELD(struct task_struct, pid, WR_FIELD_CONST),
};
static const char *const idle_names[] = {
	"swapper0", "swapper1", "swapper2", "swapper3", "swapper4", "swapper5",
};
OBJECT("idle", idle_tasks, idle_task_fields, idle_names);

static const struct wr_field cpu_fields[] = {
	FIELD(struct cpu, curr, WR_FIELD_PRIVATE | WR_FIELD_POINTER),
	FIELD(struct cpu, registers, WR_FIELD_PRIVATE),
	FIELD(struct cpu, ipis_taken, WR_FIELD_PRIVATE),
	FIELD(struct cpu, irqs_disabled, WR_FIELD_PRIVATE),
	FIELD(struct cpu, need_resched, WR_FIELD_PRIVATE),
	FIELD(struct cpu, resumed, WR_FIELD_PRIVATE),
};
OBJECT("cpu", cpus, cpu_fields, nullptr);

static const struct wr_field cpu_config_fields[] = {
	FIELD(struct cpu_config, llc, WR_FIELD_CONST),
	FIELD(struct cpu_config, runs, WR_FIELD_CONST),
};
OBJECT("cpu_config", cpu_config, cpu_config_fields, nullptr);

__no_access_events struct task_struct *get_current(void)
{
	return this_cpu()->curr;
}

__no_access_events bool need_resched(void)
{
	return this_cpu()->need_resched;
}

__no_access_events void set_need_resched(void)
{
	this_cpu()->need_resched = 1;
}

__no_access_events void clear_need_resched(void)
{
	this_cpu()->need_resched = 0;
}

/* An idle task's registers are nobody else's business, so they are not saved. */
noinline void switch_to(struct task_struct *prev, struct task_struct *next)
{
	struct cpu *cpu = this_cpu();

	if (!is_idle_task(prev))
		prev->context = cpu->registers + 1;
	if (!is_idle_task(next))
		cpu->registers = next->context;

	cpu->curr = next;
	cpu->resumed = 1;
}

void runs_on(struct task_struct *)
{
}

noinline void blocks_again(struct task_struct *)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
}

/*
 * One step of a task, then whatever was asked for meanwhile. An interrupt does
 * not preempt a step: that is a bound of this machine.
 */
static void run_task(struct task_struct *p)
{
	if (this_cpu()->resumed && p->body != runs_on) {
		this_cpu()->resumed = 0;
		interrupt_point();
		p->body(p);
	} else {
		local_irq_disable();
		arch_cpu_idle();
	}

	if (current == p && need_resched())
		schedule();
}

void run_cpu(void)
{
	for (;;) {
		if (is_idle_task(current))
			do_idle();
		else
			run_task(current);
	}
}
