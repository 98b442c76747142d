/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU of the machine that runs the cut functions, and what it tells the engine. */
#pragma once

#include <linux/sched.h>

/* A to D, the tasks of busy CPUs, idle tasks. */
enum { named_tasks = 4, idle_tasks_first = 10, items = idle_tasks_first + NR_CPUS };

/* What only the CPU itself touches. Sets of tasks are bits. */
struct cpu {
	struct task_struct *curr;
	struct task_struct *last;     /* the task that the CPU was switched away from */
	struct task_struct *drained;  /* the task that is being taken off the list */
	struct task_struct *enqueued; /* the task whose wakeup is being finished */
	unsigned long registers;
	uint32_t ipis_taken;
	uint32_t waking; /* the item this CPU wakes */
	uint32_t finished;
	uint32_t left_to_stopper;
	uint32_t idle_times;
	uint32_t migrations; /* of tasks, by this CPU */
	uint8_t work_changes; /* the count that changes next begins or ends the CPU's work */
	uint8_t irqs_disabled;
	uint8_t need_resched;
	uint8_t preempt_count;
};

/* IPIs sent to a CPU are counted, so that a CPU knows by itself what is new. */
struct ipi {
	uint32_t sent;
};
constexpr uint32_t call_ipi = 1, reschedule_ipi = 0x10000, tick_ipi = 0x1000000;

extern struct task_struct tasks[items];
extern struct cpu cpus[NR_CPUS];
extern struct ipi ipis[NR_CPUS];

/* Fixed when the threads start. */
struct config {
	bool followed; /* its thread ends in the idle loop: it takes IPIs */
	int load;
};
extern struct config configs[NR_CPUS];

static inline struct cpu &this_cpu()
{
	return cpus[smp_processor_id()];
}

static inline bool is_idle_task(const struct task_struct *p)
{
	return p->pid >= idle_tasks_first;
}

/* The queue of a runqueue, first in first out, as a value. */
u64 queue_append(u64 queue, const struct task_struct *p);
u64 queue_remove(u64 queue, const struct task_struct *p);
static inline struct task_struct *queue_first(u64 queue)
{
	return &tasks[(queue & 0xff) - 1];
}

/* The engine calls this before accesses: interrupts are taken here, if they are enabled. */
void interrupt_point(void);
void wait_for_interrupt(void);
void send_tick(int cpu);

/* --- What the cut functions call in place of the kernel's --- */

/* The flag is the CPU's own: a reschedule of another CPU is sent as an interrupt. */
bool test_tsk_need_resched(struct task_struct *tsk);
void set_tsk_need_resched(struct task_struct *tsk);
void clear_tsk_need_resched(struct task_struct *tsk);
/* idle_cpu(), shown to the engine as one call. */
bool asked_idle(int cpu);
int load_of(int cpu);
void no_preemption(struct rq *rq, struct task_struct *p, int flags);
void queue_in(struct rq *rq, struct task_struct *p, int flags);
void queue_out(struct rq *rq, struct task_struct *p, int flags);
/* As add_nr_running() and sub_nr_running(), of one task. */
void count_in(struct rq *rq, struct task_struct *p);
void count_out(struct rq *rq, struct task_struct *p);
int load_balance(int this_cpu, struct rq *this_rq, struct sched_domain *sd, int idle, int *);
struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev, struct rq_flags *rf);
/* Goes on with @next; returns, on some CPU, the task that was switched away from there. */
struct task_struct *machine_switch(struct task_struct *prev, struct task_struct *next);
void arch_send_call_function_single_ipi(int cpu);
void smp_send_reschedule(int cpu);

/* --- What the engine is told; most of it speaks of the access that follows --- */

void note_waking(struct task_struct *p);
void note_stays(struct rq *rq);
void note_leaves(struct task_struct *prev);
void note_drained(struct task_struct *p);
static inline void note_drained(call_single_data_t *) {}
void note_left_to_stopper(struct task_struct *p);
