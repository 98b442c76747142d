/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU of the machine that runs the cut functions, and what a program does with it. */
#pragma once

#include "tests/real/shadow.hpp"

enum { A, B, tasks_max = 2, idle_tasks_first = 8, items = 8 + NR_CPUS };

/* What only the CPU itself touches. */
struct cpu {
	struct task_struct *curr;
	struct task_struct *drained; /* the task that is being taken off the list */
	unsigned long registers;
	uint32_t ipis_taken;
	uint32_t waking; /* the item this CPU wakes */
	uint8_t irqs_disabled;
	uint8_t need_resched;
	uint8_t resumed;
};

/* IPIs sent to a CPU are counted, so that a CPU knows by itself what is new. */
struct ipi {
	uint32_t sent;
};
constexpr uint32_t call_ipi = 1, reschedule_ipi = 0x10000;

extern struct task_struct tasks[items]; /* A, B, the tasks of busy CPUs, idle tasks */
extern struct cpu cpus[NR_CPUS];
extern struct ipi ipis[NR_CPUS];
extern uint32_t followed[NR_CPUS]; /* its thread ends in the idle loop: it takes IPIs */

static inline struct cpu &this_cpu()
{
	return cpus[smp_processor_id()];
}

static inline bool is_idle_task(const struct task_struct *p)
{
	return p->pid >= idle_tasks_first;
}

static inline bool may_run(const struct task_struct *p, int cpu)
{
	return p->cpus_mask.bits >> cpu & 1;
}

/* The engine calls this before accesses: interrupts are taken here, if they are enabled. */
void interrupt_point(void);

/* --- What a program's CPU does --- */

void wake(unsigned int item);
/* Asks whether a CPU is idle, with interrupts off. */
bool query_idle(int cpu);
/* Moves a queued task to another CPU; false if it is not queued there. */
bool move_away(struct task_struct *p, int to);
/* Runs tasks, idles and takes interrupts for good. */
[[noreturn]] void run_cpu(void);
