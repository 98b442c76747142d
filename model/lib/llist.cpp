// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/smp.h>

/*
 * Mirrors lib/llist.c:llist_add_batch for one node, v6.2. The node counts as
 * in flight from the first access on, because a push may have to be tried again.
 */
bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first;

	note_list_push(head, node);
	do {
		first = READ_ONCE(head->first);
		node->next = first;
	} while (cmpxchg(&head->first, first, node) != first);

	return !first;
}

/* Mirrors include/linux/llist.h:llist_del_all, v6.2. */
struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, nullptr);
}

/* Mirrors lib/llist.c:llist_reverse_order, v6.2. */
struct llist_node *llist_reverse_order(struct llist_node *head)
{
	struct llist_node *reversed = nullptr;

	while (head) {
		struct llist_node *node = head;

		head = node->next;
		node->next = reversed;
		reversed = node;
	}
	return reversed;
}
