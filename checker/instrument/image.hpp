// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory that the threads of a program share. While no access is under way
// every cell holds a poison, so that an access which escapes instrumentation
// reads nonsense or is seen to have overwritten it; what the cells are worth is
// kept beside the memory.
#pragma once

#include "checker/program/module.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wakerace {

class Image {
public:
	// The image as the module's @program sets it up.
	Image(const Module &module, const wr_program &program, uint8_t poison);

	// As it was after the set-up, with all cells poisoned.
	void restore();
	// The private state of @thread alone.
	void restore_private(unsigned thread);
	// As it is now, without poison.
	void reveal();

	uint64_t newest(int cell) const { return newest_[cell]; }
	void set_newest(int cell, uint64_t value) { newest_[cell] = value; }
	const std::vector<uint64_t> &initial() const { return initial_; }

	// The memory itself, for the access under way.
	uint64_t peek(int cell) const;
	void poke(int cell, uint64_t value);
	void poison(int cell);
	// A cell that was written by an access that nobody announced, or -1.
	int overwritten() const;

	// Where an access of @thread goes: a cell, or -1 for what is not explored
	// (stack, host memory, constants, the thread's own state). @error is one
	// sentence if the access must not be.
	struct Target {
		int cell = -1;
		std::string error;
	};
	Target find(const volatile void *address, unsigned width, bool writes,
		    unsigned thread) const;

private:
	const Module &module_;
	uint8_t poison_;
	std::vector<uint8_t> set_up_;   // the bytes after the set-up
	std::vector<uint64_t> initial_; // by cell
	std::vector<uint64_t> newest_;  // by cell
	// By thread: where in the image its private bytes are, and how many in a row.
	std::vector<std::vector<std::pair<size_t, size_t>>> private_;

	void find_private();

	Target find_cell(uint64_t offset, unsigned width, int cell) const;
};

} // namespace wakerace
