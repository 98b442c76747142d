// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory models as axioms over whole executions, for the tests of the graph
// engine: it shares no more with the engine than what an instruction means.
#pragma once

#include "tests/graph/programs.hpp"

#include <array>
#include <bit>
#include <set>
#include <string>

namespace wakerace {

// Events are numbered from 0, so that a set of them fits a word and a relation
// between them is a word for each.
using Set = uint64_t;
constexpr int events_max = 64;

inline bool has(Set set, int event)
{
	return set >> event & 1;
}

struct Relation {
	std::array<Set, events_max> row{};

	void add(int from, int to) { row[from] |= Set{1} << to; }
};

template <class Row> Relation by_row(Row row)
{
	Relation result;
	for (int i = 0; i < events_max; ++i)
		result.row[i] = row(i);
	return result;
}

inline Relation operator|(const Relation &a, const Relation &b)
{
	return by_row([&](int i) { return a.row[i] | b.row[i]; });
}

inline Relation operator&(const Relation &a, const Relation &b)
{
	return by_row([&](int i) { return a.row[i] & b.row[i]; });
}

inline Relation operator-(const Relation &a, const Relation &b)
{
	return by_row([&](int i) { return a.row[i] & ~b.row[i]; });
}

// The composition that the papers write a;b.
inline Relation operator*(const Relation &a, const Relation &b)
{
	return by_row([&](int i) {
		Set reached = 0;
		for (Set left = a.row[i]; left; left &= left - 1)
			reached |= b.row[std::countr_zero(left)];
		return reached;
	});
}

// The papers' [set].
inline Relation only(Set set)
{
	return by_row([&](int i) { return set & Set{1} << i; });
}

inline Relation maybe(const Relation &a)
{
	return a | only(~Set{0});
}

inline Relation plus(Relation a)
{
	for (int k = 0; k < events_max; ++k)
		for (int i = 0; a.row[k] && i < events_max; ++i)
			a.row[i] |= has(a.row[i], k) ? a.row[k] : 0;
	return a;
}

inline Relation star(const Relation &a)
{
	return maybe(plus(a));
}

inline bool irreflexive(const Relation &a)
{
	for (int i = 0; i < events_max; ++i)
		if (has(a.row[i], i))
			return false;
	return true;
}

inline bool acyclic(const Relation &a)
{
	return irreflexive(plus(a));
}

// Signatures. In a blocked execution a thread that waits for ever shows nothing
// for the wait, nor after it.
struct Executions {
	std::set<std::string> complete, blocked;
};

// All consistent executions of @program under @model ("sc", "tso", "rc11",
// "lkmm"), found by trying every combination of values, sources and coherence
// orders against the axioms. Slow and simple on purpose.
Executions all_executions(const LittleProgram &program, const std::string &model);

} // namespace wakerace
