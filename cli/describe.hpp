// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a module holds, as its worker describes it.
#pragma once

#include "reports/verdict.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace wakerace {

struct ExpectationRow {
	std::vector<std::string> kernels; // names, or "*"
	std::vector<std::string> models;
	Expectation expectation;
};

struct ScenarioInfo {
	std::string name;
	std::string summary;
	std::string file;
	unsigned threads = 0;
	unsigned places = 0;
	bool large = false;
	bool steps = false;
	std::vector<ExpectationRow> expectations;

	// The first row that names the pair.
	std::optional<Expectation> expected(const std::string &kernel,
					    const std::string &model) const;
};

struct SiteInfo {
	std::string name; // function:primitive
	std::string file;
	unsigned line = 0;

	std::string function() const;
	std::string primitive() const;
};

struct ModuleInfo {
	std::string kernel;
	std::vector<ScenarioInfo> scenarios;
	std::vector<SiteInfo> sites;
};

// Asks the worker. Throws BadInput when the module cannot be described.
ModuleInfo describe_module(const std::filesystem::path &worker,
			   const std::filesystem::path &module);

} // namespace wakerace
