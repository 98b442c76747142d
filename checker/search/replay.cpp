// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/search/replay.hpp"

#include <bit>
#include <utility>

namespace wakerace {

ReplaySearch::ReplaySearch(Schedule schedule, bool threads_only)
    : schedule_(std::move(schedule)), threads_only_(threads_only)
{
}

void ReplaySearch::begin(unsigned, unsigned)
{
	next_ = 0;
	diverged_at_ = -1;
}

void ReplaySearch::diverge()
{
	if (diverged_at_ < 0)
		diverged_at_ = static_cast<int>(next_);
	next_ = schedule_.size();
}

int ReplaySearch::pick(const Moment &moment)
{
	if (!moment.enabled)
		return give_up;
	if (next_ < schedule_.size()) {
		const int wanted = schedule_[next_];
		if (wanted >= 0 && wanted < static_cast<int>(searched_threads_max) &&
		    moment.enabled & bit(wanted)) {
			// A schedule from events says nothing of the other steps.
			next_ += !threads_only_ || moment.ops[wanted].makes_event();
			return wanted;
		}
	}
	diverge();
	return std::countr_zero(moment.enabled);
}

unsigned ReplaySearch::choose(unsigned count)
{
	if (threads_only_)
		return 0;
	if (next_ < schedule_.size() && schedule_[next_] < 0) {
		const int64_t wanted = -1 - static_cast<int64_t>(schedule_[next_]);
		if (wanted < count) {
			++next_;
			return static_cast<unsigned>(wanted);
		}
	}
	diverge();
	return 0;
}

} // namespace wakerace
