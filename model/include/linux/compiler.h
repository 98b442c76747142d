/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernel code takes for granted of its compiler, and how a place in the source gets a name. */
#pragma once

#include "checker/program/contract.h"

#define noinline __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* For code that runs inside a callback of the engine, which must not call the engine again. */
#define __no_access_events __attribute__((no_sanitize("thread")))

/* All that CPUs share lives in the image; the engine restores it before each execution. */
#define __image __attribute__((section("image")))

/*
 * A volatile access is what the compiler reports as ONCE, so these two need no
 * call of their own. Only for 1, 2, 4 and 8 bytes.
 */
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val)						\
	do {								\
		static_assert(sizeof(x) <= 8, "one access, one cell");	\
		*(volatile __typeof__(x) *)&(x) = (val);		\
	} while (0)

/*
 * Names one use of an ordering. Use it only in functions that exist once: in an
 * inline function of a header each file would add a site of its own.
 */
#define WR_SITE(primitive)						\
	({								\
		static const struct wr_site __site			\
			__attribute__((section("wr_sites"), aligned(8))) = \
			{ primitive, __func__, __FILE__, __LINE__, 0 };	\
		&__site;						\
	})

/* Some execution has to come by here, or the scenario does not show what it claims. */
#define reachable(text)							\
	do {								\
		static const struct wr_mark __mark			\
			__attribute__((section("wr_marks"), aligned(8))) = \
			{ text, __FILE__, __LINE__, 0 };		\
		wr_reached(&__mark);					\
	} while (0)

/* The value of a cell as the calls of the contract carry it: zero-extended. */
template <typename T> static inline uint64_t wr_to_word(T value)
{
	static_assert(sizeof(T) <= 8);
	if constexpr (__is_pointer(T))
		return reinterpret_cast<uintptr_t>(value);
	else
		return static_cast<uint64_t>(value) & (~0ull >> (64 - 8 * sizeof(T)));
}

template <typename T> static inline T wr_from_word(uint64_t word)
{
	if constexpr (__is_pointer(T))
		return reinterpret_cast<T>(word);
	else
		return static_cast<T>(word);
}

template <typename T> struct wr_plain_type { typedef T type; };
template <typename T> struct wr_plain_type<volatile T> { typedef T type; };
template <typename T> struct wr_plain_type<const T> { typedef T type; };
template <typename T> struct wr_plain_type<const volatile T> { typedef T type; };

/* The type of the cell behind a pointer. */
#define wr_cell_type(ptr) wr_plain_type<typename wr_pointee<decltype(ptr)>::type>::type
template <typename P> struct wr_pointee;
template <typename T> struct wr_pointee<T *> { typedef T type; };
template <typename T> struct wr_pointee<T *&> { typedef T type; };
