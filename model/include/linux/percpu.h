/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Per-CPU data is an array in the image; the CPU is the engine's thread. */
#pragma once

#include <linux/compiler.h>

#define NR_CPUS 6
static_assert(NR_CPUS <= WR_THREADS_MAX, "a CPU is a thread of the engine");

#define smp_processor_id() ((int)wr_thread())

#define DECLARE_PER_CPU(type, name) extern type name[NR_CPUS]
#define DEFINE_PER_CPU(type, name) __image type name[NR_CPUS]
#define per_cpu(name, cpu) (name[cpu])
#define this_cpu_ptr(ptr) (&(*(ptr))[smp_processor_id()])
