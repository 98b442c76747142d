// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/mirrors.hpp"
#include "cli/output.hpp"
#include "cli/select.hpp"
#include "cli/types.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace json = boost::json;

namespace wakerace {

namespace {

json::object line_of(const char *kind, const std::string &name)
{
	return {{"schema", json_schema}, {"kind", kind}, {"name", name}};
}

json::array array_of(const std::vector<std::string> &words)
{
	return json::array(words.begin(), words.end());
}

ModuleInfo chosen_module(const Paths &paths, const ListOptions &options)
{
	const std::string kernel = options.kernel.empty()
					   ? head_kernel(paths.root)
					   : find_kernel(paths.root, options.kernel).name;
	const KernelModule module = ready_module_noted(paths, kernel);
	return describe_module(paths.worker("relacy"), module.path);
}

// The width of a column that holds every name.
template <typename Things> size_t width_of(const Things &things)
{
	size_t width = 0;
	for (const auto &thing : things)
		width = std::max(width, thing.name.size());
	return width;
}

std::string types_text(const std::set<std::string> &types)
{
	return types.empty() ? "no violation" : fmt::format("{}", fmt::join(types, ", "));
}

std::string expectation_text(const ExpectationRow &row)
{
	std::string weakened;
	if (!row.weaken.empty())
		weakened = fmt::format(", weakened {}", fmt::join(row.weaken, " "));
	return fmt::format("    {} under {}{}: {} ({})\n", fmt::join(row.kernels, " "),
			   fmt::join(row.models, " "), weakened, types_text(row.expectation.types),
			   row.expectation.source);
}

json::array expectations_json(const ScenarioInfo &scenario)
{
	json::array rows;
	for (const ExpectationRow &row : scenario.expectations) {
		const auto &types = row.expectation.types;
		rows.push_back(
			json::object{{"kernels", array_of(row.kernels)},
				     {"models", array_of(row.models)},
				     {"weaken", json::array(row.weaken.begin(), row.weaken.end())},
				     {"types", json::array(types.begin(), types.end())},
				     {"source", row.expectation.source}});
	}
	return rows;
}

void list_scenarios(const Paths &paths, const ListOptions &options, Output &output)
{
	const std::vector<ScenarioInfo> scenarios = chosen_module(paths, options).scenarios;
	const size_t width = width_of(scenarios);
	for (const ScenarioInfo &scenario : scenarios) {
		json::object line = line_of("scenario", scenario.name);
		line["summary"] = scenario.summary;
		line["file"] = scenario.file;
		line["threads"] = scenario.threads;
		line["places"] = scenario.places;
		line["large"] = scenario.large;
		line["irq"] = scenario.steps ? "steps" : "every-access";
		line["expectations"] = expectations_json(scenario);
		output.line(line);
		output.text(fmt::format("{:<{}}  {}{}\n", scenario.name, width, scenario.summary,
					scenario.large ? " (large)" : ""));
		if (!options.verbose)
			continue;
		output.text(fmt::format("    {}: {} CPUs in {} threads, irq {}\n", scenario.file,
					scenario.places, scenario.threads,
					scenario.steps ? "steps" : "every-access"));
		for (const ExpectationRow &row : scenario.expectations)
			output.text(expectation_text(row));
	}
}

json::array mirrors_json(const std::vector<Mirror> &mirrors)
{
	json::array array;
	for (const Mirror &mirror : mirrors)
		array.push_back(json::object{{"function", mirror.function},
					     {"file", mirror.file},
					     {"line", mirror.line},
					     {"says", mirror.comment}});
	return array;
}

std::string mirrors_text(const std::vector<Mirror> &mirrors)
{
	std::string text;
	for (const Mirror &mirror : mirrors)
		text += fmt::format("    {}:{}: {}\n", mirror.file, mirror.line, mirror.comment);
	return text;
}

void list_kernels_command(const Paths &paths, const ListOptions &options, Output &output)
{
	const std::vector<KernelInfo> kernels = list_kernels(paths.root);
	const size_t width = width_of(kernels);
	const bool details = options.verbose || !options.json.empty();
	const Tree head = details ? read_tree(paths.root) : Tree();
	for (const KernelInfo &kernel : kernels) {
		std::vector<Mirror> changed;
		std::vector<std::string> missing;
		if (details && !kernel.is_head()) {
			const Tree tree = kernel_tree(paths.root, paths.cache, kernel.name);
			changed = changed_mirrors(head, tree);
			missing = missing_functions(head, tree);
		}
		json::object line = line_of("kernel", kernel.name);
		line["title"] = kernel.title;
		line["head"] = kernel.is_head();
		line["patches"] = array_of(kernel.patches);
		line["functions"] = mirrors_json(kernel.is_head() ? mirrors_of(head) : changed);
		line["without"] = array_of(missing);
		output.line(line);
		output.text(fmt::format("{:<{}}  {}{}\n", kernel.name, width, kernel.title,
					kernel.is_head() ? " (head)" : ""));
		if (!options.verbose)
			continue;
		for (const std::string &patch : kernel.patches)
			output.text(fmt::format("    model/patches/{}\n", patch));
		output.text(mirrors_text(changed));
		if (!missing.empty())
			output.text(fmt::format("    without {}\n", fmt::join(missing, ", ")));
	}
	if (options.verbose)
		output.text("the functions of the head; the others have them too, but for what is "
			    "said above:\n" +
			    mirrors_text(mirrors_of(head)));
}

struct Engine {
	const char *name;
	bool built;
	std::vector<std::string> models;
	const char *says;
};

void list_engines(Output &output)
{
	const std::vector<Engine> engines = {
		{"relacy",
		 true,
		 {"sc", "c11"},
		 "Relacy's memory layer; searches dpor, full, bounded, random"},
		{"graph",
		 true,
		 {"sc", "tso", "rc11", "lkmm"},
		 "execution graphs, each one once; search dpor"},
	};
	for (const Engine &engine : engines) {
		json::object line = line_of("engine", engine.name);
		line["built"] = engine.built;
		line["models"] = array_of(engine.models);
		line["summary"] = engine.says;
		output.line(line);
		output.text(fmt::format("{:<8} models {:<20} {}{}\n", engine.name,
					fmt::format("{}", fmt::join(engine.models, ", ")),
					engine.says, engine.built ? "" : " (not built yet)"));
	}
}

void list_types(Output &output)
{
	for (const ViolationType &type : violation_types()) {
		json::object line = line_of("type", type.name);
		line["built"] = type.built;
		line["says"] = type.says;
		output.line(line);
		output.text(fmt::format("{:<20} {}{}\n", type.name, type.says,
					type.built ? "" : " (not built yet)"));
	}
}

void list_sites(const Paths &paths, const ListOptions &options, Output &output)
{
	const std::vector<SiteInfo> sites = chosen_module(paths, options).sites;
	const size_t width = width_of(sites);
	for (const SiteInfo &site : sites) {
		json::object line = line_of("site", site.name);
		line["file"] = site.file;
		line["line"] = site.line;
		line["function"] = site.function();
		line["primitive"] = site.primitive();
		output.line(line);
		output.text(fmt::format("{:<{}}  {}:{}  {}\n", site.name, width, site.file,
					site.line, site.primitive()));
	}
}

} // namespace

int list_command(const Paths &paths, const ListOptions &options)
{
	Output output(options.json);
	if (options.what == "scenarios")
		list_scenarios(paths, options, output);
	else if (options.what == "kernels")
		list_kernels_command(paths, options, output);
	else if (options.what == "engines")
		list_engines(output);
	else if (options.what == "types")
		list_types(output);
	else
		list_sites(paths, options, output);
	return 0;
}

} // namespace wakerace
