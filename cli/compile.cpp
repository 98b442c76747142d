// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/compile.hpp"

#include "checker/result/json.hpp"
#include "cli/process.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace wakerace {
namespace {

void append_words(const std::string &line, std::vector<std::string> &words)
{
	std::istringstream stream(line);
	for (std::string word; stream >> word;)
		words.push_back(word);
}

bool is_source(const std::string &path)
{
	return path.ends_with(".cpp");
}

// The names of the patches that touched one of @paths.
std::string patches_that_touched(const std::vector<Patch> &patches,
				 const std::set<std::string> &paths)
{
	std::string names;
	for (const Patch &patch : patches) {
		const bool touched =
			std::any_of(patch.touches.begin(), patch.touches.end(),
				    [&](const std::string &path) { return paths.contains(path); });
		if (touched)
			names += (names.empty() ? "" : ", ") + patch.name;
	}
	return names;
}

void replace_all(std::string &text, const std::string &from, const std::string &to)
{
	for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
		text.replace(at, from.size(), to);
}

// What the compiler says, with paths as the tree has them: -I. makes it print
// headers as ./model/...
std::string with_tree_paths(std::string said, const fs::path &top)
{
	replace_all(said, top.string() + "/", "");
	for (const char *before : {"\n", "from ", "'"})
		replace_all(said, std::string(before) + "./", before);
	return said.starts_with("./") ? said.substr(2) : said;
}

// The files of "FILE:LINE:COLUMN: error: ..." lines.
std::set<std::string> files_with_errors(const std::string &said)
{
	std::set<std::string> files;
	std::istringstream stream(said);
	for (std::string line; std::getline(stream, line);) {
		if (line.find(" error: ") != std::string::npos)
			files.insert(line.substr(0, line.find(':')));
	}
	return files;
}

[[noreturn]] void does_not_compile(const CompileRequest &request, const std::string &source,
				   const std::string &said)
{
	std::set<std::string> paths = files_with_errors(said);
	paths.insert(source);
	const std::string names = patches_that_touched(request.patches, paths);
	const std::string culprit =
		names.empty() ? "no patch touches that place" : "changed by " + names;
	throw BadInput(fmt::format("kernel {} does not compile, at {} ({}):\n{}", request.kernel,
				   source, culprit, said));
}

// One file to compile, and the object that it becomes.
struct Job {
	std::string source;
	std::vector<std::string> extra_flags;
	fs::path object;
};

std::string headers_of(const Tree &tree)
{
	std::vector<std::string_view> parts;
	for (const auto &[path, text] : tree) {
		if (!is_source(path)) {
			parts.push_back(path);
			parts.push_back(text);
		}
	}
	return hash_of(parts);
}

std::vector<Job> jobs_of(const CompileRequest &request)
{
	const std::string identity = request.toolchain.identity();
	const std::string headers = headers_of(request.tree);
	std::vector<Job> jobs;
	for (const auto &[path, text] : request.tree) {
		if (!is_source(path))
			continue;
		Job job{path, {}, {}};
		// Only a file that names WR_KERNEL gets it, so that the variants
		// share the objects of all others.
		if (text.find("WR_KERNEL") != std::string::npos)
			job.extra_flags.push_back(
				fmt::format("-DWR_KERNEL=\"{}\"", request.kernel));
		const std::string extra = fmt::format("{}", fmt::join(job.extra_flags, " "));
		job.object =
			request.objects / (hash_of({identity, headers, extra, path, text}) + ".o");
		jobs.push_back(job);
	}
	return jobs;
}

std::string compile(const CompileRequest &request, const Job &job)
{
	std::vector<std::string> words = {request.toolchain.compiler};
	words.insert(words.end(), request.toolchain.compile_flags.begin(),
		     request.toolchain.compile_flags.end());
	words.insert(words.end(), job.extra_flags.begin(), job.extra_flags.end());
	// A name of our own, since other threads and processes may compile the same.
	static std::atomic<unsigned> serial = 0;
	const fs::path scratch = fmt::format("{}.{}.{}", job.object.string(), getpid(), serial++);
	words.insert(words.end(), {"-c", job.source, "-o", fs::absolute(scratch)});
	const Finished finished = run({.words = words, .directory = request.top});
	const std::string said = with_tree_paths(finished.output, request.top);
	if (finished.signal != 0)
		throw std::runtime_error(fmt::format("{} was ended by signal {} at {}",
						     words.front(), finished.signal, job.source));
	if (!finished.ok()) {
		fs::remove(scratch);
		does_not_compile(request, job.source, said);
	}
	fs::rename(scratch, job.object);
	return said;
}

} // namespace

std::string Toolchain::identity() const
{
	return fmt::format("{}\n{}\n{}", version, fmt::join(compile_flags, " "),
			   fmt::join(link_flags, " "));
}

Toolchain read_toolchain(const std::string &compiler, const std::string &flags)
{
	Toolchain toolchain;
	toolchain.compiler = compiler;
	std::istringstream stream(flags);
	for (std::string line; std::getline(stream, line);) {
		if (line.starts_with("link:"))
			append_words(line.substr(5), toolchain.link_flags);
		else if (!line.starts_with("#"))
			append_words(line, toolchain.compile_flags);
	}
	// Size and time of the executable, both fixed by its package: asking it
	// for --version would cost every start a tenth of a second.
	const fs::path executable = fs::canonical(find_program(compiler));
	toolchain.version =
		fmt::format("{} {} {}", executable.filename().string(), fs::file_size(executable),
			    fs::last_write_time(executable).time_since_epoch().count());
	return toolchain;
}

Compiled compile_tree(const CompileRequest &request)
{
	fs::create_directories(request.objects);
	const std::vector<Job> jobs = jobs_of(request);
	if (jobs.empty())
		throw BadInput("model/ and scenarios/ hold no .cpp file to compile");

	Compiled result;
	std::atomic<size_t> next = 0;
	std::mutex mutex; // guards result and failure
	std::exception_ptr failure;
	const auto work = [&] {
		for (size_t index; (index = next++) < jobs.size();) {
			if (fs::exists(jobs[index].object))
				continue;
			try {
				const std::string said = compile(request, jobs[index]);
				const std::lock_guard lock(mutex);
				++result.compiled;
				result.warnings += said;
			} catch (...) {
				const std::lock_guard lock(mutex);
				if (failure == nullptr)
					failure = std::current_exception();
				next = jobs.size();
			}
		}
	};
	std::vector<std::thread> helpers;
	for (unsigned count = 1; count < request.jobs; ++count)
		helpers.emplace_back(work);
	work();
	for (std::thread &helper : helpers)
		helper.join();
	if (failure != nullptr)
		std::rethrow_exception(failure);
	for (const Job &job : jobs)
		result.objects.push_back(job.object);
	return result;
}

void link_module(const CompileRequest &request, const std::vector<fs::path> &objects,
		 const fs::path &target)
{
	std::vector<std::string> words = {request.toolchain.compiler};
	words.insert(words.end(), request.toolchain.link_flags.begin(),
		     request.toolchain.link_flags.end());
	words.insert(words.end(), {"-o", target.string()});
	for (const fs::path &object : objects)
		words.push_back(object.string());
	const Finished link = run({.words = words});
	if (!link.ok())
		throw BadInput(fmt::format("kernel {} does not link:\n{}", request.kernel,
					   with_tree_paths(link.output, request.top)));

	const Finished symbols =
		run({.words = {"nm", "--dynamic", "--undefined-only", target.string()}});
	std::istringstream stream(symbols.output);
	std::vector<std::string> missing = {"c++filt"};
	for (std::string line; std::getline(stream, line);) {
		std::istringstream fields(line);
		std::string kind, name;
		fields >> kind >> name;
		const bool provided = kind == "w" || name.starts_with("wr_") ||
				      name.starts_with("__tsan_") ||
				      name.find('@') != std::string::npos;
		if (!provided)
			missing.push_back(name);
	}
	if (missing.size() > 1) {
		fs::remove(target);
		throw BadInput(fmt::format("kernel {} uses what nothing defines:\n{}",
					   request.kernel, run({.words = missing}).output));
	}
}

} // namespace wakerace
