// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a module holds, as its worker describes it.
#pragma once

#include "reports/verdict.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace wakerace {

struct ExpectationRow {
	std::vector<std::string> kernels; // names, or patterns such as "*" and "v5.*"
	std::vector<std::string> models;
	std::set<std::string> weaken; // sites
	Expectation expectation;

	bool names_kernel(const std::string &kernel) const;
	bool names_model(const std::string &model) const;
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

	// The first row that names the pair and is for exactly the weakened sites.
	std::optional<Expectation> expected(const std::string &kernel, const std::string &model,
					    const std::set<std::string> &weaken) const;
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

	bool has_site(const std::string &name) const;
	// The sites that rows for this kernel weaken and that it does not have, each
	// behind its scenario's name. No run can ask for such a row.
	std::vector<std::string> unknown_sites() const;
};

// Asks the worker. Throws BadInput when the module cannot be described.
ModuleInfo describe_module(const std::filesystem::path &worker,
			   const std::filesystem::path &module);

} // namespace wakerace
