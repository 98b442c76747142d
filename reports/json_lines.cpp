// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"
#include "reports/lines.hpp"

namespace wakerace {

namespace json = boost::json;

namespace {

// Stories are long and live in trace files; the line only points at them.
json::array story_heads(const Verdict &verdict)
{
	json::array heads;
	for (size_t i = 0; i < verdict.result.stories.size(); i++) {
		const Story &story = verdict.result.stories[i];
		json::object head = {{"type", story.violation.type},
				     {"text", story.violation.text},
				     {"context_switches", story.context_switches},
				     {"events", story.events.size()}};
		if (i < verdict.traces.size() && !verdict.traces[i].empty())
			head["trace"] = verdict.traces[i];
		heads.push_back(std::move(head));
	}
	return heads;
}

std::string first_trace(const Verdict &verdict)
{
	for (const std::string &trace : verdict.traces)
		if (!trace.empty())
			return trace;
	return "";
}

} // namespace

json::object json_verdict(const Verdict &verdict)
{
	json::object line = {{"schema", json_schema}, {"kind", "result"}};
	for (auto &pair : to_json(verdict.result))
		line[pair.key()] = std::move(pair.value());
	line["stories"] = story_heads(verdict);
	line["as_expected"] = verdict.as_expected;
	// Without an expectation there is no set to compare with: null, not empty.
	line["expect_types"] = nullptr;
	line["expect_source"] = nullptr;
	if (verdict.expectation) {
		const auto &types = verdict.expectation->types;
		line["expect_types"] = json::array(types.begin(), types.end());
		line["expect_source"] = verdict.expectation->source;
	}
	if (const std::string trace = first_trace(verdict); !trace.empty())
		line["trace"] = trace;
	return line;
}

json::object json_summary(const Summary &summary)
{
	json::object verdicts = {{"pass", 0}, {"violation", 0}, {"inconclusive", 0}, {"error", 0}};
	uint64_t total = 0;
	for (const auto &[verdict, count] : summary.verdicts) {
		verdicts[verdict] = count;
		total += count;
	}
	return {{"schema", json_schema},
		{"kind", "summary"},
		{"total", total},
		{"verdicts", std::move(verdicts)},
		{"as_expected", summary.as_expected},
		{"not_as_expected", summary.unexpected},
		{"no_expectation", summary.no_expectation},
		{"not_applicable", summary.not_applicable},
		{"not_run", summary.not_run},
		{"executions", summary.executions},
		{"wall_s", summary.wall_s},
		{"interrupted", summary.interrupted},
		{"exit_code", summary.exit_code}};
}

} // namespace wakerace
