/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lock-less list: many pushers, one taker who takes everything. */
#pragma once

#include <linux/compiler.h>

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define llist_entry(ptr, type, member) \
	((type *)((char *)(ptr) - __builtin_offsetof(type, member)))

static inline bool llist_empty(const struct llist_head *head)
{
	return READ_ONCE(head->first) == nullptr;
}

/* Returns true if the list was empty. */
bool llist_add(struct llist_node *node, struct llist_head *head);
struct llist_node *llist_del_all(struct llist_head *head);
struct llist_node *llist_reverse_order(struct llist_node *head);
