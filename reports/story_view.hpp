// SPDX-License-Identifier: GPL-2.0-or-later
//
// What of a story is shown, and in which words. Every renderer of stories
// starts from these rows, so they all leave out and fold the same things.
#pragma once

#include "checker/result/result.hpp"

#include <string>
#include <vector>

namespace wakerace {

// One shown line: an event, or several equal ones folded into it.
struct StoryRow {
	unsigned step = 0;
	unsigned thread = 0;
	std::string who;      // the thread's name
	std::string function; // kernel function, or "" if unknown
	std::string file;     // relative to the tree, or ""
	unsigned line = 0;
	std::string operation; // "rq[1].nr_running: 0 -> 1"
	std::string origin;    // "from #3 CPU0", "initial", or ""
	bool stale = false;
	unsigned times = 1; // how often the same happened
	bool proof = false; // one of the steps that prove the violation
	std::vector<std::string> notes;

	// Operation, origin and repetitions in one piece of text.
	std::string text() const;
	// "core.cpp:12", or "" if unknown.
	std::string short_place() const;
};

struct StoryView {
	std::vector<StoryRow> rows;
	unsigned left_out = 0; // steps after the last one that proves anything
};

// Leaves out what comes after the proof, the plainest orderings, and that a
// value is the initial one unless that proves something or is stale. @verbose
// leaves nothing out and keeps repetitions apart.
StoryView view_story(const Story &story, bool verbose);

} // namespace wakerace
