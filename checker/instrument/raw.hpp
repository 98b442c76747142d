// SPDX-License-Identifier: GPL-2.0-or-later
//
// Accesses that are not explored: memory as it is.
#pragma once

#include <cstdint>
#include <cstring>

namespace wakerace {

// Of 1 to 8 bytes, zero-extended.
inline uint64_t raw_load(const volatile void *address, unsigned width)
{
	uint64_t value = 0;
	std::memcpy(&value, const_cast<const void *>(address), width);
	return value;
}

inline void raw_store(volatile void *address, unsigned width, uint64_t value)
{
	std::memcpy(const_cast<void *>(address), &value, width);
}

// The condition under which a lock is taken.
inline bool is_free(uint64_t value, const void *)
{
	return value == 0;
}

} // namespace wakerace
