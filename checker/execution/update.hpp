// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a read-modify-write makes of the value that it finds.
#pragma once

#include <cstdint>

namespace wakerace {

enum class Update : uint8_t { exchange, compare_exchange, add, bit_and, bit_or };

// The @width lowest bytes of the result; a compare-exchange is taken to succeed.
inline uint64_t updated(Update kind, uint64_t old, uint64_t operand, unsigned width)
{
	const uint64_t mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * width) - 1;
	switch (kind) {
	case Update::exchange:
	case Update::compare_exchange:
		return operand & mask;
	case Update::add:
		return (old + operand) & mask;
	case Update::bit_and:
		return old & operand & mask;
	case Update::bit_or:
		return (old | operand) & mask;
	}
	return old;
}

} // namespace wakerace
