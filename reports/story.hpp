// SPDX-License-Identifier: GPL-2.0-or-later
//
// A counterexample in the words of the scheduler.
#pragma once

#include "checker/result/result.hpp"

#include <string>

namespace wakerace {

struct StoryStyle {
	unsigned width = 100; // columns of the terminal
	bool verbose = false;
};

// One line that says what happened where.
std::string story_heading(const Trace &trace);

// The events, the invariant and what contradicts it, who waits for what.
// @replay_file is named in the last line; "" leaves that line out.
std::string story_text(const Story &story, const StoryStyle &style, const std::string &replay_file);

// The width to use for @descriptor: that of a terminal, else what COLUMNS
// says, else 100.
unsigned output_width(int descriptor);

} // namespace wakerace
