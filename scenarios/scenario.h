/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scenario file is made of: a set-up, the part of each CPU, a look at
 * the end, what is expected, and one SCENARIO() that ties them together.
 */
#pragma once

#include "model/machine/face.h"

/*
 * The memory models that reorder more than stores behind loads, and those of them that also
 * let a store be overtaken by later ones, which the first of them does not.
 */
#define WEAK "c11 rc11 lkmm"
#define STORES_DELAYED "rc11 lkmm"

#define EXPECTATIONS(rows) rows, ARRAY_SIZE(rows)

#define __SCENARIO(name, title, threads, places, large, expected, count) \
	static void name##_setup(void)					\
	{								\
		setup();						\
		machine_ready(threads, places);				\
	}								\
	static const struct wr_program name##_program = {		\
		#name, title, __FILE__, threads, places, large, false,	\
		name##_setup, cpu, finally, expected, count		\
	};								\
	static const struct wr_program *const name##_entry		\
		__attribute__((section("wr_programs"), aligned(8), used)) = &name##_program

/* The file's setup(), cpu() and finally(); @places counts the CPUs, @threads those that act. */
#define SCENARIO(name, title, threads, places, ...) \
	__SCENARIO(name, title, threads, places, false, __VA_ARGS__)
/* One that takes minutes: it runs with --large only. */
#define LARGE_SCENARIO(name, title, threads, places, ...) \
	__SCENARIO(name, title, threads, places, true, __VA_ARGS__)
