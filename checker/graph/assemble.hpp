// SPDX-License-Identifier: GPL-2.0-or-later
//
// A graph and what its threads have said about it as one execution, which is
// what invariants and stories are made from.
#pragma once

#include "checker/graph/memory.hpp"
#include "checker/graph/native.hpp"
#include "checker/result/result.hpp"

namespace wakerace {

struct Assembled {
	Execution execution;
	// How to get to the graph: for each node a thread, followed by which write a
	// read sees, or after which a write stands, counted in coherence order among
	// those that are there by then.
	Schedule schedule;
};

// In an order in which reads see the newest write wherever there is such an order.
Assembled assemble(const Graph &graph, const NativeThreads &threads, Memory &memory);

} // namespace wakerace
