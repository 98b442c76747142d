// SPDX-License-Identifier: GPL-2.0-or-later
//
// The dpor search against brute force: on random little programs with reads,
// writes, atomics, locks, awaits and choices it must see every class of
// interleavings, each once. A class is what is left of an interleaving when
// only the order of dependent operations counts.
#include "checker/search/dpor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace wakerace {
namespace {

enum class Kind { read, write, add, lock, unlock, await, choose };

struct Instruction {
	Kind kind;
	int cell;
	uint64_t value;
};

using Program = std::vector<std::vector<Instruction>>;

bool equals(uint64_t value, const void *wanted)
{
	return value == reinterpret_cast<uintptr_t>(wanted);
}

// A sequentially consistent machine that runs a program step by step.
class Machine {
public:
	static constexpr int cells = 3; // two words and a lock

	explicit Machine(const Program &program) : program_(program), next_(program.size()) {}

	bool present(unsigned t) const { return next_[t] < program_[t].size(); }
	const Instruction &at(unsigned t) const { return program_[t][next_[t]]; }

	Moment moment()
	{
		Moment moment;
		for (unsigned t = 0; t < program_.size(); ++t) {
			if (!present(t))
				continue;
			const Instruction &instruction = at(t);
			moment.present |= bit(t);
			Op &op = moment.ops[t] = Op{};
			moment.newest[t] = 0;
			if (instruction.kind != Kind::choose) {
				op.cells[op.cell_count++] = instruction.cell;
				moment.newest[t] = memory_[instruction.cell];
			}
			op.writes =
				instruction.kind == Kind::write || instruction.kind == Kind::add ||
				instruction.kind == Kind::lock || instruction.kind == Kind::unlock;
			if (instruction.kind == Kind::lock || instruction.kind == Kind::await) {
				guards_[t] = Guard{{{instruction.cell, equals,
						     reinterpret_cast<void *>(instruction.value)}},
						   1,
						   WR_WAIT_MUST_END};
				op.guard = &guards_[t];
			}
			if (!op.guard || equals(moment.newest[t], op.guard->terms[0].arg))
				moment.enabled |= bit(t);
		}
		return moment;
	}

	// Runs one instruction of @t; @choice is what a choose yields.
	void step(unsigned t, const Op &op, unsigned choice)
	{
		const Instruction &instruction = at(t);
		uint64_t &word = memory_[instruction.cell];
		std::string event = fmt::format("{}.{}", t, next_[t]);
		std::set<std::string> past;
		for (const auto &[name, other] : events_)
			if (name[0] != event[0] && dependent(other, op))
				past.insert(name);
		switch (instruction.kind) {
		case Kind::read:
		case Kind::await:
			event += fmt::format("={}", word);
			break;
		case Kind::write:
			word = instruction.value;
			break;
		case Kind::add:
			event += fmt::format("={}", word);
			word += instruction.value;
			break;
		case Kind::lock:
			word = 1;
			break;
		case Kind::unlock:
			word = 0;
			break;
		case Kind::choose:
			event += fmt::format("?{}", choice);
			break;
		}
		events_.emplace_back(event, op);
		events_.back().second.guard = nullptr;
		trace_[event] = fmt::format("{}", fmt::join(past, ","));
		++next_[t];
	}

	// The class of the interleaving so far.
	std::string trace() const
	{
		std::string text;
		for (const auto &[event, past] : trace_)
			text += event + "<" + past + " ";
		return text;
	}

private:
	const Program &program_;
	std::vector<size_t> next_;
	uint64_t memory_[cells] = {};
	Guard guards_[searched_threads_max];
	std::vector<std::pair<std::string, Op>> events_;
	std::map<std::string, std::string> trace_;
};

constexpr unsigned choices = 2;

void brute_force(const Machine &machine, unsigned threads, std::set<std::string> &classes)
{
	Machine here = machine;
	const Moment moment = here.moment();
	if (!moment.enabled)
		classes.insert(here.trace());
	for (unsigned t = 0; t < threads; ++t) {
		if (!(moment.enabled & bit(t)))
			continue;
		const unsigned count = here.at(t).kind == Kind::choose ? choices : 1;
		for (unsigned choice = 0; choice < count; ++choice) {
			Machine after = here;
			after.step(t, moment.ops[t], choice);
			brute_force(after, threads, classes);
		}
	}
}

struct Explored {
	std::multiset<std::string> classes;
	unsigned redundant = 0;
};

Explored explore(const Program &program)
{
	Explored explored;
	Dpor dpor;
	do {
		Machine machine(program);
		dpor.begin(program.size(), Machine::cells);
		for (;;) {
			const Moment moment = machine.moment();
			const int t = dpor.pick(moment);
			if (!moment.enabled) {
				explored.classes.insert(machine.trace());
				break;
			}
			if (t == Search::give_up) {
				++explored.redundant;
				break;
			}
			const unsigned choice =
				machine.at(t).kind == Kind::choose ? dpor.choose(choices) : 0;
			machine.step(t, moment.ops[t], choice);
		}
	} while (dpor.next());
	return explored;
}

Program random_program(std::mt19937 &random)
{
	Program program(2 + random() % 2);
	for (auto &thread : program) {
		const unsigned length = 1 + random() % 3;
		for (unsigned i = 0; i < length; ++i) {
			const int cell = random() % 2;
			switch (random() % 8) {
			case 0:
			case 1:
				thread.push_back({Kind::read, cell, 0});
				break;
			case 2:
			case 3:
				thread.push_back({Kind::write, cell, 1 + random() % 2});
				break;
			case 4:
				thread.push_back({Kind::add, cell, 1});
				break;
			case 5:
				thread.push_back({Kind::lock, 2, 0});
				thread.push_back({Kind::add, cell, 1});
				if (random() % 8)
					thread.push_back({Kind::unlock, 2, 0});
				break;
			case 6:
				thread.push_back({Kind::await, cell, random() % 3});
				break;
			case 7:
				thread.push_back({Kind::choose, 0, 0});
				break;
			}
		}
	}
	return program;
}

TEST(Dpor, SeesEveryClassOfRandomProgramsOnce)
{
	std::mt19937 random(7);
	unsigned redundant = 0, total = 0;
	for (int i = 0; i < 1500; ++i) {
		const Program program = random_program(random);
		std::set<std::string> wanted;
		brute_force(Machine(program), program.size(), wanted);
		const Explored explored = explore(program);
		const std::set<std::string> seen(explored.classes.begin(), explored.classes.end());
		ASSERT_EQ(seen, wanted) << "program " << i;
		ASSERT_EQ(explored.classes.size(), seen.size()) << "program " << i;
		redundant += explored.redundant;
		total += seen.size();
	}
	// Sleep sets may end in dead ends, but rarely.
	EXPECT_LT(redundant, total / 20);
}

TEST(Dpor, TwoLocksOfOneThreadAgainstOneOfAnother)
{
	const Program program{{{Kind::lock, 2, 0},
			       {Kind::unlock, 2, 0},
			       {Kind::lock, 2, 0},
			       {Kind::unlock, 2, 0}},
			      {{Kind::lock, 2, 0}, {Kind::unlock, 2, 0}}};
	EXPECT_EQ(explore(program).classes.size(), 3u);
}

TEST(Dpor, FindsTheDeadlockOfTwoAwaits)
{
	// Thread 0 waits for 1, which thread 1 overwrites unless thread 0 is quick.
	const Program program{{{Kind::await, 0, 1}, {Kind::write, 1, 1}},
			      {{Kind::write, 0, 1}, {Kind::write, 0, 2}}};
	EXPECT_EQ(explore(program).classes.size(), 2u);
}

} // namespace
} // namespace wakerace
