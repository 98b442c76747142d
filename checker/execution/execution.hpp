// SPDX-License-Identifier: GPL-2.0-or-later
//
// One execution as a graph: its events in the order in which they happened,
// program order, reads-from and coherence as integers, and the annotations of
// the program. Engines fill it; invariants are functions of it. Names and
// texts are added only when an execution is told (checker/result/tell.hpp).
#pragma once

#include "checker/program/contract.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wakerace {

enum class EventKind : uint8_t { read, write, rmw, fence };

// How an event came to be, for stories: a lock is an rmw, an await a read.
enum class EventRole : uint8_t { plain, await, lock, unlock };

struct Event {
	static constexpr int initial = -1; // reads the initial value
	static constexpr int nothing = -2; // does not read

	uint8_t thread = 0;
	EventKind kind = EventKind::read;
	EventRole role = EventRole::plain;
	wr_order order = WR_PLAIN;
	wr_fence_kind fence = WR_FENCE_MB;
	bool stale = false;  // read an older value than the newest
	bool awaited = true; // was a step of the search
	int cell = -1;       // index in the module's cell table, -1 for a fence
	int reads_from = nothing;
	int coherence = 0;  // position of a write in its cell's order, from 1
	int position = 0;   // in program order of its thread, from 0
	uint64_t value = 0; // read; for an rmw the value read
	uint64_t written = 0;
	uint64_t before = 0; // the newest value just before a write
	uintptr_t place = 0; // return address of the access
	const char *primitive = nullptr; // of a fence: the name that the source uses

	bool reads() const { return kind == EventKind::read || kind == EventKind::rmw; }
	bool writes() const { return kind == EventKind::write || kind == EventKind::rmw; }
};

// An annotation on an event that exists anyway. An annotation whose access
// never came (its thread was blocked for ever) has event -1 and no effect.
struct Note {
	int event = -1;
	wr_note_kind kind = WR_WORK_COMMIT;
	unsigned place = 0;
	unsigned item = 0;
	uint8_t thread = 0;
};

// A bracket around the events first .. last (positions in program order).
struct Call {
	uint8_t thread = 0;
	wr_call_kind kind = WR_CALL_IDLE;
	unsigned subject = 0;
	unsigned result = 0;
	int first = 0;
	int last = -1; // inclusive; smaller than first for a call without accesses
	bool returned = false;
};

// What the program itself, or the engine, saw going wrong.
struct Finding {
	const char *type = nullptr;
	std::string text;
	std::vector<int> events;
};

// A thread that waits for ever at the end of an execution.
struct Waiting {
	uint8_t thread = 0;
	wr_wait wait = WR_WAIT_MUST_END;
	EventRole role = EventRole::await;
	int cell = -1;
	uintptr_t place = 0;
};

enum class Ending : uint8_t {
	complete,  // every thread ended or idles
	blocked,   // somebody waits for ever who must not
	truncated, // cut by a bound on its length
	broken,    // cut where the program could not go on: a finding says why
	redundant, // given up: equivalent to one that was explored
};

struct Execution {
	std::vector<Event> events;
	std::vector<Note> notes;
	std::vector<Call> calls;
	std::vector<Finding> findings;
	std::vector<Waiting> waiting;
	std::vector<std::vector<int>> by_thread; // events in program order
	std::vector<std::vector<int>> coherence; // by cell: its writes in order
	std::vector<uint64_t> initial;           // by cell: its value at the start
	std::string outcome;
	Ending ending = Ending::complete;

	void clear(unsigned threads, size_t cells);
	// The number of changes from one thread to another among the first @count
	// events.
	unsigned context_switches(size_t count) const;
};

} // namespace wakerace
