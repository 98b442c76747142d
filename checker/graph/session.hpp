// SPDX-License-Identifier: GPL-2.0-or-later
//
// One exploration, or one repetition, of a program by its graphs.
#pragma once

#include "checker/graph/assemble.hpp"
#include "checker/graph/explorer.hpp"
#include "checker/graph/native.hpp"
#include "checker/result/tally.hpp"

#include <memory>

namespace wakerace {

// The kind of memory that invariants are told; throws BadInput for a model that
// this engine does not have.
Model graph_model_of(const Request &request);

class GraphSession {
public:
	GraphSession(const Module &module, const Request &request, uint8_t poison = 0xa5);

	Tally &tally() { return tally_; }
	const std::string &error() const { return threads_.problem(); }

	// Explores all graphs, or as many as the limits allow.
	void explore();
	// The first execution alone.
	Execution first();
	// Goes where @schedule says; @error is set if that is not possible.
	Execution repeat(const Schedule &schedule, std::string &error);
	// What was found, with its stories told.
	Result result();

private:
	const Module &module_;
	Request request_;
	std::unique_ptr<Memory> memory_;
	NativeThreads threads_;
	Tally tally_;

	Ending ending() const;
	Assembled assembled(const Graph &graph, Ending ending, const std::string &outcome);
	Execution ended(const Graph &graph);
	bool silent(const Graph &graph) const;
	void take(const Graph &graph);
	void tell(Story &story);
};

} // namespace wakerace
