// SPDX-License-Identifier: GPL-2.0-or-later
//
// Invariants as functions of one execution's graph (DESIGN, decision 7). What
// an interval, an owner or a queue is, the program says by its annotations;
// nothing here knows a kernel. Exact under sc; under weaker models the formulas
// below are the definition.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/execution/linearize.hpp"
#include "checker/instrument/engine.hpp"
#include "checker/program/module.hpp"
#include "checker/result/result.hpp"

#include <vector>

namespace wakerace {

// A violation, and in which order its events prove it.
struct Found : Violation {
	Stages stages;     // empty if only the whole execution proves it
	size_t events = 0; // that the proof needs
};

// All violations of a complete or blocked execution, in a fixed order.
std::vector<Found> check_invariants(const Execution &execution, const Module &module, Model model);

// What the single checks work on.
struct Case {
	const Execution &execution;
	const Module &module;
	Model model;
	const Order &order; // po, rf, co, fr
	std::vector<Found> &violations;

	void found(std::string type, std::string text, Stages stages) const;
	// Proved by the whole execution, which @steps are the ones to look at of.
	void found_at_end(std::string type, std::string text, std::vector<unsigned> steps) const;
};

// An item's stay somewhere: from the access that begins it to the one that
// ends it, which may not have come.
struct Interval {
	static constexpr int open = -1;
	unsigned place;
	unsigned item;
	int begin; // an event
	int end;   // an event, or open
};

// The intervals that notes of kind @begin and @end span, each begin paired with
// the first end of the same place and item that comes after it in the order.
std::vector<Interval> intervals(const Case &c, wr_note_kind begin, wr_note_kind end);

// Whether there can be a moment that both intervals cover.
bool overlap(const Case &c, const Interval &a, const Interval &b);

// The reads of a call; of an idle query only those of the fields that decide.
std::vector<int> reads_of(const Case &c, const Call &call);

// Whether @stay is there from before the first of @reads until after the last.
bool covers(const Case &c, const Interval &stay, const std::vector<int> &reads);

// The stay begins, then the reads happen, and only then does it end.
Stages stages_of(const Interval &stay, const std::vector<int> &reads);

void check_false_idle(const Case &c);
void check_false_idle_instant(const Case &c);
void check_stacked(const Case &c);
void check_needless_search(const Case &c);
void check_needless_ipi(const Case &c);
void check_owners(const Case &c);
void check_queues(const Case &c);
void check_wakeups(const Case &c);

} // namespace wakerace
