/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the CPU takes interrupts. The flag is the CPU's own, so changing it
 * is no event. Enabling takes no interrupt by itself: the machine does, before
 * the next access or where the next step begins.
 */
#pragma once

void local_irq_disable(void);
void local_irq_enable(void);
unsigned long arch_local_irq_save(void);
void arch_local_irq_restore(unsigned long flags);

#define local_irq_save(flags) ((flags) = arch_local_irq_save())
#define local_irq_restore(flags) arch_local_irq_restore(flags)
