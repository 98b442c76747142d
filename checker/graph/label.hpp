// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a thread of the program is about to do: what the graph engine needs to
// know to add an event for it.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/execution/update.hpp"
#include "checker/search/op.hpp"

#include <cstdint>

namespace wakerace {

struct Label {
	enum class Kind : uint8_t {
		end,   // nothing: the body has returned, or the thread can never go on
		read,  // also the first half of a read-modify-write
		write, // a store, or the second half of a read-modify-write
		fence,
		choice, // of one of @choices alternatives
	};

	Kind kind = Kind::end;
	bool rmw = false;    // a read that a write follows, if @update says so
	bool waits = false;  // a read that goes on only with a value that @guard accepts
	bool hidden = false; // a step of the engine, no event of the program
	wr_order order = WR_PLAIN;
	wr_fence_kind fence = WR_FENCE_MB;
	EventRole role = EventRole::plain;
	Update update = Update::exchange;
	uint8_t width = 8; // bytes
	int cell = -1;
	unsigned choices = 0;
	uint64_t operand = 0;         // of an update; the value of a write
	uint64_t expected = 0;        // by a compare-exchange
	const Guard *guard = nullptr; // of a wait; outlives the exploration
	uintptr_t place = 0;
	const char *primitive = nullptr;
};

// Whether an update of @old writes anything.
inline bool succeeds(const Label &label, uint64_t old)
{
	return label.rmw && (label.update != Update::compare_exchange || old == label.expected);
}

// What it writes then.
inline uint64_t updated(const Label &label, uint64_t old)
{
	return updated(label.update, old, label.operand, label.width);
}

// The write that follows a read of @old which succeeds.
inline Label second_half(const Label &read, uint64_t old)
{
	Label half = read;
	half.kind = Label::Kind::write;
	half.operand = updated(read, old);
	return half;
}

// Whether a wait may go on with @value of its word @term.
inline bool accepts(const Label &label, unsigned term, uint64_t value)
{
	const Guard::Term &condition = label.guard->terms[term];
	return condition.condition(value, condition.arg);
}

} // namespace wakerace
