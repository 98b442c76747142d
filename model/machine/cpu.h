/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU of the machine: what is its own, how it is set up, and what it tells the engine. */
#pragma once

#include <linux/sched.h>
#include <linux/smp.h>
#include "model/machine/tables.h"

/* Only the CPU itself touches this, so no access to it is an event. */
struct cpu {
	struct task_struct *curr;
	uint64_t registers;    /* what the current task keeps in the CPU */
	uint32_t ipis_taken;   /* the value of the IPI word that was handled last */
	uint8_t irqs_disabled;
	uint8_t need_resched;
	uint8_t resumed;       /* the current task has a step to do */
};

/* Fixed by the scenario. */
struct cpu_config {
	uint8_t llc;
	/* Its thread ends in the idle loop. What is sent to another CPU is not followed. */
	uint8_t runs;
};

/*
 * IPIs sent to a CPU, counted: calls in the lower half, reschedules in the
 * upper. A count instead of a flag needs no store by the taker, who knows what
 * it has handled, and loses none.
 */
struct ipi_word {
	uint32_t sent;
};
#define IPI_CALL 1u
#define IPI_RESCHEDULE 0x10000u

extern struct cpu cpus[NR_CPUS];
extern struct cpu_config cpu_config[NR_CPUS];
extern struct ipi_word ipis[NR_CPUS];

extern const struct wr_idle_view idle_views[];
extern const unsigned int idle_view_count;

static inline struct cpu *this_cpu(void)
{
	return &cpus[smp_processor_id()];
}

/* Takes what has been sent to this CPU so far, if its interrupts are enabled. */
void interrupt_point(void);

/* Saves the registers of one task, loads those of the other. */
void switch_to(struct task_struct *prev, struct task_struct *next);

/* The number of a CPU's list of announced wakeups, among the engine's queues. */
#define WAKE_QUEUE(cpu) (100u + (unsigned int)(cpu))

/* Each of these has to stand right before the access it speaks of. */
void note_wakeup(struct task_struct *p);
void note_left_to(int cpu, struct task_struct *p);
void note_switch(int cpu, struct task_struct *next);
void note_stays(int cpu, struct task_struct *prev);
