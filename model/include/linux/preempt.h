/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preemption count is the CPU's own, so changing it is no event. It is the
 * same on both sides of every switch, as on x86. Enabling does not reschedule:
 * what is due is done where the next interrupt ends, or in schedule()'s loop.
 */
#pragma once

void preempt_disable(void);
void preempt_enable_no_resched(void);
