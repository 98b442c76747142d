/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a scenario knows of the system under test. The kernel itself can
 * stand behind it in the model's place.
 */
#pragma once

#include <linux/sched.h>

/* Tasks by name; the others are those that busy CPUs run from the start. */
enum { A, B, C, D, FIRST_WAKER };

enum cpu_role {
	CPU_IDLE, /* idle at first, and back in the idle loop after its part of the scenario */
	CPU_BUSY, /* runs a task of its own throughout; nothing sent to it is followed */
	CPU_FREE, /* idle throughout, without a thread; nothing sent to it is followed */
};

/* A set of CPUs. */
template <typename... T> constexpr unsigned int CPUS(T... cpu)
{
	return ((1u << cpu) | ...);
}

/* --- Setting up, before the threads start --- */

/* An empty machine; comes first. */
void machine_setup(void);
/* CPUs with the same @llc share their last-level cache. */
void setup_cpu(int cpu, int llc, enum cpu_role role);
/* @task sleeps; it last ran on @cpu and may run on the CPUs of @allowed. */
void setup_sleeper(int task, int cpu, unsigned int allowed, task_body body);

/* What a task does each time it is switched in: never leave the CPU, or block at once. */
void runs_on(struct task_struct *p);
void blocks_again(struct task_struct *p);

/* --- What the CPU of the calling thread does --- */

/* Wakes a task, as wake_up_process(); true if it was this call that did. */
bool wake(int task);
/* Asks whether @cpu is idle, as a waker would: interrupts are off meanwhile. */
bool query_idle(int cpu);
/* Moves a task that is queued and does not run to this CPU, as a change of its
 * affinity does; true if it was there to be moved. */
bool pull(int task);
/* A place between two steps, where interrupts are taken and a reschedule that is due is done. */
void step(void);
/* Runs tasks, idles, takes interrupts; does not return. Every CPU_IDLE thread ends with it. */
void run_cpu(void);

/* --- Looking at the end --- */

/* The CPU a task is on, or was last. */
int task_place(int task);
/* Judges the final state, and reports where each task ended. Every scenario ends with it. */
void check_quiet(void);
