// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/json.hpp"

#include <fmt/format.h>
#include <limits>

namespace wakerace {

namespace json = boost::json;

namespace {

const char *kind_word(json::kind kind)
{
	switch (kind) {
	case json::kind::null:
		return "null";
	case json::kind::bool_:
		return "a boolean";
	case json::kind::int64:
	case json::kind::uint64:
	case json::kind::double_:
		return "a number";
	case json::kind::string:
		return "a string";
	case json::kind::array:
		return "an array";
	case json::kind::object:
		return "an object";
	}
	return "something else";
}

// A value together with its place in the document, so that every complaint
// can say which member it is about.
class Reader {
public:
	Reader(const json::value &value, std::string path) : value_(value), path_(std::move(path))
	{
	}

	bool has(const char *name) const { return object().contains(name); }

	Reader member(const char *name) const
	{
		const json::value *found = object().if_contains(name);
		if (!found)
			throw BadInput(fmt::format("member \"{}\" is missing", joined(name)));
		return {*found, joined(name)};
	}

	std::string string() const
	{
		const json::string *text = value_.if_string();
		if (!text)
			refuse("a string");
		return {text->data(), text->size()};
	}

	bool boolean() const
	{
		const bool *flag = value_.if_bool();
		if (!flag)
			refuse("a boolean");
		return *flag;
	}

	double real() const
	{
		if (!value_.is_number())
			refuse("a number");
		return value_.to_number<double>();
	}

	template <typename Number> Number integer() const
	{
		json::error_code error;
		if (value_.is_double() || !value_.is_number())
			refuse("a whole number");
		Number number = value_.to_number<Number>(error);
		if (error)
			throw BadInput(fmt::format("member \"{}\" is out of range", path_));
		return number;
	}

	// Calls @take with a reader for each element of an array.
	template <typename Take> void each(Take take) const
	{
		const json::array *array = value_.if_array();
		if (!array)
			refuse("an array");
		for (size_t i = 0; i < array->size(); i++)
			take(Reader((*array)[i], fmt::format("{}[{}]", path_, i)));
	}

	std::vector<std::string> strings() const
	{
		std::vector<std::string> list;
		each([&](const Reader &element) { list.push_back(element.string()); });
		return list;
	}

	std::map<std::string, uint64_t> counts() const
	{
		std::map<std::string, uint64_t> map;
		for (const auto &pair : object()) {
			std::string name(pair.key());
			map[name] = Reader(pair.value(), joined(name.c_str())).integer<uint64_t>();
		}
		return map;
	}

	const json::object &object() const
	{
		const json::object *found = value_.if_object();
		if (!found)
			refuse("an object");
		return *found;
	}

private:
	std::string joined(const char *name) const
	{
		return path_.empty() ? name : path_ + "." + name;
	}

	[[noreturn]] void refuse(const char *wanted) const
	{
		throw BadInput(
			fmt::format("{} must be {}, but is {}",
				    path_.empty() ? "the document" : "member \"" + path_ + "\"",
				    wanted, kind_word(value_.kind())));
	}

	const json::value &value_;
	std::string path_;
};

json::array to_array(const std::vector<std::string> &strings)
{
	return json::array(strings.begin(), strings.end());
}

json::object to_object(const std::map<std::string, uint64_t> &counts)
{
	json::object object;
	for (const auto &[name, count] : counts)
		object[name] = count;
	return object;
}

json::object to_json(const Violation &violation)
{
	return {{"type", violation.type},
		{"text", violation.text},
		{"steps", json::array(violation.steps.begin(), violation.steps.end())}};
}

Violation read_violation(const Reader &in)
{
	Violation violation;
	violation.type = in.member("type").string();
	violation.text = in.member("text").string();
	in.member("steps").each(
		[&](const Reader &step) { violation.steps.push_back(step.integer<unsigned>()); });
	return violation;
}

json::object to_json(const StoryEvent &event)
{
	return {{"step", event.step},
		{"thread", event.thread},
		{"kind", event.kind},
		{"order", event.order},
		{"cell", event.cell},
		{"old_value", event.old_value},
		{"value", event.value},
		{"reads_from", event.reads_from},
		{"stale", event.stale},
		{"file", event.source.file},
		{"line", event.source.line},
		{"function", event.source.function},
		{"notes", to_array(event.notes)}};
}

StoryEvent read_event(const Reader &in)
{
	StoryEvent event;
	event.step = in.member("step").integer<unsigned>();
	event.thread = in.member("thread").integer<unsigned>();
	event.kind = in.member("kind").string();
	event.order = in.member("order").string();
	event.cell = in.member("cell").string();
	event.old_value = in.member("old_value").string();
	event.value = in.member("value").string();
	event.reads_from = in.member("reads_from").integer<int>();
	event.stale = in.member("stale").boolean();
	event.source.file = in.member("file").string();
	event.source.line = in.member("line").integer<unsigned>();
	event.source.function = in.member("function").string();
	event.notes = in.member("notes").strings();
	return event;
}

Request read_request(const Reader &in)
{
	Request request;
	// A trace does not say where the module was: it is built again.
	if (in.has("module"))
		request.module = in.member("module").string();
	request.scenario = in.member("scenario").string();
	request.engine = in.member("engine").string();
	request.model = in.member("model").string();
	request.search = in.member("search").string();
	request.irq = in.member("irq").string();
	request.weaken = in.member("weaken").strings();
	request.seed = in.member("seed").integer<uint64_t>();
	request.context_bound = in.member("context_bound").integer<unsigned>();
	request.max_executions = in.member("max_executions").integer<uint64_t>();
	request.time_limit_s = in.member("time_limit_s").real();
	request.memory_limit_mb = in.member("memory_limit_mb").integer<unsigned>();
	request.stories_per_type = in.member("stories_per_type").integer<unsigned>();
	return request;
}

// Renderers index events by step and threads by number, so a story whose
// numbers point nowhere is refused here, once.
void check_references(const Story &story)
{
	const size_t count = story.events.size();
	for (size_t i = 0; i < count; i++) {
		const StoryEvent &event = story.events[i];
		if (event.step != i)
			throw BadInput(fmt::format("event {} calls itself step {}", i, event.step));
		if (event.thread >= story.threads.size())
			throw BadInput(
				fmt::format("event {} belongs to thread {}, which is not named", i,
					    event.thread));
		if (event.reads_from < StoryEvent::nothing ||
		    (event.reads_from >= 0 && size_t(event.reads_from) >= count))
			throw BadInput(
				fmt::format("event {} reads from step {}, which is not there", i,
					    event.reads_from));
	}
	// A story that was not told has steps of its violation, but no events.
	if (!count)
		return;
	for (unsigned step : story.violation.steps)
		if (step >= count)
			throw BadInput(fmt::format(
				"the violation names step {}, which is not there", step));
}

Story read_story(const Reader &in)
{
	Story story;
	story.violation = read_violation(in.member("violation"));
	in.member("also").each(
		[&](const Reader &also) { story.also.push_back(read_violation(also)); });
	in.member("schedule").each([&](const Reader &choice) {
		story.schedule.push_back(choice.integer<int>());
	});
	story.context_switches = in.member("context_switches").integer<unsigned>();
	in.member("events").each(
		[&](const Reader &event) { story.events.push_back(read_event(event)); });
	story.waiting = in.member("waiting").strings();
	story.threads = in.member("threads").strings();
	check_references(story);
	return story;
}

Executions read_executions(const Reader &in)
{
	Executions executions;
	executions.complete = in.member("complete").integer<uint64_t>();
	executions.blocked = in.member("blocked").integer<uint64_t>();
	executions.truncated = in.member("truncated").integer<uint64_t>();
	if (in.has("redundant"))
		executions.redundant = in.member("redundant").integer<uint64_t>();
	return executions;
}

// FNV-1a: enough to notice that a file was edited or damaged by accident.
std::string checksum(const json::object &content)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (unsigned char byte : json::serialize(content))
		hash = (hash ^ byte) * 0x100000001b3;
	return fmt::format("{:016x}", hash);
}

Trace read_trace(const json::value &value)
{
	const Reader in(value, "");
	const int version = in.member("version").integer<int>();
	if (version != Trace::version)
		throw BadInput(fmt::format("it has version {}, and this wakerace reads version {}",
					   version, int(Trace::version)));
	json::object content = in.object();
	const std::string recorded = in.member("checksum").string();
	content.erase("checksum");
	if (checksum(content) != recorded)
		throw BadInput("it was changed after it was written (its checksum differs)");

	Trace trace;
	trace.kernel = in.member("kernel").string();
	trace.module_hash = in.member("module_hash").string();
	trace.request = read_request(in.member("request"));
	trace.story = read_story(in.member("story"));
	return trace;
}

} // namespace

double Result::executions_per_s() const
{
	const uint64_t all = executions.complete + executions.blocked + executions.truncated;
	return wall_s > 0 ? double(all) / wall_s : 0;
}

json::object to_json(const Request &request)
{
	json::object object;
	if (!request.module.empty())
		object["module"] = request.module;
	object["scenario"] = request.scenario;
	object["engine"] = request.engine;
	object["model"] = request.model;
	object["search"] = request.search;
	object["irq"] = request.irq;
	object["weaken"] = to_array(request.weaken);
	object["seed"] = request.seed;
	object["context_bound"] = request.context_bound;
	object["max_executions"] = request.max_executions;
	object["time_limit_s"] = request.time_limit_s;
	object["memory_limit_mb"] = request.memory_limit_mb;
	object["stories_per_type"] = request.stories_per_type;
	return object;
}

json::object to_json(const Story &story)
{
	json::array also, events;
	for (const Violation &violation : story.also)
		also.push_back(to_json(violation));
	for (const StoryEvent &event : story.events)
		events.push_back(to_json(event));
	return {{"violation", to_json(story.violation)},
		{"also", std::move(also)},
		{"schedule", json::array(story.schedule.begin(), story.schedule.end())},
		{"context_switches", story.context_switches},
		{"events", std::move(events)},
		{"waiting", to_array(story.waiting)},
		{"threads", to_array(story.threads)}};
}

json::object to_json(const Result &result)
{
	json::object executions = {{"complete", result.executions.complete},
				   {"blocked", result.executions.blocked},
				   {"truncated", result.executions.truncated},
				   {"redundant", result.executions.redundant}};
	json::array stories;
	for (const Story &story : result.stories)
		stories.push_back(to_json(story));
	return {{"scenario", result.scenario},
		{"kernel", result.kernel},
		{"engine", result.engine},
		{"search", result.search},
		{"model", result.model},
		{"irq", result.irq},
		{"weaken", to_array(result.weaken)},
		{"verdict", result.verdict},
		{"error", result.error},
		{"bound", result.bound},
		{"exhaustive", result.exhaustive},
		{"executions", std::move(executions)},
		{"violations", to_object(result.violations)},
		{"outcomes", to_object(result.outcomes)},
		{"unreached", to_array(result.unreached)},
		{"limits", to_array(result.limits)},
		{"stories", std::move(stories)},
		{"wall_s", result.wall_s},
		{"executions_per_s", result.executions_per_s()},
		{"peak_mb", result.peak_mb},
		{"longest", result.longest},
		{"seed", result.seed},
		{"module_hash", result.module_hash}};
}

json::object to_json(const Replay &replay)
{
	return {{"reproduced", replay.reproduced},
		{"diverged_at", replay.diverged_at},
		{"expected", replay.expected},
		{"found", replay.found},
		{"story", to_json(replay.story)}};
}

json::object to_json(const Trace &trace)
{
	Request request = trace.request;
	request.module.clear();
	json::object object = {{"kind", "trace"},
			       {"version", int(Trace::version)},
			       {"kernel", trace.kernel},
			       {"module_hash", trace.module_hash},
			       {"request", to_json(request)},
			       {"story", to_json(trace.story)}};
	object["checksum"] = checksum(object);
	return object;
}

Request request_from_json(const json::value &value)
{
	return read_request(Reader(value, ""));
}

Story story_from_json(const json::value &value)
{
	return read_story(Reader(value, ""));
}

Result result_from_json(const json::value &value)
{
	const Reader in(value, "");
	Result result;
	result.scenario = in.member("scenario").string();
	result.kernel = in.member("kernel").string();
	result.engine = in.member("engine").string();
	result.search = in.member("search").string();
	result.model = in.member("model").string();
	result.irq = in.member("irq").string();
	result.weaken = in.member("weaken").strings();
	result.verdict = in.member("verdict").string();
	result.error = in.member("error").string();
	result.bound = in.member("bound").string();
	result.exhaustive = in.member("exhaustive").boolean();
	result.executions = read_executions(in.member("executions"));
	result.violations = in.member("violations").counts();
	result.outcomes = in.member("outcomes").counts();
	result.unreached = in.member("unreached").strings();
	result.limits = in.member("limits").strings();
	in.member("stories").each(
		[&](const Reader &story) { result.stories.push_back(read_story(story)); });
	result.wall_s = in.member("wall_s").real();
	result.peak_mb = in.member("peak_mb").real();
	result.longest = in.member("longest").integer<uint64_t>();
	result.seed = in.member("seed").integer<uint64_t>();
	result.module_hash = in.member("module_hash").string();
	return result;
}

Replay replay_from_json(const json::value &value)
{
	const Reader in(value, "");
	Replay replay;
	replay.reproduced = in.member("reproduced").boolean();
	replay.diverged_at = in.member("diverged_at").integer<int>();
	replay.expected = in.member("expected").string();
	replay.found = in.member("found").string();
	replay.story = read_story(in.member("story"));
	return replay;
}

Trace trace_from_text(const std::string &text, const std::string &name)
{
	json::error_code error;
	const json::value value = json::parse(text, error);
	if (error)
		throw BadInput(fmt::format("{}: this is not a whole trace file ({}); record it "
					   "again with \"wakerace run\"",
					   name, error.message()));
	try {
		return read_trace(value);
	} catch (const BadInput &problem) {
		throw BadInput(fmt::format("{}: this is not a usable trace file: {}; record it "
					   "again with \"wakerace run\"",
					   name, problem.what()));
	}
}

} // namespace wakerace
