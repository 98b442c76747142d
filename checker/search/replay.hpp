// SPDX-License-Identifier: GPL-2.0-or-later
//
// Follows one recorded schedule. Where the program does not allow its next
// choice the replay has diverged: it says at which choice, and goes on by
// running the first thread that may, so that there is an execution to show.
#pragma once

#include "checker/result/result.hpp"
#include "checker/search/search.hpp"

namespace wakerace {

class ReplaySearch : public Search {
public:
	// With @threads_only the schedule holds no alternatives: every read takes
	// the newest value.
	explicit ReplaySearch(Schedule schedule, bool threads_only = false);

	void begin(unsigned threads, unsigned cells) override;
	int pick(const Moment &moment) override;
	unsigned choose(unsigned count) override;
	bool next() override { return false; }
	bool complete() const override { return false; }

	// The index of the first choice that could not be followed, or -1.
	int diverged_at() const { return diverged_at_; }

private:
	Schedule schedule_;
	bool threads_only_;
	size_t next_ = 0;
	int diverged_at_ = -1;

	void diverge();
};

} // namespace wakerace
