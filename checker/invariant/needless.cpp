// SPDX-License-Identifier: GPL-2.0-or-later
//
// NEEDLESS_SEARCH and NEEDLESS_IPI: a place does what it need not, although all
// that it looked at could have told it so. A lock that is taken on the way tells
// nothing of the kind.
#include "checker/invariant/invariant.hpp"

#include <fmt/format.h>

namespace wakerace {

namespace {

std::vector<int> reads_without_locks(const Case &c, const Call &call)
{
	std::vector<int> reads = reads_of(c, call);
	std::erase_if(reads,
		      [&](int read) { return c.execution.events[read].role == EventRole::lock; });
	return reads;
}

// Calls @report with each call of @kind that did what it asked for, and each
// interval from a note @begin to a note @end of its place that covers its reads.
template <typename Report>
void for_each_covered(const Case &c, wr_call_kind kind, wr_note_kind begin, wr_note_kind end,
		      Report report)
{
	const auto stays = intervals(c, begin, end);
	for (const Call &call : c.execution.calls) {
		if (call.kind != kind || !call.returned || call.result != 1)
			continue;
		const std::vector<int> reads = reads_without_locks(c, call);
		for (const Interval &stay : stays)
			if (stay.place == call.subject && covers(c, stay, reads))
				report(call, stay, stages_of(stay, reads));
	}
}

} // namespace

void check_needless_search(const Case &c)
{
	for_each_covered(c, WR_CALL_SEARCH, WR_WORK_COMMIT, WR_WORK_DONE,
			 [&](const Call &call, const Interval &work, Stages stages) {
				 c.found("NEEDLESS_SEARCH",
					 fmt::format("{} searched other CPUs for work although {} "
						     "had been committed to it before",
						     c.module.place_name(call.subject),
						     c.module.item_name(work.item)),
					 std::move(stages));
			 });
}

void check_needless_ipi(const Case &c)
{
	for_each_covered(c, WR_CALL_KICK, WR_POLL_BEGIN, WR_POLL_END,
			 [&](const Call &call, const Interval &, Stages stages) {
				 c.found("NEEDLESS_IPI",
					 fmt::format("{} interrupted {}, which polled the whole "
						     "time",
						     c.module.place_name(call.thread),
						     c.module.place_name(call.subject)),
					 std::move(stages));
			 });
}

} // namespace wakerace
