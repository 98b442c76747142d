// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/describe.hpp"

#include "checker/result/json.hpp"
#include "cli/process.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fnmatch.h>
#include <sstream>

namespace wakerace {

namespace json = boost::json;

namespace {

std::vector<std::string> words_of(const json::value &value)
{
	std::istringstream stream(json::value_to<std::string>(value));
	std::vector<std::string> words;
	for (std::string word; stream >> word;)
		words.push_back(word);
	return words;
}

std::string text_of(const json::value &value)
{
	return json::value_to<std::string>(value);
}

ExpectationRow read_row(const json::object &in)
{
	ExpectationRow row;
	row.kernels = words_of(in.at("kernels"));
	row.models = words_of(in.at("models"));
	const std::vector<std::string> types = words_of(in.at("types"));
	row.expectation.types = {types.begin(), types.end()};
	row.expectation.source = text_of(in.at("source"));
	if (const json::value *weaken = in.if_contains("weaken")) {
		const std::vector<std::string> sites = words_of(*weaken);
		row.weaken = {sites.begin(), sites.end()};
	}
	return row;
}

ScenarioInfo read_scenario(const json::object &in)
{
	ScenarioInfo scenario;
	scenario.name = text_of(in.at("name"));
	scenario.summary = text_of(in.at("summary"));
	scenario.file = text_of(in.at("file"));
	scenario.threads = in.at("threads").to_number<unsigned>();
	scenario.places = in.at("places").to_number<unsigned>();
	scenario.large = in.at("large").as_bool();
	scenario.steps = in.at("steps").as_bool();
	for (const json::value &row : in.at("expectations").as_array())
		scenario.expectations.push_back(read_row(row.as_object()));
	return scenario;
}

ModuleInfo read_module(const json::object &in)
{
	ModuleInfo info;
	info.kernel = text_of(in.at("kernel"));
	for (const json::value &scenario : in.at("scenarios").as_array())
		info.scenarios.push_back(read_scenario(scenario.as_object()));
	for (const json::value &site : in.at("sites").as_array()) {
		const json::object &object = site.as_object();
		info.sites.push_back({text_of(object.at("name")), text_of(object.at("file")),
				      object.at("line").to_number<unsigned>()});
	}
	return info;
}

bool names(const std::vector<std::string> &words, const std::string &name)
{
	return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
		return fnmatch(word.c_str(), name.c_str(), 0) == 0;
	});
}

std::string first_line(const std::string &text)
{
	return text.substr(0, text.find('\n'));
}

} // namespace

bool ExpectationRow::names_kernel(const std::string &kernel) const
{
	return names(kernels, kernel);
}

bool ExpectationRow::names_model(const std::string &model) const
{
	return names(models, model);
}

std::optional<Expectation> ScenarioInfo::expected(const std::string &kernel,
						  const std::string &model,
						  const std::set<std::string> &weaken) const
{
	for (const ExpectationRow &row : expectations)
		if (row.names_kernel(kernel) && row.names_model(model) && row.weaken == weaken)
			return row.expectation;
	return std::nullopt;
}

std::vector<std::string> ModuleInfo::unknown_sites() const
{
	std::vector<std::string> unknown;
	for (const ScenarioInfo &scenario : scenarios)
		for (const ExpectationRow &row : scenario.expectations)
			for (const std::string &name : row.weaken)
				if (row.names_kernel(kernel) && !has_site(name))
					unknown.push_back(
						fmt::format("{}: {}", scenario.name, name));
	return unknown;
}

bool ModuleInfo::has_site(const std::string &name) const
{
	return std::any_of(sites.begin(), sites.end(),
			   [&](const SiteInfo &site) { return site.name == name; });
}

std::string SiteInfo::function() const
{
	return name.substr(0, name.find(':'));
}

std::string SiteInfo::primitive() const
{
	const size_t colon = name.find(':');
	return colon == std::string::npos ? "" : name.substr(colon + 1, name.find('#') - colon - 1);
}

ModuleInfo describe_module(const std::filesystem::path &worker, const std::filesystem::path &module)
{
	const Finished told = run({{worker.string(), "--describe", module.string()}, {}, {}});
	if (told.signal)
		throw std::runtime_error(fmt::format("{} --describe {} died of signal {}",
						     worker.string(), module.string(),
						     told.signal));
	if (!told.ok())
		throw BadInput(fmt::format("the module {} cannot be described: {}", module.string(),
					   first_line(told.output)));
	try {
		return read_module(json::parse(told.output).as_object());
	} catch (const std::exception &problem) {
		throw std::runtime_error(fmt::format("the worker described {} in words that are "
						     "not understood: {}",
						     module.string(), problem.what()));
	}
}

} // namespace wakerace
