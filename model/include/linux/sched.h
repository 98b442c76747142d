/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/atomic.h>
#include <linux/barrier.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#define NR_TASKS 10
static_assert(NR_TASKS <= WR_STACKS_MAX, "a task has a stack of its own");

#define TASK_RUNNING 0u
#define TASK_INTERRUPTIBLE 1u
#define TASK_UNINTERRUPTIBLE 2u
#define __TASK_TRACED 8u
#define TASK_DEAD 0x80u
#define TASK_WAKEKILL 0x100u
#define TASK_WAKING 0x200u
#define TASK_NOLOAD 0x400u
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_TRACED (TASK_WAKEKILL | __TASK_TRACED)

#define _TIF_NEED_RESCHED 1u
#define _TIF_POLLING_NRFLAG 2u

/* What a task does; it runs on a stack of its own, on whatever CPU. */
typedef void (*task_body)(void);

struct task_struct {
	unsigned int thread_flags; /* thread_info's */
	unsigned int __state;
	unsigned int on_rq;
	unsigned int on_cpu;
	unsigned int cpu;
	unsigned int recent_used_cpu;
	raw_spinlock_t pi_lock;
	unsigned int cpus_mask;
	struct __call_single_node wake_entry;
	/* Bits that the runqueue lock of the task's CPU protects: one word, of
	 * which the compiler accesses the byte that has bits. */
	union {
		uint8_t sched_bits;
		struct {
			unsigned int sched_contributes_to_load : 1;
		};
	};
	/* Bits of another word: those that nothing serializes with the ones above. */
	union {
		uint8_t current_bits;
		struct {
			unsigned int sched_remote_wakeup : 1;
			unsigned int in_iowait : 1;
		};
	};
	/* The saved registers: whoever runs the task must see what the last one saved. */
	unsigned long context;
	unsigned int pid;       /* index in the array of tasks: the engine's item */
	unsigned int cpus_meant; /* what the scenario allows from the start */
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

/* Tells the engine that the current task has the CPU; stands before an access. */
void note_runs(void);

#define __set_current_state(state_value)				\
	do {								\
		note_runs();						\
		WRITE_ONCE(current->__state, (state_value));		\
	} while (0)
#define set_current_state(state_value)					\
	do {								\
		note_runs();						\
		smp_store_mb(current->__state, (state_value));		\
	} while (0)

/* For states that no loop looks at again: pi_lock keeps a waker's late store away. */
#define set_special_state(state_value)					\
	do {								\
		unsigned long flags;					\
									\
		raw_spin_lock_irqsave(&current->pi_lock, flags);	\
		note_runs();						\
		WRITE_ONCE(current->__state, (state_value));		\
		raw_spin_unlock_irqrestore(&current->pi_lock, flags);	\
	} while (0)

/* Mirrors include/linux/wait.h:wait_event, v6.2, without a queue: the waker names the task. */
#define wait_event(condition)						\
	do {								\
		for (;;) {						\
			set_current_state(TASK_UNINTERRUPTIBLE);	\
			if (condition)					\
				break;					\
			schedule();					\
		}							\
		__set_current_state(TASK_RUNNING);			\
	} while (0)

bool test_tsk_need_resched(struct task_struct *p);
void set_tsk_need_resched(struct task_struct *p);
void clear_tsk_need_resched(struct task_struct *p);
#define need_resched() test_tsk_need_resched(current)

int wake_up_process(struct task_struct *p);
void schedule(void);
void schedule_idle(void);
void schedule_tail(struct task_struct *prev);
void preempt_schedule_irq(void);
void io_schedule(void);
void do_task_dead(void);
void do_idle(void);
void arch_cpu_idle(void);
void scheduler_ipi(void);
void scheduler_tick(void);
int idle_cpu(int cpu);
int available_idle_cpu(int cpu);
unsigned int nr_iowait_cpu(int cpu);
bool set_cpus_allowed(struct task_struct *p, unsigned int mask);
