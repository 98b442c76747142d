// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an exploration has found so far, and whether it has to stop. An engine
// adds one execution after the other; the result is the same record for all.
#pragma once

#include "checker/execution/execution.hpp"
#include "checker/invariant/invariant.hpp"
#include "checker/program/module.hpp"
#include "checker/result/result.hpp"

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wakerace {

class Tally {
public:
	Tally(const Module &module, const wr_program &program, const Request &request, Model model);

	// Called for every 0.5 s of exploration.
	std::function<void(uint64_t executions, double seconds)> on_progress;
	// Stops the exploration after the current execution; for signal handlers.
	static volatile std::sig_atomic_t stop;

	// Counts and judges an execution. @schedule is asked for if its story is kept.
	void add(const Execution &execution, const std::function<Schedule()> &schedule);
	// The same for an execution that is judged already, and without a violation.
	void count(Ending ending, const std::string &outcome);
	// Why no more executions are to be explored, if so.
	bool limit_reached();
	// The exploration saw less than there is.
	void set_bound(const std::string &why) { bound_ = why; }

	// Stories hold schedules only: they are still to be told.
	Result result(const std::vector<uint64_t> &mark_counts, const std::string &error) const;

private:
	struct Kept {
		Story story;
		size_t events = 0; // that the proof needs
	};

	const Module &module_;
	const wr_program &program_;
	Request request_;
	Model model_;
	Executions counts_;
	uint64_t broken_ = 0; // of those that are counted as truncated
	std::map<std::string, uint64_t> violations_;
	std::map<std::string, uint64_t> outcomes_;
	std::map<std::string, std::map<std::string, Kept>> kept_; // type, fingerprint
	std::string bound_;
	uint64_t longest_ = 0;
	std::chrono::steady_clock::time_point started_;
	double next_progress_ = 0.5;

	void judge(const Execution &execution, const std::function<Schedule()> &schedule);
	void keep(const Execution &execution, const Found &violation,
		  const std::function<Schedule()> &schedule);
	void find_unreached(Result &result, const std::vector<uint64_t> &mark_counts) const;
	void choose_stories(Result &result) const;
	double seconds() const;
};

// Turns what was found into a verdict.
void judge_verdict(Result &result);

} // namespace wakerace
