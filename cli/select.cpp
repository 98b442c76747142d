// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/select.hpp"

#include "checker/result/json.hpp"
#include "cli/suggest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

namespace wakerace {

namespace {

const std::vector<std::string> all_models = {"sc", "c11", "tso", "rc11", "lkmm"};

struct Engine {
	std::string name;
	std::vector<std::string> models;
	std::vector<std::string> searches;
};
const std::vector<Engine> all_engines = {
	{"relacy", {"sc", "c11"}, {"dpor", "full", "bounded", "random"}},
	{"graph", {"sc", "tso", "rc11", "lkmm"}, {"dpor"}},
};

bool contains(const std::vector<std::string> &names, const std::string &name)
{
	return std::find(names.begin(), names.end(), name) != names.end();
}

bool matches(const std::string &name, const std::vector<std::string> &globs)
{
	return globs.empty() ||
	       std::any_of(globs.begin(), globs.end(), [&](const std::string &glob) {
		       return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
	       });
}

std::vector<Engine> choose_engines(const std::vector<std::string> &names)
{
	std::vector<Engine> chosen;
	for (const Engine &engine : all_engines)
		if (contains(names, "all") || contains(names, engine.name) ||
		    (names.empty() && engine.name == "relacy"))
			chosen.push_back(engine);
	return chosen;
}

// In the order of all_models, each once. By default those that the engine has.
std::vector<std::string> choose_models(const std::vector<std::string> &names, const Engine &engine)
{
	if (names.empty())
		return engine.models;
	if (contains(names, "all"))
		return all_models;
	std::vector<std::string> chosen;
	for (const std::string &model : all_models)
		if (contains(names, model))
			chosen.push_back(model);
	return chosen;
}

void check_sites(const Target &target, const std::vector<std::string> &weaken)
{
	std::vector<std::string> known;
	for (const SiteInfo &site : target.info.sites)
		known.push_back(site.name);
	for (const std::string &site : weaken)
		if (!target.info.has_site(site))
			throw BadInput(fmt::format("kernel {} has no site '{}'; the nearest are {} "
						   "(`wakerace list sites` shows all)",
						   target.info.kernel, site, nearest(site, known)));
}

Request make_request(const Target &target, const ScenarioInfo &scenario, const Engine &engine,
		     const std::string &model, const RunOptions &options)
{
	Request request;
	request.engine = engine.name;
	request.module = target.module.path;
	request.scenario = scenario.name;
	request.model = model;
	request.search = options.search;
	request.irq = options.irq.value_or(scenario.steps ? "steps" : "every-access");
	request.weaken = options.weaken;
	request.seed = options.seed;
	request.context_bound = options.context_bound;
	request.max_executions = options.max_executions;
	request.time_limit_s = options.time_limit_s;
	request.memory_limit_mb = options.memory_limit_mb;
	return request;
}

// Every scenario of every target, each once, in the modules' own order.
std::vector<std::string> scenario_names(const std::vector<Target> &targets)
{
	std::vector<std::string> names;
	for (const Target &target : targets)
		for (const ScenarioInfo &scenario : target.info.scenarios)
			if (!contains(names, scenario.name))
				names.push_back(scenario.name);
	return names;
}

// A pair of engine and model, or of engine and search, that is none is counted.
void select(Selection &selection, const Target &target, const ScenarioInfo &scenario,
	    const Engine &engine, const RunOptions &options)
{
	const std::set<std::string> weaken(options.weaken.begin(), options.weaken.end());
	for (const std::string &model : choose_models(options.models, engine)) {
		if (!contains(engine.models, model) || !contains(engine.searches, options.search)) {
			selection.not_applicable++;
			continue;
		}
		selection.jobs.push_back({make_request(target, scenario, engine, model, options),
					  target.info.kernel, target.module.hash,
					  scenario.expected(target.info.kernel, model, weaken)});
	}
}

} // namespace

std::string head_kernel(const std::filesystem::path &root)
{
	for (const KernelInfo &kernel : list_kernels(root))
		if (kernel.is_head())
			return kernel.name;
	throw BadInput("model/patches has no series without patches, so there is no head kernel");
}

std::vector<std::string> choose_kernels(const std::filesystem::path &root,
					const std::vector<std::string> &names)
{
	std::vector<std::string> wanted = names;
	if (wanted.empty())
		wanted = {"v6.1", head_kernel(root)};
	std::vector<std::string> chosen;
	for (const std::string &name : wanted)
		if (name != "all")
			find_kernel(root, name);
	for (const KernelInfo &kernel : list_kernels(root))
		if (contains(wanted, "all") || contains(wanted, kernel.name))
			chosen.push_back(kernel.name);
	return chosen;
}

Selection select_jobs(const std::vector<Target> &targets, const RunOptions &options)
{
	Selection selection;
	for (const Target &target : targets)
		check_sites(target, options.weaken);
	const std::vector<Engine> engines = choose_engines(options.engines);
	for (const std::string &name : scenario_names(targets)) {
		if (!matches(name, options.globs))
			continue;
		for (const Target &target : targets)
			for (const ScenarioInfo &scenario : target.info.scenarios) {
				if (scenario.name != name || (scenario.large && !options.large))
					continue;
				for (const Engine &engine : engines)
					select(selection, target, scenario, engine, options);
			}
	}
	return selection;
}

std::string why_empty(const std::vector<Target> &targets, const RunOptions &options)
{
	const std::vector<std::string> names = scenario_names(targets);
	for (const std::string &name : names)
		if (matches(name, options.globs))
			return fmt::format("nothing to run: {} is large, add --large", name);
	return fmt::format("nothing to run: no scenario matches {}; there are {}",
			   fmt::join(options.globs, " "), fmt::join(names, ", "));
}

} // namespace wakerace
