// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/worker/describe.hpp"

#include <string_view>

namespace wakerace {

namespace {

boost::json::object describe(const wr_module &module, const wr_program &program)
{
	boost::json::array expectations;
	for (unsigned i = 0; i < program.expectation_count; ++i) {
		const wr_expectation &row = program.expectations[i];
		boost::json::object told = {{"kernels", row.kernels},
					    {"models", row.models},
					    {"types", row.types},
					    {"source", row.source}};
		if (row.weaken)
			told["weaken"] = row.weaken;
		expectations.push_back(std::move(told));
	}
	boost::json::array marks;
	for (unsigned i = 0; i < module.mark_count; ++i)
		if (std::string_view(module.marks[i].file) == program.file)
			marks.push_back(module.marks[i].text);
	return {{"name", program.name},     {"summary", program.summary},
		{"file", program.file},     {"threads", program.threads},
		{"places", program.places}, {"large", program.large},
		{"steps", program.steps},   {"expectations", std::move(expectations)},
		{"marks", std::move(marks)}};
}

} // namespace

boost::json::object describe(const Module &module)
{
	const wr_module &m = module.description();
	boost::json::array scenarios;
	for (unsigned i = 0; i < m.program_count; ++i)
		scenarios.push_back(describe(m, *m.programs[i]));
	boost::json::array sites;
	for (unsigned i = 0; i < m.site_count; ++i)
		sites.push_back({{"name", module.site_names()[i]},
				 {"primitive", m.sites[i].primitive},
				 {"file", m.sites[i].file},
				 {"line", m.sites[i].line}});
	return {{"kernel", m.kernel},
		{"scenarios", std::move(scenarios)},
		{"sites", std::move(sites)}};
}

} // namespace wakerace
