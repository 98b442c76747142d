// SPDX-License-Identifier: GPL-2.0-or-later
//
// The seam between an engine and a way of searching: which thread goes next,
// which alternative a read takes, and whether there is another execution.
#pragma once

#include "checker/search/op.hpp"

#include <cstdint>

namespace wakerace {

using ThreadSet = uint32_t; // bit t stands for thread t

constexpr ThreadSet bit(unsigned thread)
{
	return ThreadSet{1} << thread;
}

// A search over interleavings takes fewer threads than a program may have.
constexpr unsigned searched_threads_max = 6;

// The suspended threads at one moment.
struct Moment {
	Op ops[searched_threads_max];
	uint64_t newest[searched_threads_max]; // value of ops[t].cells[0] now
	ThreadSet present = 0;           // threads that have not ended
	ThreadSet enabled = 0;           // those of them that may go on
};

class Search {
public:
	static constexpr int give_up = -1;

	virtual ~Search() = default;

	// A new execution starts.
	virtual void begin(unsigned threads, unsigned cells) = 0;
	// Picks an enabled thread, or gives the execution up. Is also called, and
	// its answer ignored, when no thread is enabled any more.
	virtual int pick(const Moment &moment) = 0;
	// Picks one of @count alternatives for the step just picked.
	virtual unsigned choose(unsigned count) = 0;
	// An execution has ended; tells whether there is another one.
	virtual bool next() = 0;
	// Whether all executions have been seen once next() said no.
	virtual bool complete() const = 0;
	// False once a repeated prefix has led to another operation than before:
	// the program depends on more than the schedule.
	virtual bool deterministic() const { return true; }
};

} // namespace wakerace
