/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU of the machine: what is its own, how it is set up, and what it tells the engine. */
#pragma once

#include <linux/sched.h>
#include <linux/smp.h>
#include "model/machine/tables.h"

/* Only the CPU itself touches this, so no access to it is an event. */
struct cpu {
	struct task_struct *curr;
	struct task_struct *last; /* the task that the CPU was switched away from */
	uint64_t registers;       /* what the current task keeps in the CPU */
	uint32_t ipis_taken;      /* the value of the IPI word that was handled last */
	uint32_t finished;        /* tasks whose body ended here, as bits */
	uint32_t idle_times;      /* how often it went idle */
	uint32_t left_to_stopper; /* tasks that ran where they may no more, as bits */
	uint8_t need_resched;     /* without a polling bit: the flag of the current task */
	uint8_t irqs_disabled;
	uint8_t preempt_count;
};

/* Fixed by the scenario. */
struct cpu_config {
	/* Its thread ends in the idle loop. What is sent to another CPU is not followed. */
	uint8_t runs;
	uint8_t load; /* what wake_affine() compares */
};

/* Likewise. Sets of CPUs are bits. */
struct machine {
	uint8_t span;                       /* the CPUs that there are */
	uint8_t domains[NR_CPUS][2];        /* the cache's and the machine's; 0 if not larger */
	uint8_t llc_span[NR_CPUS];
	uint8_t overload;                   /* the CPUs for which a search is worth it */
	uint8_t polling_bit;                /* the architecture has TIF_POLLING_NRFLAG */
	uint8_t idle_polls;                 /* idle CPUs poll instead of halting */
};

/* The number of the cache of a CPU, which a rebuild of the domains may change. */
struct llc_id {
	unsigned int id;
};

/*
 * IPIs sent to a CPU, counted: calls in the lower half, then reschedules, then
 * ticks of its timer. A count instead of a flag needs no store by the taker,
 * who knows what it has handled, and loses none.
 */
struct ipi_word {
	uint32_t sent;
};
#define IPI_CALL 1u
#define IPI_RESCHEDULE 0x10000u
#define IPI_TICK 0x1000000u

extern struct cpu cpus[NR_CPUS];
extern struct cpu_config cpu_config[NR_CPUS];
extern struct machine machine;
extern struct llc_id sd_llc_id[NR_CPUS];
extern struct ipi_word ipis[NR_CPUS];

extern const struct wr_idle_view idle_views[];
extern const unsigned int idle_view_count;

static inline struct cpu *this_cpu(void)
{
	return &cpus[smp_processor_id()];
}

/* Takes what has been sent to this CPU so far, if its interrupts are enabled. */
void interrupt_point(void);
/* Waits until a poller has something to do, or for an interrupt, which it takes. */
void cpu_relax(void);
/* The timer of @cpu goes off. */
void send_tick(int cpu);

/* Goes on with @next, on its stack; returns, on some CPU, when somebody switches
 * back, the task that was switched away from there. */
struct task_struct *switch_to(struct task_struct *prev, struct task_struct *next);

/* The number of a CPU's list of announced wakeups, among the engine's queues. */
#define WAKE_QUEUE(cpu) (100u + (unsigned int)(cpu))

/* What is remembered for the check of the final state. */
void note_left_to_stopper(struct task_struct *p);
void note_announced(int cpu, struct task_struct *p);

/* Each of these has to stand right before the access it speaks of. */
void note_wakeup(struct task_struct *p);
void note_left_to(int cpu, struct task_struct *p);
void note_switch(int cpu, struct task_struct *next);
void note_stays(int cpu, struct task_struct *prev);
void note_told(struct task_struct *curr);
