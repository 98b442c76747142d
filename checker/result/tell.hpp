// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells an execution: events become steps with names, values in words, source
// places and the meaning of annotations.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/program/module.hpp"
#include "checker/result/result.hpp"

#include <map>

namespace wakerace {

class Teller {
public:
	explicit Teller(const Module &module) : module_(module) {}

	// Fills all of @story but its violation and schedule.
	void tell(const Execution &execution, Story &story);
	// Where a return address stands in the source, by way of addr2line.
	const Source &source(uintptr_t place);

private:
	const Module &module_;
	std::map<uintptr_t, Source> sources_;

	void look_up(const std::vector<uintptr_t> &places);
	StoryEvent tell_event(const Execution &execution, const Event &event, unsigned step);
	std::string tell_note(const Note &note) const;
	std::string tell_answer(const Call &call) const;
	std::string tell_waiting(const Execution &execution, const Waiting &waiting);
};

} // namespace wakerace
