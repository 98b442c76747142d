// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a suspended thread is about to do: all that a search must know of it.
#pragma once

#include "checker/program/contract.h"

#include <cstdint>

namespace wakerace {

// The condition under which a thread may go on. Lives on the waiting thread's
// own stack, so it is valid only while that thread is suspended there.
struct Guard {
	struct Term {
		int cell;
		wr_condition condition;
		const void *arg;
	};
	Term terms[4];
	unsigned count = 0;
	wr_wait wait = WR_WAIT_MUST_END;
};

struct Op {
	int cells[4] = {-1, -1, -1, -1}; // cells[0] is the one that is written
	uint8_t cell_count = 0;
	bool writes = false;
	bool orders = false; // takes part in the one order of full barriers
	const Guard *guard = nullptr;
	bool switches = false; // its cells are stacks, numbered behind the cells of the image

	// Of a switch the stack that is left and the one that is entered.
	bool written(unsigned i) const { return writes && (i == 0 || switches); }
	// Whether an event comes of it: a choice and a switch are steps without one.
	bool makes_event() const { return !switches && (cell_count > 0 || orders); }
};

// Whether the order of two operations of different threads can matter.
inline bool dependent(const Op &a, const Op &b)
{
	if (a.orders && b.orders)
		return true;
	for (unsigned i = 0; i < a.cell_count; ++i)
		for (unsigned j = 0; j < b.cell_count; ++j)
			if (a.cells[i] == b.cells[j] && (a.written(i) || b.written(j)))
				return true;
	return false;
}

} // namespace wakerace
