// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the instrumented program needs of an engine: a place to be suspended
// until the search lets an operation happen, and a memory that says which
// write a read sees. Events are numbers in the current Execution; a cell's
// initial value is Event::initial.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/search/op.hpp"

#include <cstdint>

namespace wakerace {

// How a memory treats the orderings that it is given.
enum class Model { sc, c11 };

class Engine {
public:
	virtual ~Engine() = default;

	// Suspends the calling thread until the search lets @op happen. Does not
	// return if the execution is given up meanwhile.
	virtual void arrive(const Op &op) = 0;
	// Ends the execution at once, for all threads.
	[[noreturn]] virtual void give_up(Ending ending) = 0;
	virtual unsigned thread() const = 0;

	// The write that a load sees. @newest forbids older writes (awaits).
	virtual int load(int cell, wr_order order, bool newest) = 0;
	virtual void store(int cell, wr_order order, int event) = 0;
	// A read-modify-write reads the newest write.
	virtual void exchange(int cell, wr_order order, int event) = 0;
	virtual void fence(wr_fence_kind kind) = 0;
	// A lock taken or released on top of its exchange or store: what the
	// kernel's locks order beyond acquire and release.
	virtual void locked() = 0;
	virtual void unlocking() = 0;
	virtual unsigned choose(unsigned count) = 0;

	// Notes an access for race detection; returns an earlier event that it
	// races with, or -1.
	virtual int race(int cell, int event, bool writes, bool plain) = 0;
};

} // namespace wakerace
