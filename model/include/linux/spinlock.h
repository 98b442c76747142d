/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/compiler.h>
#include <linux/irqflags.h>

typedef struct raw_spinlock {
	uint32_t word; /* 0 when free; only the engine changes it */
} raw_spinlock_t;

#define raw_spin_lock(lock) wr_lock(&(lock)->word, WR_SITE("raw_spin_lock"))
#define raw_spin_unlock(lock) wr_unlock(&(lock)->word, WR_SITE("raw_spin_unlock"))

#define raw_spin_unlock_irq(lock)					\
	do {								\
		wr_unlock(&(lock)->word, WR_SITE("raw_spin_unlock_irq")); \
		local_irq_enable();					\
	} while (0)

#define raw_spin_lock_irqsave(lock, flags)				\
	do {								\
		local_irq_save(flags);					\
		wr_lock(&(lock)->word, WR_SITE("raw_spin_lock_irqsave")); \
	} while (0)

#define raw_spin_unlock_irqrestore(lock, flags)				\
	do {								\
		wr_unlock(&(lock)->word, WR_SITE("raw_spin_unlock_irqrestore")); \
		local_irq_restore(flags);				\
	} while (0)
