// SPDX-License-Identifier: GPL-2.0-or-later
//
// The same execution with its events in another order.
#pragma once

#include "checker/execution/execution.hpp"

#include <vector>

namespace wakerace {

// @order is a permutation of the events that keeps program order. What depends
// on the order, whether a read is stale and what a write finds, is worked out
// again.
Execution reordered(const Execution &execution, const std::vector<int> &order);

} // namespace wakerace
