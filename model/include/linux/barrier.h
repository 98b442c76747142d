/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's barriers, each use being a site that can be weakened by name. */
#pragma once

#include <linux/compiler.h>

#define smp_mb() wr_fence(WR_FENCE_MB, WR_SITE("smp_mb"))
#define smp_rmb() wr_fence(WR_FENCE_RMB, WR_SITE("smp_rmb"))
#define smp_wmb() wr_fence(WR_FENCE_WMB, WR_SITE("smp_wmb"))
#define smp_mb__after_spinlock() wr_fence(WR_FENCE_MB, WR_SITE("smp_mb__after_spinlock"))
#define smp_mb__before_atomic() wr_fence(WR_FENCE_MB, WR_SITE("smp_mb__before_atomic"))
#define smp_mb__after_atomic() wr_fence(WR_FENCE_MB, WR_SITE("smp_mb__after_atomic"))
#define smp_acquire__after_ctrl_dep() \
	wr_fence(WR_FENCE_CTRL_ACQ, WR_SITE("smp_acquire__after_ctrl_dep"))

#define smp_store_mb(var, value)					\
	do {								\
		WRITE_ONCE(var, value);					\
		wr_fence(WR_FENCE_MB, WR_SITE("smp_store_mb"));		\
	} while (0)

#define smp_load_acquire(ptr)						\
	wr_from_word<wr_cell_type(ptr)>(				\
		wr_load(ptr, sizeof(*(ptr)), WR_ACQUIRE, WR_SITE("smp_load_acquire")))

/*
 * A READ_ONCE() on whose value the address of the next access depends. The
 * kernel's memory model orders by that, C11's does not: so it is an acquire here.
 */
#define read_once_addr_dep(ptr)						\
	wr_from_word<wr_cell_type(ptr)>(				\
		wr_load(ptr, sizeof(*(ptr)), WR_ACQUIRE, WR_SITE("address_dependency")))

#define smp_store_release(ptr, value)					\
	wr_store(ptr, sizeof(*(ptr)),					\
		 wr_to_word(static_cast<wr_cell_type(ptr)>(value)),	\
		 WR_RELEASE, WR_SITE("smp_store_release"))

/* The condition may use VAL and constants, nothing else: it runs while other CPUs stand still. */
#define __smp_cond_load(ptr, cond, order, primitive)			\
	wr_from_word<wr_cell_type(ptr)>(wr_await(			\
		ptr, sizeof(*(ptr)),					\
		[](uint64_t __word, const void *) -> bool {		\
			auto VAL = wr_from_word<wr_cell_type(ptr)>(__word); \
			return cond;					\
		},							\
		nullptr, order, WR_WAIT_MUST_END, WR_SITE(primitive)))

#define smp_cond_load_acquire(ptr, cond) \
	__smp_cond_load(ptr, cond, WR_ACQUIRE, "smp_cond_load_acquire")
#define smp_cond_load_relaxed(ptr, cond) \
	__smp_cond_load(ptr, cond, WR_ONCE, "smp_cond_load_relaxed")
