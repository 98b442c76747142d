// SPDX-License-Identifier: GPL-2.0-or-later
//
// Source-DPOR with sleep sets: at least one execution of every class of
// executions that differ only in the order of independent operations.
//
// After Abdulla, Aronsson, Jonsson, Sagonas, "Source Sets: A Foundation for
// Optimal Dynamic Partial Order Reduction", J.ACM 64(4), 2017. Operations that
// can wait (locks, awaits) are treated as follows: such an operation is in a race
// with an earlier event only if it could have gone first, that is if its
// condition holds on the value that the event overwrote; and at the end of an
// execution races are looked for on behalf of those that wait for ever.
#pragma once

#include "checker/search/search.hpp"

#include <array>
#include <vector>

namespace wakerace {

class Dpor : public Search {
public:
	void begin(unsigned threads, unsigned cells) override;
	int pick(const Moment &moment) override;
	unsigned choose(unsigned count) override;
	bool next() override;
	bool complete() const override { return true; }
	bool deterministic() const override { return deterministic_; }

private:
	// Clock[t] is the number of thread t's events in an event's past.
	using Clock = std::array<uint32_t, searched_threads_max>;

	struct Choice {
		unsigned taken;
		unsigned count;
	};

	// One step of the current execution, and what is left to try there.
	struct Step {
		unsigned thread = 0;
		Op op;               // its guard has been satisfied and is not valid any more
		uint64_t before = 0; // value of op.cells[0] before the step
		uint32_t index = 0;  // of the event in its thread, from 1
		Clock clock{};
		ThreadSet enabled = 0;
		ThreadSet backtrack = 0;
		ThreadSet done = 0;
		ThreadSet sleep = 0;
		std::vector<Choice> choices;
	};

	std::vector<Step> steps_;
	size_t depth_ = 0;        // steps of the current execution so far
	size_t fresh_from_ = 0;   // steps before it have been looked at already
	size_t choices_made_ = 0; // in the step just picked
	unsigned threads_ = 0;
	bool deterministic_ = true;
	std::array<Clock, searched_threads_max> thread_clock_{};
	std::vector<Clock> write_clock_;  // by cell
	std::vector<Clock> access_clock_; // by cell: reads too
	Clock order_clock_{};             // of full barriers

	void find_races(unsigned thread, const Op &op);
	bool could_go_before(const Step &step, size_t at, unsigned thread, const Op &op) const;
	void add_race(size_t at, unsigned thread, const Op &op);
	ThreadSet initials(size_t at, unsigned thread, const Op &op) const;
	bool happens_before(const Step &step, const Clock &clock) const;
	int extend(const Moment &moment);
	bool repeats(const Step &step, const Moment &moment) const;
	void execute(Step &step, const Moment &moment);
};

} // namespace wakerace
