// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exploration of graphs against brute force: on random little programs it must
// come to every execution, each once. Under sc brute force is all interleavings,
// under every model the axioms on all graphs that there could be.
#include "tests/graph/axioms.hpp"
#include "tests/graph/programs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace wakerace {
namespace {

using Kind = Label::Kind;

// Runs all interleavings of a program on one memory, and collects what they are
// as graphs.
class Interleavings {
public:
	explicit Interleavings(const LittleProgram &program)
	    : program_(program), threads_(program),
	      graph_(static_cast<unsigned>(program.threads.size()),
		     std::vector<uint64_t>(program.cells), 0)
	{
		threads_.become(graph_);
		step();
	}

	const std::set<std::string> &complete() const { return complete_; }
	const std::set<std::string> &blocked() const { return blocked_; }

private:
	const LittleProgram &program_;
	LittleThreads threads_;
	Graph graph_;
	std::set<std::string> complete_, blocked_, seen_;

	void step()
	{
		if (!seen_.insert(signature(graph_)).second)
			return;
		bool moved = false, waits = false;
		for (unsigned t = 0; t < program_.threads.size(); ++t) {
			const Label label = threads_.next(t);
			if (label.kind == Kind::end)
				continue;
			if (label.waits && !accepts(label, 0, graph_.final_value(label.cell))) {
				waits = true;
				continue;
			}
			moved = true;
			const int size = graph_.size();
			for (unsigned choice = 0; choice < std::max(1u, label.choices); ++choice) {
				add(t, label, choice);
				step();
				while (graph_.size() > size)
					graph_.pop();
			}
		}
		if (!moved)
			(waits ? blocked_ : complete_).insert(signature(graph_));
	}

	void add(unsigned thread, Label label, unsigned choice)
	{
		const int newest = label.cell < 0 ? Node::none : graph_.last_write(label.cell);
		if (label.kind == Kind::choice)
			label.operand = choice;
		if (label.kind == Kind::write) {
			graph_.add_write(thread, label, newest, false);
		} else if (label.kind != Kind::read) {
			graph_.add(thread, label);
		} else {
			const int read = graph_.add_read(thread, label, label.cell, newest);
			const uint64_t old = graph_[read].value;
			label.kind = Kind::write;
			label.operand = updated(label, old);
			if (succeeds(graph_[read], old))
				graph_.add_write(thread, label, newest, true);
		}
	}
};

// A graph that ends with a wait is the same without the read that waits.
std::string without_waiting(const Graph &graph)
{
	Graph copy = graph;
	std::string text = signature(graph);
	for (unsigned t = 0; t < graph.threads(); ++t) {
		const int last = graph.last_of(t);
		if (last == Node::none || !graph.refuses(last))
			continue;
		size_t end = 0;
		for (unsigned u = 0; u <= t; ++u)
			end = text.find("| ", end + (u ? 1 : 0));
		const size_t begin = text.rfind(' ', end - 2);
		const size_t from = begin == std::string::npos ? 0 : begin + 1;
		text.erase(from, end - from);
	}
	return text;
}

struct Explored {
	std::map<std::string, int> complete, blocked;
	int premature = 0;
};

Explored explore(const LittleProgram &program, const std::string &model)
{
	LittleThreads threads(program);
	const std::unique_ptr<Memory> memory = make_memory(model);
	Explorer explorer(threads, *memory, static_cast<unsigned>(program.threads.size()),
			  std::vector<uint64_t>(program.cells));
	Explored explored;
	while (explorer.advance()) {
		if (explorer.premature()) {
			++explored.premature;
			continue;
		}
		bool waits = false;
		const Graph &graph = explorer.graph();
		for (unsigned t = 0; t < graph.threads(); ++t) {
			const int last = graph.last_of(t);
			waits |= last != Node::none && graph.refuses(last);
			waits |= threads.next(t).waits;
		}
		++(waits ? explored.blocked : explored.complete)[without_waiting(graph)];
	}
	return explored;
}

std::set<std::string> keys(const std::map<std::string, int> &map)
{
	std::set<std::string> keys;
	for (const auto &[key, count] : map)
		keys.insert(key);
	return keys;
}

// More programs than the default come from the environment, for a longer look.
int program_count(int otherwise)
{
	const char *count = std::getenv("WAKERACE_PROGRAMS");
	return count ? std::atoi(count) : otherwise;
}

RandomShape shape_of(int number)
{
	RandomShape shape;
	shape.threads = 2 + number % 3;
	shape.length = shape.threads == 4 ? 2 : 3;
	shape.waits = number % 4 != 0;
	return shape;
}

void expect_each_once(const Explored &explored, const std::set<std::string> &complete,
		      const std::set<std::string> &blocked, const std::string &what)
{
	ASSERT_EQ(keys(explored.complete), complete) << what;
	ASSERT_EQ(keys(explored.blocked), blocked) << what;
	for (const auto *counts : {&explored.complete, &explored.blocked})
		for (const auto &[execution, count] : *counts)
			ASSERT_EQ(count, 1) << execution << what;
}

TEST(Graph, EveryInterleavingOfRandomProgramsOnce)
{
	std::mt19937 random(1);
	size_t executions = 0;
	const int programs = program_count(3000);
	for (int i = 0; i < programs && !HasFatalFailure(); ++i) {
		const LittleProgram program = random_program(random, shape_of(i));
		const Interleavings all(program);
		const Explored explored = explore(program, "sc");
		expect_each_once(explored, all.complete(), all.blocked(),
				 fmt::format("{}: {}", i, program.text()));
		executions += explored.complete.size();
	}
	EXPECT_GT(executions, static_cast<size_t>(programs));
}

class Models : public testing::TestWithParam<const char *> {};

TEST_P(Models, EveryExecutionOfRandomProgramsOnce)
{
	std::mt19937 random(2);
	size_t executions = 0;
	const int programs = program_count(1500);
	for (int i = 0; i < programs && !HasFatalFailure(); ++i) {
		RandomShape shape = shape_of(i);
		shape.fences = shape.orders = true;
		const LittleProgram program = random_program(random, shape);
		const Executions all = all_executions(program, GetParam());
		const Explored explored = explore(program, GetParam());
		expect_each_once(explored, all.complete, all.blocked,
				 fmt::format("{}: {}", i, program.text()));
		executions += explored.complete.size();
	}
	EXPECT_GT(executions, static_cast<size_t>(programs));
}

// Programs without anything that orders by the way show most of a model.
TEST_P(Models, EveryExecutionOfBareProgramsOnce)
{
	std::mt19937 random(3);
	size_t beyond = 0;
	const int programs = program_count(1500);
	for (int i = 0; i < programs && !HasFatalFailure(); ++i) {
		RandomShape shape;
		shape.threads = 2 + i % 2;
		shape.length = shape.threads == 2 ? 5 : 3;
		shape.fences = shape.orders = shape.bare = true;
		const LittleProgram program = random_program(random, shape);
		const Executions all = all_executions(program, GetParam());
		const Explored explored = explore(program, GetParam());
		expect_each_once(explored, all.complete, all.blocked,
				 fmt::format("{}: {}", i, program.text()));
		beyond += explored.complete.size() > all_executions(program, "sc").complete.size();
	}
	if (GetParam() != std::string("sc")) {
		EXPECT_GT(beyond, static_cast<size_t>(programs / 20));
	}
}

INSTANTIATE_TEST_SUITE_P(Graph, Models, testing::Values("sc", "tso", "rc11", "lkmm"),
			 [](const auto &info) { return std::string(info.param); });

} // namespace
} // namespace wakerace
