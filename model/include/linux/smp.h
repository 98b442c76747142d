/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/llist.h>
#include <linux/percpu.h>

DECLARE_PER_CPU(struct llist_head, call_single_queue);

void __smp_call_single_queue(int cpu, struct llist_node *node);
void generic_smp_call_function_single_interrupt(void);
void flush_smp_call_function_queue(void);

/* Tells the engine that @node is being pushed on, or taken off, the list it waits on. */
void note_list_push(struct llist_head *head, struct llist_node *node);
void note_list_pop(int cpu, struct llist_node *node);

/* The interrupt controller. */
void arch_send_call_function_single_ipi(int cpu);
void smp_send_reschedule(int cpu);
