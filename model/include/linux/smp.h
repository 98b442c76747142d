/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/llist.h>
#include <linux/percpu.h>

#define CSD_TYPE_ASYNC 0x00u
#define CSD_TYPE_TTWU 0x30u

struct __call_single_node {
	struct llist_node llist;
	unsigned int u_flags; /* its type */
};

typedef void (*smp_call_func_t)(void);

struct __call_single_data {
	struct __call_single_node node;
	smp_call_func_t func;
};
typedef struct __call_single_data call_single_data_t;

DECLARE_PER_CPU(struct llist_head, call_single_queue);

void __smp_call_single_queue(int cpu, struct llist_node *node);
int smp_call_function_single_async(int cpu, call_single_data_t *csd);
void generic_smp_call_function_single_interrupt(void);
void flush_smp_call_function_queue(void);

/* Tells the engine that @node is being pushed on, or taken off, the list it waits on. */
void note_list_push(struct llist_head *head, struct llist_node *node);
void note_list_pop(int cpu, struct llist_node *node);

/* The interrupt controller. */
void arch_send_call_function_single_ipi(int cpu);
void smp_send_reschedule(int cpu);
