/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Atomic read-modify-writes. What returns a value is fully ordered, what
 * returns none is not ordered at all, as in the kernel. The operands are plain
 * words instead of atomic_t, so that a field keeps its type when only some
 * kernels treat it as atomic.
 */
#pragma once

#include <linux/compiler.h>

#define __wr_xchg(ptr, value, order, primitive)				\
	wr_from_word<wr_cell_type(ptr)>(wr_exchange(			\
		ptr, sizeof(*(ptr)),					\
		wr_to_word(static_cast<wr_cell_type(ptr)>(value)), order, WR_SITE(primitive)))
#define xchg(ptr, value) __wr_xchg(ptr, value, WR_FULL, "xchg")
#define xchg_acquire(ptr, value) __wr_xchg(ptr, value, WR_ACQUIRE, "xchg_acquire")
#define xchg_relaxed(ptr, value) __wr_xchg(ptr, value, WR_ONCE, "xchg_relaxed")

#define cmpxchg(ptr, old, value)					\
	wr_from_word<wr_cell_type(ptr)>(wr_compare_exchange(		\
		ptr, sizeof(*(ptr)),					\
		wr_to_word(static_cast<wr_cell_type(ptr)>(old)),	\
		wr_to_word(static_cast<wr_cell_type(ptr)>(value)),	\
		WR_FULL, WR_SITE("cmpxchg")))

#define try_cmpxchg(ptr, old, value)					\
	({								\
		auto __expected = *(old);				\
		auto __seen = cmpxchg(ptr, __expected, value);		\
		*(old) = __seen;					\
		__seen == __expected;					\
	})

#define __wr_fetch(ptr, kind, operand, order, primitive)		\
	wr_from_word<wr_cell_type(ptr)>(wr_fetch(			\
		ptr, sizeof(*(ptr)), kind,				\
		wr_to_word(static_cast<wr_cell_type(ptr)>(operand)), order, WR_SITE(primitive)))
#define atomic_fetch_add(i, ptr) __wr_fetch(ptr, WR_RMW_ADD, i, WR_FULL, "atomic_fetch_add")
#define atomic_fetch_or(i, ptr) __wr_fetch(ptr, WR_RMW_OR, i, WR_FULL, "atomic_fetch_or")
#define atomic_fetch_and(i, ptr) __wr_fetch(ptr, WR_RMW_AND, i, WR_FULL, "atomic_fetch_and")
#define atomic_fetch_add_release(i, ptr) \
	__wr_fetch(ptr, WR_RMW_ADD, i, WR_RELEASE, "atomic_fetch_add_release")
#define atomic_fetch_sub_release(i, ptr) \
	__wr_fetch(ptr, WR_RMW_ADD, 0u - (i), WR_RELEASE, "atomic_fetch_sub_release")
#define atomic_add(i, ptr) ((void)__wr_fetch(ptr, WR_RMW_ADD, i, WR_ONCE, "atomic_add"))
#define atomic_sub(i, ptr) ((void)__wr_fetch(ptr, WR_RMW_ADD, 0u - (i), WR_ONCE, "atomic_sub"))
#define atomic_or(i, ptr) ((void)__wr_fetch(ptr, WR_RMW_OR, i, WR_ONCE, "atomic_or"))
#define atomic_and(i, ptr) ((void)__wr_fetch(ptr, WR_RMW_AND, i, WR_ONCE, "atomic_and"))
#define atomic_inc(ptr) atomic_add(1u, ptr)
#define atomic_dec(ptr) atomic_sub(1u, ptr)
