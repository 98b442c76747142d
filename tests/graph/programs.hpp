// SPDX-License-Identifier: GPL-2.0-or-later
//
// Little programs for the tests of the graph engine: lists of instructions, the
// threads that follow a graph through them, and random ones.
#pragma once

#include "checker/graph/explorer.hpp"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace wakerace {

struct Instruction {
	enum class Kind { read, write, copy, add, cas, await, lock, unlock, fence, choose };
	Kind kind;
	int cell = 0;
	uint64_t value = 0; // written, added, awaited or put in by cas; copy writes what the
			    // thread read last, plus this
	uint64_t expected = 0;
	wr_order order = WR_ONCE;
	wr_fence_kind fence = WR_FENCE_MB;
};

// A list of instructions for each thread; all cells are 0 at first.
struct LittleProgram {
	std::vector<std::vector<Instruction>> threads;
	int cells = 2;

	std::string text() const;
};

// What the instruction is as a label; @last is what the thread read last.
Label label_of(const Instruction &instruction, unsigned thread, uint64_t last);

// Runs a program along a graph.
class LittleThreads : public Threads {
public:
	explicit LittleThreads(const LittleProgram &program) : program_(program) {}

	void become(const Graph &graph) override { graph_ = &graph; }
	void cut(unsigned, int) override {}
	const Label &next(unsigned thread) override;

private:
	const LittleProgram &program_;
	const Graph *graph_ = nullptr;
	Label labels_[WR_THREADS_MAX];
};

// What happened in an execution, whatever order it was built in: each thread's
// events with where a read's value comes from and a write's place. Equal for
// equal executions only.
std::string signature(const Graph &graph);

struct RandomShape {
	int threads = 3;
	int cells = 2;
	int length = 3;    // instructions of a thread, at most
	bool waits = true; // awaits and locks
	bool fences = false;
	bool orders = false; // other orders than WR_ONCE
	bool bare = false;   // reads, writes and fences alone
};
LittleProgram random_program(std::mt19937 &random, const RandomShape &shape);

} // namespace wakerace
