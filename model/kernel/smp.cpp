// SPDX-License-Identifier: GPL-2.0-or-later
#include "sched/sched.h"

#include "model/machine/cpu.h"

DEFINE_PER_CPU(struct llist_head, call_single_queue);

static const struct wr_field call_single_queue_fields[] = {
	/* Only through ONCE and atomics. */
	FIELD(struct llist_head, first, WR_FIELD_POINTER),
};
OBJECT("call_single_queue", call_single_queue, call_single_queue_fields, nullptr);

static inline unsigned int csd_type(struct llist_node *node)
{
	return llist_entry(node, struct __call_single_node, llist)->u_flags;
}

/* Mirrors kernel/smp.c:__smp_call_single_queue, v6.2. A list that was not
 * empty needs no IPI: whoever made it so has sent one. */
noinline void __smp_call_single_queue(int cpu, struct llist_node *node)
{
	/* Nobody would take it from the list of a CPU that is not followed. */
	if (!cpu_config[cpu].runs)
		return;
	if (llist_add(node, &per_cpu(call_single_queue, cpu)))
		send_call_function_single_ipi(cpu);
}

/* Mirrors kernel/smp.c:smp_call_function_single_async with
 * generic_exec_single, v6.2. Leaves out: the lock of the entry, a call to oneself. */
int smp_call_function_single_async(int cpu, call_single_data_t *csd)
{
	__smp_call_single_queue(cpu, &csd->node.llist);
	return 0;
}

/*
 * Mirrors kernel/smp.c:__flush_smp_call_function_queue, v6.2: first the calls,
 * then, all at once, the wakeups. Leaves out: calls that somebody waits for.
 */
static noinline void __flush_smp_call_function_queue(void)
{
	struct llist_node *entry, *prev = nullptr, *next;

	entry = llist_del_all(this_cpu_ptr(&call_single_queue));
	entry = llist_reverse_order(entry);

	for (struct llist_node *node = entry; node; node = next) {
		next = node->next;
		if (csd_type(node) == CSD_TYPE_TTWU) {
			prev = node;
			continue;
		}
		if (prev)
			prev->next = next;
		else
			entry = next;
		llist_entry(node, call_single_data_t, node.llist)->func();
	}

	if (entry)
		sched_ttwu_pending(entry);
}

/* Mirrors kernel/smp.c:generic_smp_call_function_single_interrupt, v6.2. */
noinline void generic_smp_call_function_single_interrupt(void)
{
	__flush_smp_call_function_queue();
}

/* Mirrors kernel/smp.c:flush_smp_call_function_queue, v6.2. Leaves out: softirqs. */
noinline void flush_smp_call_function_queue(void)
{
	unsigned long flags;

	if (llist_empty(this_cpu_ptr(&call_single_queue)))
		return;

	local_irq_save(flags);
	__flush_smp_call_function_queue();
	local_irq_restore(flags);
}
