/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/barrier.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#define NR_TASKS 10

#define TASK_RUNNING 0u
#define TASK_INTERRUPTIBLE 1u
#define TASK_UNINTERRUPTIBLE 2u
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_WAKING 0x200u

struct task_struct;

/* What a task does from being switched in to where it may be switched out: one step. */
typedef void (*task_body)(struct task_struct *p);

struct task_struct {
	unsigned int __state;
	unsigned int on_rq;
	unsigned int on_cpu;
	unsigned int cpu;
	raw_spinlock_t pi_lock;
	unsigned int pid; /* index in the array of tasks: the engine's item */
	unsigned int cpus_mask;
	struct llist_node wake_entry;
	/* The saved registers: whoever runs the task must see what the last one saved. */
	unsigned long context;
	task_body body;
};

extern struct task_struct tasks[NR_TASKS];
extern struct task_struct idle_tasks[NR_CPUS];

static inline bool is_idle_task(const struct task_struct *p)
{
	return p->pid >= NR_TASKS;
}

static inline unsigned int task_cpu(const struct task_struct *p)
{
	return READ_ONCE(p->cpu);
}

struct task_struct *get_current(void);
#define current get_current()

#define set_current_state(state_value) smp_store_mb(current->__state, (state_value))
#define __set_current_state(state_value) WRITE_ONCE(current->__state, (state_value))

bool need_resched(void);
void set_need_resched(void);
void clear_need_resched(void);

int wake_up_process(struct task_struct *p);
void schedule(void);
void schedule_idle(void);
void do_idle(void);
void arch_cpu_idle(void);
void scheduler_ipi(void);
int idle_cpu(int cpu);
int available_idle_cpu(int cpu);
