// SPDX-License-Identifier: GPL-2.0-or-later
//
// The transitive closure of po, rf, co and (where asked) fr over the events of
// one execution. Under sc that closure is a partial order and its linear
// extensions are exactly the interleavings with the same rf and co, so that a
// question "is there a moment at which ..." has an exact answer here. Under
// weaker models the closure is the definition (DESIGN, decision 7).
#pragma once

#include "checker/execution/execution.hpp"

#include <cstdint>
#include <vector>

namespace wakerace {

class Order {
public:
	enum class Edges { po_rf_co_fr, po_rf_co };

	Order(const Execution &execution, Edges edges);

	// @a comes before @b. Irreflexive under sc; an event on a cycle precedes
	// itself.
	bool before(int a, int b) const { return past_[b * words_ + a / 64] >> (a % 64) & 1; }
	bool before_or_same(int a, int b) const { return a == b || before(a, b); }
	// How many events @events and all that precedes them are.
	size_t past_size(const std::vector<int> &events) const;

private:
	size_t words_;
	std::vector<uint64_t> past_; // a row of bits for each event: what precedes it

	void add_edge(int from, int to);
	void close(const std::vector<std::vector<int>> &predecessors, bool topological);
};

} // namespace wakerace
