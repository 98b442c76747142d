// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs workers, some at a time, and ends them well when a signal arrives.
#pragma once

#include "cli/worker.hpp"

#include <vector>

namespace wakerace {

struct PoolEvents {
	std::function<void(size_t task)> on_start = [](size_t) {};
	std::function<void(size_t task, const WorkerProgress &)> on_progress =
		[](size_t, const WorkerProgress &) {};
	std::function<void(size_t task, const WorkerEnd &)> on_end = [](size_t, const WorkerEnd &) {
	};
};

// Runs @tasks, @jobs at a time, in their order. Returns false if SIGINT or
// SIGTERM stopped it: workers that ran have reported, the rest never started.
bool run_pool(const std::vector<WorkerTask> &tasks, unsigned jobs, const PoolEvents &events);

} // namespace wakerace
