// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks, their stacks, and the switch between them. */
#include "model/machine/cpu.h"
#include "model/machine/face.h"

__image struct task_struct tasks[NR_TASKS];
__image struct task_struct idle_tasks[NR_CPUS];
__image struct cpu cpus[NR_CPUS];
__image struct cpu_config cpu_config[NR_CPUS];
__image struct machine machine;
__image struct llc_id sd_llc_id[NR_CPUS];

#define STATE_NAMES "0=RUNNING 1=INTERRUPTIBLE 2=UNINTERRUPTIBLE 8=__TRACED 128=DEAD " \
		    "264=TRACED 512=WAKING"
#define ON_RQ_NAMES "0=0 1=QUEUED 2=MIGRATING"
#define FLAG_NAMES "0=0 1=NEED_RESCHED 2=POLLING 3=POLLING|NEED_RESCHED"

static const struct wr_field task_fields[] = {
	/* Only through ONCE and atomics. */
	FIELD_VALUES(struct task_struct, thread_flags, 0, FLAG_NAMES),
	/* A waker looks at these four before it owns the task; the barriers of
	 * try_to_wake_up() order them, not a lock. */
	FIELD_VALUES(struct task_struct, __state, WR_FIELD_RACY, STATE_NAMES),
	FIELD_VALUES(struct task_struct, on_rq, WR_FIELD_RACY, ON_RQ_NAMES),
	FIELD(struct task_struct, on_cpu, WR_FIELD_RACY),
	FIELD(struct task_struct, cpu, WR_FIELD_RACY),
	FIELD(struct task_struct, recent_used_cpu, 0),
	FIELD(struct task_struct, pi_lock, 0),
	FIELD(struct task_struct, cpus_mask, 0),
	FIELD(struct task_struct, wake_entry.llist, WR_FIELD_POINTER),
	FIELD(struct task_struct, wake_entry.u_flags, WR_FIELD_CONST),
	FIELD(struct task_struct, sched_bits, 0),
	/* A waker writes sched_remote_wakeup while __schedule() reads in_iowait:
	 * the kernel has this race, and nothing of the word is lost by it. */
	FIELD(struct task_struct, current_bits, WR_FIELD_RACY),
	FIELD(struct task_struct, context, 0),
	FIELD(struct task_struct, pid, WR_FIELD_CONST),
	FIELD(struct task_struct, cpus_meant, WR_FIELD_CONST),
	FIELD(struct task_struct, body, WR_FIELD_CONST),
};
static const char *const task_names[] = {
	"A", "B", "C", "D", "waker0", "waker1", "waker2", "waker3", "waker4", "waker5",
};
OBJECT("task", tasks, task_fields, task_names);

/* Nobody wakes an idle task, so only its own CPU looks at most of it. */
static const struct wr_field idle_task_fields[] = {
	FIELD_VALUES(struct task_struct, thread_flags, 0, FLAG_NAMES),
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
	FIELD(struct cpu, last, WR_FIELD_PRIVATE | WR_FIELD_POINTER),
	FIELD(struct cpu, registers, WR_FIELD_PRIVATE),
	FIELD(struct cpu, ipis_taken, WR_FIELD_PRIVATE),
	FIELD(struct cpu, finished, WR_FIELD_PRIVATE),
	FIELD(struct cpu, idle_times, WR_FIELD_PRIVATE),
	FIELD(struct cpu, left_to_stopper, WR_FIELD_PRIVATE),
	FIELD(struct cpu, need_resched, WR_FIELD_PRIVATE),
	FIELD(struct cpu, irqs_disabled, WR_FIELD_PRIVATE),
	FIELD(struct cpu, preempt_count, WR_FIELD_PRIVATE),
};
OBJECT("cpu", cpus, cpu_fields, nullptr);

static const struct wr_field cpu_config_fields[] = {
	FIELD(struct cpu_config, runs, WR_FIELD_CONST),
	FIELD(struct cpu_config, load, WR_FIELD_CONST),
};
OBJECT("cpu_config", cpu_config, cpu_config_fields, nullptr);

static const struct wr_field machine_fields[] = {
	FIELD(struct machine, span, WR_FIELD_CONST),
	FIELD(struct machine, domains, WR_FIELD_CONST),
	FIELD(struct machine, llc_span, WR_FIELD_CONST),
	FIELD(struct machine, overload, WR_FIELD_CONST),
	FIELD(struct machine, polling_bit, WR_FIELD_CONST),
	FIELD(struct machine, idle_polls, WR_FIELD_CONST),
};
OBJECT_ALONE("machine", machine, machine_fields);

static const struct wr_field llc_id_fields[] = {
	/* The kernel reads it without ONCE while the domains are rebuilt. */
	FIELD(struct llc_id, id, WR_FIELD_RACY),
};
OBJECT("sd_llc", sd_llc_id, llc_id_fields, nullptr);

__no_access_events struct task_struct *get_current(void)
{
	return this_cpu()->curr;
}

static void run_body(void)
{
	current->body();
	this_cpu()->finished |= 1u << current->pid;
	do_task_dead();
	/* Whoever wakes the dead is stopped by the engine. */
	for (;;)
		arch_cpu_idle();
}

/* Where a task begins that is switched to for the first time. */
static void ret_from_fork(unsigned int)
{
	schedule_tail(this_cpu()->last);
	preempt_enable_no_resched();
	run_body();
}

/* Where a task begins that runs from the start. */
static void already_running(unsigned int)
{
	wr_note(WR_OWNER_START, smp_processor_id(), current->pid);
	run_body();
}

/* An idle task's registers are nobody else's business, so they are not saved. */
noinline struct task_struct *switch_to(struct task_struct *prev, struct task_struct *next)
{
	struct cpu *cpu = this_cpu();

	if (!is_idle_task(prev))
		prev->context = cpu->registers + 1;
	if (!is_idle_task(next))
		cpu->registers = next->context;
	else
		cpu->idle_times++;

	cpu->curr = next;
	cpu->last = prev;
	wr_switch(is_idle_task(next) ? WR_OWN_STACK : next->pid, ret_from_fork);
	return this_cpu()->last;
}

void runs_on(void)
{
	for (;;) {
		local_irq_disable();
		arch_cpu_idle();
	}
}

noinline void blocks_again(void)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		schedule();
	}
}

void run_cpu(void)
{
	/* The idle task is the stack that the thread began on. */
	if (!is_idle_task(current)) {
		wr_switch(current->pid, already_running);
		schedule_tail(this_cpu()->last);
	}
	for (;;)
		do_idle();
}
