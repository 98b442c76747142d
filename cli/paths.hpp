// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where things are: the tree, the worker, what is built and what is written.
#pragma once

#include "cli/kernels.hpp"

#include <filesystem>
#include <string>

namespace wakerace {

struct Paths {
	std::filesystem::path root; // holds model/ and scenarios/; WAKERACE_ROOT
	// The workers of the engines; WAKERACE_WORKER, WAKERACE_GRAPH_WORKER.
	std::filesystem::path relacy_worker;
	std::filesystem::path graph_worker;
	std::filesystem::path cache;   // of modules; WAKERACE_CACHE
	std::filesystem::path traces;  // the default directory of traces
	std::filesystem::path modules; // KERNEL.so built by hand; WAKERACE_MODULES, for tests

	const std::filesystem::path &worker(const std::string &engine) const
	{
		return engine == "graph" ? graph_worker : relacy_worker;
	}
};

// Throws BadInput when the tree cannot be found.
Paths find_paths();

// A ready module of @kernel: its path and its hash.
KernelModule ready_module(const Paths &paths, const std::string &kernel, unsigned jobs);
// The hash that ready_module would give, without building.
std::string ready_hash(const Paths &paths, const std::string &kernel);

// @path as the user would type it from the current directory.
std::string typed_path(const std::filesystem::path &path);

} // namespace wakerace
