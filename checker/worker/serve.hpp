// SPDX-License-Identifier: GPL-2.0-or-later
//
// A worker process: one exploration or one replay under one engine, so that a
// crash or a limit ends only it. Reads one request as a line of JSON, writes JSON
// Lines; exit code 2 with one sentence for bad input.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/instrument/engine.hpp"
#include "checker/program/module.hpp"
#include "checker/result/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace wakerace {

// One execution that was gone through again.
struct Repeated {
	Execution execution;
	std::string error; // empty if all is well
};

class EngineWorker {
public:
	using Progress = std::function<void(uint64_t executions, double seconds)>;

	virtual ~EngineWorker() = default;

	virtual std::string name() const = 0;
	// The kind of memory that a model is, for invariants; throws BadInput.
	virtual Model model_of(const Request &request) const = 0;
	virtual Result explore(const Module &module, const Request &request,
			       const Progress &progress) = 0;
	virtual Repeated repeat(const Module &module, const Request &request,
				const Schedule &schedule) = 0;
};

int serve(int argc, char **argv, EngineWorker &engine);

// An access that the compiler did not announce reads a poison. Two runs of one
// schedule under two poisons show it: all events must agree. Empty if they do.
std::string compare_poisoned(const Module &module, const std::vector<Event> &one,
			     const std::vector<Event> &other);

} // namespace wakerace
