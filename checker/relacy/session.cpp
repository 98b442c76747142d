// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/relacy/session.hpp"

#include <bit>

namespace wakerace {

Session::Session(const Module &module, const Request &request, Runtime::Options options,
		 std::unique_ptr<Search> search)
    : module_(module), request_(request), model_(options.model),
      runtime_(module, module.program(request.scenario), std::move(options)),
      tally_(module, runtime_.program(), request, model_), search_(std::move(search))
{
}

void Session::begin_execution(Engine &engine)
{
	schedule_.clear();
	announced_ = finished_ = 0;
	leaving_ = false;
	ending_ = Ending::complete;
	runtime_.begin(engine);
	if (search_)
		search_->begin(threads(),
			       static_cast<unsigned>(module_.cells().size()) + WR_STACKS_MAX);
}

void Session::announce(unsigned thread, const Op &op)
{
	ops_[thread] = &op;
	announced_ |= bit(thread);
}

void Session::ended(unsigned thread)
{
	announced_ &= ~bit(thread);
	finished_ |= bit(thread);
}

int Session::unstarted() const
{
	const ThreadSet all = bit(threads()) - 1;
	const ThreadSet left = all & ~(announced_ | finished_);
	return left ? std::countr_zero(left) : -1;
}

Moment Session::moment()
{
	Moment moment;
	moment.present = announced_;
	for (unsigned t = 0; t < threads(); ++t) {
		if (!(announced_ & bit(t)))
			continue;
		const Op &op = *ops_[t];
		moment.ops[t] = op;
		const bool reads = op.cell_count && !op.switches;
		moment.newest[t] = reads ? runtime_.newest(op.cells[0]) : 0;
		if (!op.guard || runtime_.satisfied(*op.guard))
			moment.enabled |= bit(t);
	}
	return moment;
}

int Session::first_to_leave() const
{
	return announced_ ? std::countr_zero(announced_) : 0;
}

int Session::pick()
{
	if (leaving_)
		return first_to_leave();
	const Moment now = moment();
	if (!runtime_.problem().empty()) {
		give_up(Ending::truncated);
		return first_to_leave();
	}
	const int thread = search_->pick(now);
	if (!search_->deterministic())
		runtime_.set_error(
			"the program depends on more than the schedule: the same choices "
			"led to another access (is there state outside of the image?)");
	if (!now.enabled)
		return end_of_run(now);
	if (thread == Search::give_up) {
		give_up(Ending::redundant);
		return first_to_leave();
	}
	picked(static_cast<unsigned>(thread));
	return thread;
}

int Session::end_of_run(const Moment &moment)
{
	Ending ending = Ending::complete;
	for (unsigned t = 0; t < threads(); ++t)
		if (moment.present & bit(t) && moment.ops[t].guard->wait == WR_WAIT_MUST_END)
			ending = Ending::blocked;
	give_up(ending);
	return first_to_leave();
}

void Session::give_up(Ending ending)
{
	if (leaving_)
		return;
	leaving_ = true;
	ending_ = ending;
	// Threads leave from where they are; what they wait for is read first.
	runtime_.end(ending, announced_);
}

unsigned Session::choose(unsigned count)
{
	const unsigned alternative = search_->choose(count);
	chosen(alternative);
	return alternative;
}

bool Session::end_execution()
{
	if (!leaving_)
		runtime_.end(Ending::complete, 0);
	if (!runtime_.problem().empty())
		return true;
	tally_.add(runtime_.execution(), [this] { return schedule_; });
	if (search_ && !search_->next()) {
		if (!search_->complete())
			tally_.set_bound("random sample");
		return true;
	}
	return tally_.limit_reached();
}

} // namespace wakerace
