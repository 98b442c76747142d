// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs single schedules again: to replay a trace, and to tell a violation in
// the interleaving that shows it best.
#pragma once

#include "checker/relacy/run.hpp"
#include "checker/result/tell.hpp"

namespace wakerace {

// The engine's options for a request. Throw BadInput for what it does not know.
Model model_of(const Request &request);
Runtime::Options options_of(const Request &request, const Module &module);

struct Followed {
	Execution execution;
	Schedule schedule;    // as it went
	int diverged_at = -1; // the first choice that could not be followed
	std::string error;
};

// @threads_only: the schedule only says which thread runs, see ReplaySearch.
Followed follow(const Module &module, const Request &request, const Schedule &schedule,
		bool threads_only = false);

// Fills @story, whose violation and schedule are set. If the same graph has an
// interleaving in which the violation can be read off in order, the story's
// schedule becomes that one. False if the schedule cannot be repeated.
bool tell_again(const Module &module, const Request &request, Teller &teller, Story &story);

} // namespace wakerace
