// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/select.hpp"
#include "cli/types.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <set>

namespace fs = std::filesystem;
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

ModuleInfo head_module(const Paths &paths)
{
	const Module module = ready_module_noted(paths, head_kernel(paths.root));
	return describe_module(paths.worker, module.path);
}

std::string types_text(const std::set<std::string> &types)
{
	return types.empty() ? "no violation" : fmt::format("{}", fmt::join(types, ", "));
}

json::array expectations_json(const ScenarioInfo &scenario)
{
	json::array rows;
	for (const ExpectationRow &row : scenario.expectations) {
		const auto &types = row.expectation.types;
		rows.push_back(json::object{{"kernels", array_of(row.kernels)},
					    {"models", array_of(row.models)},
					    {"types", json::array(types.begin(), types.end())},
					    {"source", row.expectation.source}});
	}
	return rows;
}

void list_scenarios(const Paths &paths, const ListOptions &options, Output &output)
{
	for (const ScenarioInfo &scenario : head_module(paths).scenarios) {
		json::object line = line_of("scenario", scenario.name);
		line["summary"] = scenario.summary;
		line["file"] = scenario.file;
		line["threads"] = scenario.threads;
		line["places"] = scenario.places;
		line["large"] = scenario.large;
		line["irq"] = scenario.steps ? "steps" : "every-access";
		line["expectations"] = expectations_json(scenario);
		output.line(line);
		output.text(fmt::format("{:<26} {}{}\n", scenario.name, scenario.summary,
					scenario.large ? " (large)" : ""));
		if (!options.verbose)
			continue;
		output.text(fmt::format("    {}: {} CPUs in {} threads, irq {}\n", scenario.file,
					scenario.places, scenario.threads,
					scenario.steps ? "steps" : "every-access"));
		for (const ExpectationRow &row : scenario.expectations)
			output.text(fmt::format(
				"    {} under {}: {} ({})\n", fmt::join(row.kernels, " "),
				fmt::join(row.models, " "), types_text(row.expectation.types),
				row.expectation.source));
	}
}

// What the model's functions stand for, from the comments above them.
std::vector<std::string> mirrored(const fs::path &root)
{
	std::vector<fs::path> files;
	for (const auto &entry : fs::recursive_directory_iterator(root / "model"))
		if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h" ||
		    entry.path().extension() == ".hpp")
			files.push_back(entry.path());
	std::sort(files.begin(), files.end());
	std::vector<std::string> found;
	for (const fs::path &file : files) {
		std::ifstream stream(file);
		unsigned number = 0;
		for (std::string text; std::getline(stream, text);) {
			number++;
			const size_t at = text.find("Mirrors ");
			if (at != std::string::npos)
				found.push_back(fmt::format("{}:{}: {}",
							    file.lexically_relative(root).string(),
							    number, text.substr(at)));
		}
	}
	return found;
}

void list_kernels_command(const Paths &paths, const ListOptions &options, Output &output)
{
	for (const KernelInfo &kernel : list_kernels(paths.root)) {
		json::object line = line_of("kernel", kernel.name);
		line["title"] = kernel.title;
		line["head"] = kernel.is_head();
		line["patches"] = array_of(kernel.patches);
		output.line(line);
		output.text(fmt::format("{:<31} {}{}\n", kernel.name, kernel.title,
					kernel.is_head() ? " (head)" : ""));
		if (options.verbose)
			for (const std::string &patch : kernel.patches)
				output.text(fmt::format("    model/patches/{}\n", patch));
	}
	if (!options.verbose)
		return;
	output.text("the head's functions stand for:\n");
	for (const std::string &mirror : mirrored(paths.root))
		output.text("    " + mirror + "\n");
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
		{"graph", false, {"sc", "tso", "rc11", "lkmm"}, "execution graphs"},
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

void list_sites(const Paths &paths, Output &output)
{
	for (const SiteInfo &site : head_module(paths).sites) {
		json::object line = line_of("site", site.name);
		line["file"] = site.file;
		line["line"] = site.line;
		line["function"] = site.function();
		line["primitive"] = site.primitive();
		output.line(line);
		output.text(fmt::format("{:<44} {}:{}  {}\n", site.name, site.file, site.line,
					site.primitive()));
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
		list_sites(paths, output);
	return 0;
}

} // namespace wakerace
