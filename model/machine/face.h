/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a scenario knows of the system under test. The kernel itself can
 * stand behind it in the model's place. A task's body is written with the
 * kernel's own words: set_current_state(), schedule(), wait_event().
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

enum idle_method {
	IDLE_HALTS,          /* no polling bit: who wants an idle CPU always interrupts it */
	IDLE_POLLS_AND_HALTS, /* a polling bit, which is clear while the CPU halts */
	IDLE_POLLS,          /* a polling bit, and no halt */
};

/* A set of CPUs. */
template <typename... T> constexpr unsigned int CPUS(T... cpu)
{
	return ((1u << cpu) | ...);
}

/* --- Setting up, before the threads start --- */

/* An empty machine; comes first. */
void machine_setup(void);
/* How all CPUs idle; IDLE_HALTS if not said. */
void setup_idle(enum idle_method method);
/* CPUs with the same @llc share their last-level cache. */
void setup_cpu(int cpu, int llc, enum cpu_role role);
/* What wake_affine() takes for the load of @cpu; 0 if not said. */
void setup_load(int cpu, int load);
/* Some CPU has more than one task, so that those that run out of tasks search. Comes
 * after the CPUs. */
void setup_overload(void);
/* @cpu's idle times are too short for a search to pay. Comes last. */
void setup_short_idle(int cpu);
/* @task sleeps; it last ran on @cpu and may run on the CPUs of @allowed. Its body
 * begins when it is woken. */
void setup_sleeper(int task, int cpu, unsigned int allowed, task_body body);
/* @task is what @cpu, a CPU_IDLE, runs at first. */
void setup_runner(int task, int cpu, unsigned int allowed, task_body body);
/* @task waits on the runqueue of @cpu, which is busy or has a runner. */
void setup_queued(int task, int cpu, unsigned int allowed, task_body body);
/* For reads and writes of the scenario's own: words[i].value, 0 at first. */
struct word {
	unsigned int value;
};
extern struct word words[4];

/* All is set up: @places CPUs, of which the first @threads act. SCENARIO() sees to it. */
void machine_ready(unsigned int threads, unsigned int places);

/* Bodies: never leave the CPU; block as soon as woken, for ever. A body that
 * returns ends its task. */
void runs_on(void);
void blocks_again(void);

/* --- What the CPU of the calling thread, or a body, does --- */

/* Wakes a task, as wake_up_process(); true if it was this call that did. */
bool wake(int task);
/* Asks whether @cpu is idle, as a waker would: interrupts are off meanwhile. */
bool query_idle(int cpu);
/* Looks at a task as its waker does until it decides about the wakelist: true if the task
 * is being switched out. Nothing else runs on its CPU, so nr_running must be 0 by then. */
bool look_at_descheduling(int task);
/* Has @func called by @cpu, in an interrupt; one call at a time from each CPU. */
void call_on(int cpu, smp_call_func_t func);
/* Lets a task run on the CPUs of @allowed only; one that is queued elsewhere moves,
 * and then it returns true. */
bool set_affinity(int task, unsigned int allowed);
/* The timer of @cpu, a CPU_IDLE, goes off: a task that shares the CPU has had its share. */
void tick(int cpu);
/* A tracer freezes a task that has stopped for it; true if it had. */
bool freeze_traced(int task);
/* What nr_iowait says of @cpu; less than nothing is a violation. */
int look_at_iowait(int cpu);
/* @cpu moves to another cache, as when the domains are rebuilt. */
void move_to_llc(int cpu, int llc);
/* What runs when there is nothing else to do; every CPU_IDLE thread ends with it.
 * Takes interrupts, does not return. */
void run_cpu(void);

/* --- Looking at the end --- */

/* The CPU a task is on, or was last. */
int task_place(int task);
/* Judges the final state, and reports where each task ended. Every scenario ends with it. */
void check_quiet(void);
/* The body of @task must have come to its end, whatever it waited for. */
void check_finished(int task);
/* The body of @task must not have come to its end: nobody woke it. */
void check_sleeps(int task);
/* Each idle time of @cpu must have been fed into avg_idle, once; reported, too. */
void check_idle_times(int cpu);
/* The same for those that began with a search for tasks, but for the @pulled searches
 * that found one. */
void check_search_times(int cpu, int pulled);
/* The most tasks on one CPU, running or queued or on their way; reported, too. */
int deepest_stack(void);
/* The interrupts that @cpu was sent; reported, too. */
int interrupts_sent(int cpu);
/* There must not be more of them on one CPU than @bound. */
void check_stack(int bound);
/* No task may have been sent to a CPU_BUSY while a CPU_FREE where it may run got none. */
void check_free_cpus_used(void);
