// SPDX-License-Identifier: GPL-2.0-or-later
//
// One exploration under Relacy: the loop over executions without Relacy's own
// headers. Relacy replaces operator new, so its types stay in run.hpp, and all
// code here runs while Relacy's context is hidden (see run.hpp).
#pragma once

#include "checker/instrument/runtime.hpp"
#include "checker/result/tally.hpp"
#include "checker/search/search.hpp"

#include <memory>

namespace wakerace {

class Session {
public:
	// @search is null when Relacy's own tree search decides.
	Session(const Module &module, const Request &request, Runtime::Options options,
		std::unique_ptr<Search> search);

	Runtime &runtime() { return runtime_; }
	const Request &request() const { return request_; }
	unsigned threads() const { return runtime_.program().threads; }
	Search *search() { return search_.get(); }
	Model model() const { return model_; }

	Tally &tally() { return tally_; }

	// --- For the scheduler and the engine ---

	void begin_execution(Engine &engine);
	// A thread is suspended at @op, or its body has come to its end.
	void announce(unsigned thread, const Op &op);
	void ended(unsigned thread);
	// A thread that has not yet announced anything, or -1.
	int unstarted() const;
	Moment moment();
	// The thread to go on; when the execution is over or given up this is one
	// that has to leave.
	int pick();
	// For a search that picks by itself: notes what it picked.
	void picked(unsigned thread) { schedule_.push_back(static_cast<int>(thread)); }
	unsigned choose(unsigned count);
	void chosen(unsigned alternative)
	{
		schedule_.push_back(-1 - static_cast<int>(alternative));
	}
	// No thread is enabled: the execution ends here. Returns one to leave.
	int end_of_run(const Moment &moment);
	void give_up(Ending ending);
	bool leaving() const { return leaving_; }
	// Judges the execution; returns true when no other is wanted.
	bool end_execution();

	// What was found. Stories hold schedules only, see teller.hpp.
	Result result() const { return tally_.result(runtime_.mark_counts(), runtime_.problem()); }
	const Schedule &schedule() const { return schedule_; }

private:
	const Module &module_;
	Request request_;
	Model model_;
	Runtime runtime_;
	Tally tally_;
	std::unique_ptr<Search> search_;
	Schedule schedule_;
	const Op *ops_[searched_threads_max] = {};
	ThreadSet announced_ = 0; // suspended at an operation
	ThreadSet finished_ = 0;
	bool leaving_ = false;
	Ending ending_ = Ending::complete;

	int first_to_leave() const;
};

} // namespace wakerace
