// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the model's functions stand for, from the comments above them.
#pragma once

#include "cli/tree.hpp"

#include <string>
#include <vector>

namespace wakerace {

// A comment that says "Mirrors FILE:FUNCTION, VERSION", and what it heads.
struct Mirror {
	std::string file;
	unsigned line = 0;    // of the comment's word "Mirrors"
	std::string comment;  // from that word to its end, in one line
	std::string function; // the kernel function
	std::string body;     // the code below the comment
};

std::vector<Mirror> mirrors_of(const Tree &tree);

// Those of @tree that @head has not, or has with another comment or body.
std::vector<Mirror> changed_mirrors(const Tree &head, const Tree &tree);

// The kernel functions of @head that @tree has not.
std::vector<std::string> missing_functions(const Tree &head, const Tree &tree);

} // namespace wakerace
