// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explores all consistent execution graphs of a program, each one exactly once
// and without remembering any: TruSt (Kokologiannakis, Marmanis, Gladstein,
// Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL
// 2022). Events are added one by one. A read takes each write that is there; a
// write that comes later goes back to the reads that could have seen it, if what
// has to be removed for that is what would be built again by itself.
//
// A wait is a read whose thread goes on only with a value that it accepts. It is
// added when nothing else is left to do, with each value that it accepts; and,
// if the newest is none of them, also with that, as one that has missed its
// moment and waits on.
#pragma once

#include "checker/graph/memory.hpp"

#include <memory>
#include <vector>

namespace wakerace {

// The program as the explorer sees it: threads that follow a graph and say what
// they do next, which depends on the values in their nodes alone.
class Threads {
public:
	virtual ~Threads() = default;

	// Another graph is to be followed.
	virtual void become(const Graph &graph) = 0;
	// The nodes of @thread from @length on are no longer what they were.
	virtual void cut(unsigned thread, int length) = 0;
	// What @thread does after its nodes in the graph; an end if it is over. Not
	// asked of a thread whose last node refuses its value.
	virtual const Label &next(unsigned thread) = 0;
	// Whether a thread has met something after which nothing must follow.
	virtual bool stopped() const { return false; }
};

class Explorer {
public:
	Explorer(Threads &threads, Memory &memory, unsigned count,
		 const std::vector<uint64_t> &initial);

	// Goes on to the next graph to which nothing is to be added. False if there
	// is none.
	bool advance();
	// That graph, valid until the next call of advance().
	const Graph &graph() const { return frames_[depth_]->graph; }
	// Whether a thread waits at a value that is not the newest, so that this is
	// no state in which the program can end.
	bool premature() const;

private:
	struct Source {
		int cell;
		int write;
		unsigned term;
	};
	// A node, and how else it could be.
	struct Branch {
		int node;
		unsigned thread;
		Label label;
		bool half = false;           // the write of a read-modify-write
		std::vector<Source> sources; // to read from, or to write after; last one first
		unsigned choices = 0;        // alternatives that are left, of a choice
		std::vector<int> revisits;   // reads that the write goes back to; last one first
		// The read that sees the write, if that stays, at other places.
		int revisited = Node::none;
	};
	// A graph that was made by a revisit, or the first one, and its branches.
	struct Frame {
		Frame(unsigned threads, const std::vector<uint64_t> &initial, unsigned width)
		    : graph(threads, initial, width)
		{
		}
		Graph graph;
		std::vector<Branch> branches;
	};
	enum class Step { grown, stuck, over };

	Threads &threads_;
	Memory &memory_;
	unsigned count_;
	std::vector<uint64_t> initial_;
	std::vector<std::unique_ptr<Frame>> frames_;
	size_t depth_ = 0;
	bool followed_ = false; // the threads follow the graph of this frame
	bool started_ = false;

	Graph &growing() { return frames_[depth_]->graph; }
	std::vector<Branch> &branches() { return frames_[depth_]->branches; }
	void push_frame();

	Step extend();
	bool backtrack();
	Step add(unsigned thread, const Label &label, bool half);
	bool try_next();
	bool try_source(const Branch &branch, const Source &source);
	bool try_move(const Branch &branch, const Source &source);
	bool revisit(int read);
	void cut_to(int size);

	void find_sources(Branch &branch) const;
	void find_values(Branch &branch) const;
	void find_places(Branch &branch) const;
	void find_revisits(Branch &branch) const;
	bool has_source(const Label &label) const;
	std::vector<uint16_t> prefix_before(const Graph &graph, unsigned thread) const;
	bool maximal(int node, const std::vector<uint16_t> &prefix) const;
	bool maximal_wait(int node, const std::vector<uint16_t> &prefix) const;
	bool newest(int cell, int write, int node, const std::vector<uint16_t> &prefix) const;
};

} // namespace wakerace
