// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/search/dpor.hpp"

#include <algorithm>
#include <bit>

namespace wakerace {

namespace {

template <typename Clock> void join(Clock &into, const Clock &other)
{
	for (size_t i = 0; i < into.size(); ++i)
		into[i] = std::max(into[i], other[i]);
}

} // namespace

void Dpor::begin(unsigned threads, unsigned cells)
{
	threads_ = threads;
	depth_ = 0;
	thread_clock_.fill(Clock{});
	write_clock_.assign(cells, Clock{});
	access_clock_.assign(cells, Clock{});
	order_clock_ = Clock{};
}

int Dpor::pick(const Moment &moment)
{
	if (!moment.enabled || (depth_ == steps_.size() && extend(moment) == give_up)) {
		// Who waits in the end could have gone on before something happened.
		for (unsigned t = 0; t < threads_; ++t)
			if (moment.present & ~moment.enabled & bit(t))
				find_races(t, moment.ops[t]);
		return give_up;
	}
	Step &step = steps_[depth_];
	if (depth_ < fresh_from_ && !repeats(step, moment)) {
		deterministic_ = false;
		return give_up;
	}
	step.enabled = moment.enabled;
	if (depth_ >= fresh_from_)
		find_races(step.thread, moment.ops[step.thread]);
	execute(step, moment);
	++depth_;
	choices_made_ = 0;
	return static_cast<int>(step.thread);
}

// Adds a step that has not been tried: the thread that ran last, if it may go
// on (fewest context switches), else the first that may.
int Dpor::extend(const Moment &moment)
{
	Step step;
	if (depth_ > 0) {
		const Step &last = steps_[depth_ - 1];
		const ThreadSet asleep = (last.sleep | last.done) & ~bit(last.thread);
		for (unsigned t = 0; t < threads_; ++t)
			if (asleep & moment.present & bit(t) && !dependent(last.op, moment.ops[t]))
				step.sleep |= bit(t);
	}
	const ThreadSet awake = moment.enabled & ~step.sleep;
	if (!awake)
		return give_up;
	step.thread = std::countr_zero(awake);
	if (depth_ > 0 && awake & bit(steps_[depth_ - 1].thread))
		step.thread = steps_[depth_ - 1].thread;
	step.backtrack = bit(step.thread);
	steps_.push_back(std::move(step));
	return static_cast<int>(steps_.back().thread);
}

// Whether a step of the repeated prefix does what it did before.
bool Dpor::repeats(const Step &step, const Moment &moment) const
{
	const Op &now = moment.ops[step.thread];
	return moment.enabled == step.enabled && now.cell_count == step.op.cell_count &&
	       std::equal(std::begin(now.cells), std::end(now.cells), std::begin(step.op.cells)) &&
	       now.writes == step.op.writes;
}

void Dpor::execute(Step &step, const Moment &moment)
{
	const unsigned t = step.thread;
	step.op = moment.ops[t];
	step.op.guard = nullptr;
	step.before = moment.newest[t];
	Clock &clock = thread_clock_[t];
	for (unsigned i = 0; i < step.op.cell_count; ++i) {
		const int cell = step.op.cells[i];
		join(clock, step.op.written(i) ? access_clock_[cell] : write_clock_[cell]);
	}
	if (step.op.orders)
		join(clock, order_clock_);
	step.index = ++clock[t];
	step.clock = clock;
	for (unsigned i = 0; i < step.op.cell_count; ++i) {
		const int cell = step.op.cells[i];
		if (step.op.written(i))
			write_clock_[cell] = clock;
		join(access_clock_[cell], clock);
	}
	if (step.op.orders)
		order_clock_ = clock;
}

bool Dpor::happens_before(const Step &step, const Clock &clock) const
{
	return clock[step.thread] >= step.index;
}

// Looks for the events that @op of @thread, about to happen or waiting for ever,
// could have come before. An event is passed over when it happens before another
// one that is already in a race with @op: reversing that one comes first.
void Dpor::find_races(unsigned thread, const Op &op)
{
	Clock covered = thread_clock_[thread];
	for (size_t at = depth_; at-- > 0;) {
		const Step &step = steps_[at];
		if (step.thread == thread || happens_before(step, covered) ||
		    !dependent(step.op, op) || !could_go_before(step, at, thread, op))
			continue;
		add_race(at, thread, op);
		join(covered, step.clock);
	}
}

bool Dpor::could_go_before(const Step &step, size_t at, unsigned thread, const Op &op) const
{
	if (!op.guard)
		return true;
	if (op.guard->count == 1)
		return !step.op.writes || step.op.cells[0] != op.guard->terms[0].cell ||
		       op.guard->terms[0].condition(step.before, op.guard->terms[0].arg);
	// A wait on several words: exact if the thread has waited since before
	// the step, else assume that it could.
	for (size_t later = at + 1; later < depth_; ++later)
		if (steps_[later].thread == thread)
			return true;
	return step.enabled & bit(thread);
}

void Dpor::add_race(size_t at, unsigned thread, const Op &op)
{
	Step &step = steps_[at];
	const ThreadSet first = initials(at, thread, op);
	if (first & (step.backtrack | step.sleep))
		return;
	const ThreadSet possible = first & step.enabled;
	if (!possible)
		step.backtrack |= step.enabled;
	else if (possible & bit(thread))
		step.backtrack |= bit(thread);
	else
		step.backtrack |= bit(std::countr_zero(possible));
}

// The threads that can start the sequence "all that does not depend on the
// step, then @op": running any of them at the step leads towards the reversal.
ThreadSet Dpor::initials(size_t at, unsigned thread, const Op &op) const
{
	const Step &step = steps_[at];
	ThreadSet first = 0;
	ThreadSet seen = 0;
	bool op_is_first = true;
	for (size_t i = at + 1; i < depth_; ++i) {
		const Step &later = steps_[i];
		if (happens_before(step, later.clock))
			continue;
		op_is_first &= later.thread != thread && !dependent(later.op, op);
		if (seen & bit(later.thread))
			continue;
		seen |= bit(later.thread);
		bool preceded = false;
		for (size_t j = at + 1; j < i && !preceded; ++j)
			preceded = !happens_before(step, steps_[j].clock) &&
				   happens_before(steps_[j], later.clock);
		if (!preceded)
			first |= bit(later.thread);
	}
	if (op_is_first)
		first |= bit(thread);
	return first;
}

unsigned Dpor::choose(unsigned count)
{
	auto &choices = steps_[depth_ - 1].choices;
	if (choices_made_ == choices.size())
		choices.push_back({0, count});
	return choices[choices_made_++].taken;
}

bool Dpor::next()
{
	while (!steps_.empty()) {
		Step &step = steps_.back();
		fresh_from_ = steps_.size() - 1;
		while (!step.choices.empty()) {
			Choice &choice = step.choices.back();
			if (++choice.taken < choice.count)
				return true;
			step.choices.pop_back();
		}
		step.done |= bit(step.thread);
		const ThreadSet left = step.backtrack & step.enabled & ~step.done & ~step.sleep;
		if (left) {
			step.thread = std::countr_zero(left);
			return true;
		}
		steps_.pop_back();
	}
	return false;
}

} // namespace wakerace
