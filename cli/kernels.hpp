// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernel variants. A variant NAME is the file model/patches/NAME.series: the
// patches that turn the head of model/ into that kernel. Its module is that
// tree, compiled together with the scenarios into one shared object.
//
// All functions throw BadInput, with what to do, for what a user can get wrong.
#pragma once

#include "cli/tree.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace wakerace {

struct KernelInfo {
	std::string name;
	std::string title;                // the series' "# title:" line
	std::vector<std::string> patches; // names of files in model/patches, in order

	bool is_head() const { return patches.empty(); }
};

// Versions first, from the oldest; then proposals by name.
std::vector<KernelInfo> list_kernels(const std::filesystem::path &root);

KernelInfo find_kernel(const std::filesystem::path &root, const std::string &name);

struct ModuleRequest {
	std::filesystem::path root;  // the directory that holds model/ and scenarios/
	std::filesystem::path cache; // where modules and object files are kept
	std::string kernel;
	std::vector<std::filesystem::path> extra_patches; // the user's own, on top
	std::string compiler = "clang++";
	unsigned jobs = 2; // compilers at a time
};

struct KernelModule {
	std::filesystem::path path; // the shared object
	std::string hash;           // of all that went into it
	std::filesystem::path tree; // the patched source; paths in stories are relative to it
	unsigned compiled = 0;      // files that were compiled, not found in the cache
	std::string warnings;       // what the compiler printed for those
};

// The source of @kernel. @scratch is where it may be written for a moment.
Tree kernel_tree(const std::filesystem::path &root, const std::filesystem::path &scratch,
		 const std::string &kernel);

// The hash of the module that build_module would give: cheap, builds nothing.
std::string module_hash(const ModuleRequest &request);

// Builds the module unless the cache has it. Runs that build the same module
// at the same time do not hurt each other.
KernelModule build_module(const ModuleRequest &request);

} // namespace wakerace
