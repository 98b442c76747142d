// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/rows.hpp"

#include "checker/result/json.hpp"
#include "cli/suggest.hpp"
#include "cli/types.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fnmatch.h>

namespace wakerace {

namespace {

const std::vector<std::string> models = {"sc", "c11", "tso", "rc11", "lkmm"};

void check_patterns(const ScenarioInfo &scenario, const char *what,
		    const std::vector<std::string> &patterns, const std::vector<std::string> &known)
{
	for (const std::string &pattern : patterns)
		if (std::none_of(known.begin(), known.end(), [&](const std::string &name) {
			    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
		    }))
			throw BadInput(fmt::format("{}: what {} expects names the {} '{}', which "
						   "there is not; the nearest are {}",
						   scenario.file, scenario.name, what, pattern,
						   nearest(pattern, known)));
}

std::vector<std::string> type_names()
{
	std::vector<std::string> names;
	for (const ViolationType &type : violation_types())
		names.push_back(type.name);
	return names;
}

} // namespace

void check_rows(const ModuleInfo &module, const std::vector<std::string> &kernels)
{
	for (const ScenarioInfo &scenario : module.scenarios)
		for (const ExpectationRow &row : scenario.expectations) {
			check_patterns(scenario, "kernel", row.kernels, kernels);
			check_patterns(scenario, "model", row.models, models);
			for (const std::string &type : row.expectation.types)
				check_patterns(scenario, "type", {type}, type_names());
		}
	if (const auto unknown = module.unknown_sites(); !unknown.empty())
		throw BadInput(fmt::format("what is expected without an ordering names a site that "
					   "kernel {} does not have: {}",
					   module.kernel, unknown.front()));
}

} // namespace wakerace
