// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/traces.hpp"

#include "checker/result/json.hpp"
#include "cli/commands.hpp"
#include "cli/paths.hpp"
#include "cli/tree.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace wakerace {

namespace {

// A reader never sees half a file: it is written under another name first.
void write_whole(const fs::path &file, const std::string &text)
{
	fs::create_directories(fs::absolute(file).parent_path());
	std::string scratch = file.string() + ".XXXXXX";
	const int descriptor = mkstemp(scratch.data());
	if (descriptor < 0)
		throw std::runtime_error("no new file can be made there");
	close(descriptor);
	std::ofstream stream(scratch, std::ios::binary);
	stream << text;
	stream.close();
	if (!stream) {
		fs::remove(scratch);
		throw std::runtime_error("the disk is full or fails");
	}
	fs::permissions(scratch, fs::perms(0644));
	fs::rename(scratch, file);
}

// The sites, with nothing in their names that a shell or a file system minds.
std::string weaken_part(std::vector<std::string> sites)
{
	constexpr size_t readable = 60;
	std::sort(sites.begin(), sites.end());
	std::string names = fmt::format("{}", fmt::join(sites, "+"));
	if (names.size() > readable)
		return "weak." + hash_of({names}).substr(0, 8);
	for (char &letter : names)
		if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '_' &&
		    letter != '+')
			letter = '.';
	return "weak." + names;
}

// The options that change what is explored, so that their traces do not take
// the place of the plain run's.
std::string option_part(const Request &request)
{
	const Request plain;
	std::string part;
	if (request.search == "bounded")
		part += fmt::format("-bounded{}", request.context_bound);
	else if (request.search == "random")
		part += fmt::format("-random{}", request.seed);
	else if (request.search != plain.search)
		part += "-" + request.search;
	if (request.irq != plain.irq)
		part += "-" + request.irq;
	if (!request.weaken.empty())
		part += "-" + weaken_part(request.weaken);
	return part;
}

} // namespace

Trace read_trace_file(const std::string &file)
{
	if (!fs::exists(file))
		throw BadInput(fmt::format("there is no trace {}: `wakerace run` writes traces and "
					   "prints their names",
					   file));
	if (!fs::is_regular_file(file))
		throw BadInput(fmt::format("{} is no file, so it holds no trace", file));
	return trace_from_text(read_text(file), file);
}

std::string trace_name(const Trace &trace, const std::string &number)
{
	const Request &request = trace.request;
	return fmt::format("{}-{}-{}-{}{}-{}-{}.json", request.scenario, trace.kernel,
			   request.engine, request.model, option_part(request),
			   trace.story.violation.type, number);
}

void warn_if_changed(const Trace &trace, const std::string &module_hash)
{
	if (module_hash != trace.module_hash)
		note(fmt::format("warning: the model or its scenarios changed since this trace was "
				 "recorded (hash {}, now {}); it is tried all the same",
				 trace.module_hash, module_hash));
}

std::string write_trace_file(const fs::path &directory, const std::string &name, const Trace &trace)
{
	const fs::path file = directory / name;
	try {
		write_whole(file, boost::json::serialize(to_json(trace)) + "\n");
	} catch (const std::exception &problem) {
		throw BadInput(fmt::format("the trace {} cannot be written: {}", file.string(),
					   problem.what()));
	}
	return typed_path(file);
}

} // namespace wakerace
