// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/graph/programs.hpp"

#include <deque>
#include <fmt/format.h>

namespace wakerace {

namespace {

bool equals(uint64_t value, const void *wanted)
{
	return value == reinterpret_cast<uintptr_t>(wanted);
}

// Guards outlive the exploration, and there are few different ones.
const Guard *guard_of(int cell, uint64_t wanted)
{
	static std::deque<Guard> guards;
	void *const arg = reinterpret_cast<void *>(wanted);
	for (const Guard &guard : guards)
		if (guard.terms[0].cell == cell && guard.terms[0].arg == arg)
			return &guard;
	return &guards.emplace_back(Guard{{{cell, equals, arg}}, 1, WR_WAIT_MUST_END});
}

const char *const kind_names[] = {"read",  "write", "copy",   "add",   "cas",
				  "await", "lock",  "unlock", "fence", "choose"};

} // namespace

std::string LittleProgram::text() const
{
	std::string text;
	for (const auto &thread : threads) {
		for (const Instruction &i : thread)
			text += fmt::format("{}({} {} {} o{} f{}) ",
					    kind_names[static_cast<int>(i.kind)], i.cell, i.value,
					    i.expected, static_cast<int>(i.order),
					    static_cast<int>(i.fence));
		text += "| ";
	}
	return text;
}

Label label_of(const Instruction &instruction, unsigned thread, uint64_t last)
{
	using Kind = Instruction::Kind;
	Label label;
	label.cell = instruction.cell;
	label.order = instruction.order;
	label.operand = instruction.value;
	switch (instruction.kind) {
	case Kind::read:
		label.kind = Label::Kind::read;
		break;
	case Kind::copy:
		label.operand = last + instruction.value;
		[[fallthrough]];
	case Kind::write:
		label.kind = Label::Kind::write;
		break;
	case Kind::add:
		label.kind = Label::Kind::read;
		label.rmw = true;
		label.update = Update::add;
		break;
	case Kind::cas:
		label.kind = Label::Kind::read;
		label.rmw = true;
		label.update = Update::compare_exchange;
		label.expected = instruction.expected;
		break;
	case Kind::await:
		label.kind = Label::Kind::read;
		label.waits = true;
		label.guard = guard_of(instruction.cell, instruction.value);
		break;
	case Kind::lock:
		label.kind = Label::Kind::read;
		label.rmw = label.waits = true;
		label.update = Update::compare_exchange;
		label.operand = 1 + thread;
		label.order = WR_ACQUIRE;
		label.role = EventRole::lock;
		label.guard = guard_of(instruction.cell, 0);
		break;
	case Kind::unlock:
		label.kind = Label::Kind::write;
		label.order = WR_RELEASE;
		label.role = EventRole::unlock;
		label.operand = 0;
		break;
	case Kind::fence:
		label.kind = Label::Kind::fence;
		label.cell = -1;
		label.fence = instruction.fence;
		break;
	case Kind::choose:
		label.kind = Label::Kind::choice;
		label.choices = 2;
		break;
	}
	return label;
}

// A thread's nodes are its instructions, the two halves of an update being one.
const Label &LittleThreads::next(unsigned thread)
{
	uint64_t last = 0;
	size_t done = 0;
	for (int node : graph_->of(thread)) {
		const Node &n = (*graph_)[node];
		done += !n.half;
		if (n.kind == Label::Kind::read || n.kind == Label::Kind::choice)
			last = n.value;
	}
	const auto &instructions = program_.threads[thread];
	labels_[thread] =
		done < instructions.size() ? label_of(instructions[done], thread, last) : Label{};
	return labels_[thread];
}

std::string signature(const Graph &graph)
{
	std::string text;
	for (unsigned t = 0; t < graph.threads(); ++t) {
		for (int node : graph.of(t)) {
			const Node &n = graph[node];
			if (n.kind == Label::Kind::read && n.source == Node::none)
				text += "r0";
			else if (n.kind == Label::Kind::read)
				text += fmt::format("r{}.{}", graph[n.source].thread,
						    graph[n.source].index);
			else if (n.kind == Label::Kind::write)
				text += fmt::format("w{}", n.position);
			else if (n.kind == Label::Kind::choice)
				text += fmt::format("c{}", n.value);
			else
				text += 'f';
			text += ' ';
		}
		text += "| ";
	}
	return text;
}

LittleProgram random_program(std::mt19937 &random, const RandomShape &shape)
{
	using Kind = Instruction::Kind;
	const auto below = [&](int count) { return static_cast<int>(random() % count); };
	LittleProgram program;
	program.cells = shape.cells + 1;
	program.threads.resize(shape.threads);
	for (auto &thread : program.threads) {
		const int length = 1 + below(shape.length);
		while (static_cast<int>(thread.size()) < length) {
			static constexpr Kind kinds[] = {Kind::read,  Kind::write, Kind::read,
							 Kind::write, Kind::fence, Kind::copy,
							 Kind::add,   Kind::cas,   Kind::await,
							 Kind::lock,  Kind::choose};
			const int count = shape.bare ? 5 : 11;
			Instruction i{kinds[below(count)], below(shape.cells), 1u + below(2)};
			i.expected = below(3);
			if (i.kind == Kind::fence) {
				if (!shape.fences)
					continue;
				i.fence = static_cast<wr_fence_kind>(below(4));
			}
			if ((i.kind == Kind::await || i.kind == Kind::lock) && !shape.waits)
				continue;
			if (shape.orders) {
				const bool reads = i.kind == Kind::read || i.kind == Kind::await;
				const bool both = i.kind == Kind::add || i.kind == Kind::cas;
				const wr_order strong[] = {WR_ACQUIRE, WR_RELEASE, WR_FULL};
				if (below(2))
					i.order = both    ? strong[below(3)]
						  : reads ? WR_ACQUIRE
							  : WR_RELEASE;
			}
			if (i.kind == Kind::lock) {
				i.cell = shape.cells;
				thread.push_back(i);
				thread.push_back({below(2) ? Kind::read : Kind::copy,
						  below(shape.cells), 1});
				i.kind = Kind::unlock;
			}
			thread.push_back(i);
		}
	}
	return program;
}

} // namespace wakerace
