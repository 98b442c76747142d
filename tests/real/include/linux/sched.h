/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scenario and the model's face.h see in place of the model's own
 * linux/sched.h: the words of a task's body, by hand, for the kernel has them as
 * macros of many layers.
 */
#pragma once

#include "tests/real/shadow.hpp"

/* What a task does; it runs on a stack of its own, on whatever CPU. */
typedef void (*task_body)(void);

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
#define set_special_state(state_value)					\
	do {								\
		unsigned long __flags;					\
									\
		raw_spin_lock_irqsave(&current->pi_lock, __flags);	\
		note_runs();						\
		WRITE_ONCE(current->__state, (state_value));		\
		raw_spin_unlock_irqrestore(&current->pi_lock, __flags);	\
	} while (0)

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
