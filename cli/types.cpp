// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/types.hpp"

namespace wakerace {

const std::vector<ViolationType> &violation_types()
{
	static const std::vector<ViolationType> types = {
		{"FALSE_IDLE", true,
		 "idle_cpu(c) returned true although work was committed to c during the whole "
		 "call"},
		{"FALSE_IDLE_INSTANT", true,
		 "at one instant all of curr, nr_running and ttwu_pending of c look idle although "
		 "work is committed to c"},
		{"STACKED", true,
		 "two wakees placed on one CPU while another allowed CPU was free the whole time"},
		{"LOST_WAKEUP", true, "a wakeup was issued and its task never runs again"},
		{"RUNNING_TWICE", true,
		 "one task current on two CPUs, or used by two owners, a tracer among them"},
		{"DOUBLE_ENQUEUE", true, "a task queued twice"},
		{"WRONG_RQ", true,
		 "a task on a runqueue that is not its CPU's, or run outside its affinity"},
		{"STALE_CPU", false, "a decision taken on an old p->cpu"},
		{"DEADLOCK", true, "CPUs wait for each other; says who waits for whom"},
		{"LIVELOCK", false, "CPUs act for ever and nothing comes of it"},
		{"ACCOUNTING_DRIFT", true,
		 "nr_running, ttwu_pending, nr_uninterruptible, nr_iowait or avg_idle do not add "
		 "up when all is quiet"},
		{"NEEDLESS_IPI", true,
		 "an IPI to a CPU that polls and needs none, or is the sender's own"},
		{"NEEDLESS_SEARCH", true,
		 "a CPU searched others for work although work was committed to it before"},
		{"MISSED_PREEMPTION", false, "a reschedule that never comes"},
		{"NODE_REUSED", true, "a list node or call-single-data reused while in flight"},
		{"DATA_RACE", true, "plain accesses that race by the memory model's own rule"},
	};
	return types;
}

} // namespace wakerace
