// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an exploration was asked to do and what it found: plain data. Engines
// fill it, reports render it, and its JSON form is what travels between the
// two processes and into files. Nothing else is ever printed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wakerace {

// What a worker is asked to explore.
struct Request {
	std::string module;   // path of the module's shared object
	std::string scenario; // a program of that module
	std::string engine = "relacy";
	std::string model = "sc";         // sc, c11
	std::string search = "dpor";      // dpor, full, bounded, random
	std::string irq = "every-access"; // every-access, steps
	std::vector<std::string> weaken;  // names of sites
	uint64_t seed = 1;                // of the random search
	unsigned context_bound = 2;       // of the bounded search: preemptions
	uint64_t max_executions = 0;      // 0: no limit
	double time_limit_s = 0;          // 0: no limit
	unsigned memory_limit_mb = 0;     // 0: no limit
	unsigned stories_per_type = 4;    // how many distinct stories are kept
};

// One choice of a schedule: a thread to run (>= 0), or -(1 + n) for the n-th
// alternative of a read or of a wr_choose.
using Schedule = std::vector<int>;

// Where in the source an access stands.
struct Source {
	std::string file;     // relative to the tree
	unsigned line = 0;    // 0: unknown
	std::string function; // the kernel function
};

// One access of a told execution, in the order of the interleaving.
struct StoryEvent {
	static constexpr int initial = -1; // reads the initial value
	static constexpr int nothing = -2; // reads nothing

	unsigned step = 0; // index in Story::events
	unsigned thread = 0;
	std::string kind;         // read, write, rmw, fence, await, lock, unlock
	std::string order;        // plain, once, acquire, release, full, mb, rmb, wmb, ctrl-acquire
	std::string cell;         // rq[0].nr_running; empty for a fence
	std::string old_value;    // before a write or rmw
	std::string value;        // read, or written
	int reads_from = nothing; // a step, or one of the constants above
	bool stale = false;       // a read that did not see the newest value
	Source source;
	std::vector<std::string> notes; // "CPU0 has work of A from here"
};

struct Violation {
	std::string type;            // upper case
	std::string text;            // one sentence in the scenario's words
	std::vector<unsigned> steps; // the events that prove it
};

// One execution worth telling.
struct Story {
	Violation violation;
	std::vector<Violation> also; // others of the same execution
	Schedule schedule;           // how to get there
	unsigned context_switches = 0;
	std::vector<StoryEvent> events;   // empty until told
	std::vector<std::string> waiting; // "CPU0 waits for rq[0].lock, held by CPU1"
	std::vector<std::string> threads; // name of each thread: "CPU0"
};

// Counts of one exploration.
struct Executions {
	uint64_t complete = 0;
	uint64_t blocked = 0;   // somebody waits for ever
	uint64_t truncated = 0; // cut by a bound
	uint64_t redundant = 0; // begun, and given up as equivalent to an explored one
};

struct Result {
	std::string scenario;
	std::string kernel;
	std::string engine;
	std::string search;
	std::string model;
	std::string irq;
	std::vector<std::string> weaken;
	std::string verdict; // pass, violation, inconclusive, error
	std::string error;   // why, if verdict is error
	std::string bound;   // what cut the search, empty if exhaustive
	bool exhaustive = false;
	Executions executions;
	std::map<std::string, uint64_t> violations; // type -> executions
	std::map<std::string, uint64_t> outcomes;   // final state -> execution classes
	std::vector<std::string> unreached;         // texts of marks
	std::vector<std::string> limits; // what this engine does not explore, one clause each
	std::vector<Story> stories;
	double wall_s = 0;
	double peak_mb = 0;
	uint64_t longest = 0; // events in the longest execution
	uint64_t seed = 0;
	std::string module_hash;

	double executions_per_s() const;
};

// How a replay went.
struct Replay {
	bool reproduced = false;
	int diverged_at = -1; // the first step that differs, or -1
	std::string expected; // that step as recorded
	std::string found;    // and as it is now
	Story story;
};

// A trace file: a story and all that is needed to run it again.
struct Trace {
	static constexpr int version = 1;
	std::string kernel;
	std::string module_hash;
	Request request; // without the module's path
	Story story;
};

} // namespace wakerace
