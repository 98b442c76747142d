// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells one execution graph as another interleaving of the same graph: one in
// which a proof can be read off from top to bottom. Only what the proof rests
// on comes first, each thread running as long as it can, and the order of threads
// the one that changes least between them.
#pragma once

#include "checker/execution/order.hpp"

#include <vector>

namespace wakerace {

// Events of one stage come before those of the next; within a stage they are
// free. The last stage is what must not have happened yet.
using Stages = std::vector<std::vector<int>>;

struct Linear {
	std::vector<int> events; // a permutation of the execution's events
	size_t told = 0;         // how many of them end the proof; the rest follows
};

// Empty if the stages contradict @order.
Linear linearize(const Execution &execution, const Order &order, const Stages &stages);

} // namespace wakerace
