/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a structure of the image tells the engine its fields; each table registers itself. */
#pragma once

#include <linux/compiler.h>

#define FIELD_VALUES(type, member, flags, values)			\
	{ #member, __builtin_offsetof(type, member), sizeof(((type *)nullptr)->member), \
	  (flags), values }
#define FIELD(type, member, flags) FIELD_VALUES(type, member, flags, nullptr)

/* A structure that there is once. */
#define OBJECT_ALONE(name, object, fields)				\
	static const struct wr_object __object_##object			\
		__attribute__((section("wr_objects"), aligned(8), used)) = \
		{ name, &(object), sizeof(object), 1, fields, ARRAY_SIZE(fields), nullptr }

#define OBJECT(name, array, fields, labels)				\
	static const struct wr_object __object_##array			\
		__attribute__((section("wr_objects"), aligned(8), used)) = \
		{ name, array, sizeof((array)[0]), ARRAY_SIZE(array),	\
		  fields, ARRAY_SIZE(fields), labels }
