// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compiles a source tree into one shared object, with a cache of object files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/tree.hpp"

namespace wakerace {

// How modules are compiled: model/module.flags and the compiler behind it.
struct Toolchain {
	std::string compiler;
	std::string version; // tells one build of the compiler from another
	std::vector<std::string> compile_flags;
	std::vector<std::string> link_flags;

	std::string identity() const; // all of the above in one string, for hashes
};

// @flags is the text of model/module.flags.
Toolchain read_toolchain(const std::string &compiler, const std::string &flags);

struct CompileRequest {
	Toolchain toolchain;
	std::filesystem::path top;     // where @tree has been written
	Tree tree;                     // after the patches
	std::filesystem::path objects; // the cache of object files
	std::string kernel;            // the value of WR_KERNEL
	std::vector<Patch> patches;    // for messages
	unsigned jobs;
};

struct Compiled {
	std::vector<std::filesystem::path> objects;
	unsigned compiled = 0;
	std::string warnings;
};

// Compiles every .cpp of model/ and scenarios/ that the cache does not have.
Compiled compile_tree(const CompileRequest &request);

// Links @objects into @target and checks that nothing is left undefined but
// what an engine or the C library provides.
void link_module(const CompileRequest &request, const std::vector<std::filesystem::path> &objects,
		 const std::filesystem::path &target);

} // namespace wakerace
