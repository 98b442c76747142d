// SPDX-License-Identifier: GPL-2.0-or-later
//
// From the words of the command line to the list of what will be explored.
#pragma once

#include "cli/describe.hpp"
#include "cli/kernels.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"

#include <map>
#include <string>
#include <vector>

namespace wakerace {

struct Target {
	KernelModule module;
	ModuleInfo info;
};

// One exploration, and what is expected of it.
struct Job {
	Request request;
	std::string kernel;
	std::string module_hash;
	std::optional<Expectation> expectation;
};

struct Selection {
	std::vector<Job> jobs; // by scenario, kernel, model
	uint64_t not_applicable = 0;
};

// The kernels that @names mean, in the order of list_kernels; none: the head
// and v6.1. Throws BadInput for an unknown one.
std::vector<std::string> choose_kernels(const std::filesystem::path &root,
					const std::vector<std::string> &names);

std::string head_kernel(const std::filesystem::path &root);

// Throws BadInput for a site that a module does not have. The selection may
// be empty; why_empty then says what to do.
Selection select_jobs(const std::vector<Target> &targets, const RunOptions &options);

std::string why_empty(const std::vector<Target> &targets, const RunOptions &options);

} // namespace wakerace
