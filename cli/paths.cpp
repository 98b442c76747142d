// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/paths.hpp"

#include "checker/result/json.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace wakerace {

namespace {

bool is_root(const fs::path &folder)
{
	return fs::is_directory(folder / "model/patches") && fs::is_directory(folder / "scenarios");
}

fs::path find_root(const fs::path &program)
{
	if (const char *given = std::getenv("WAKERACE_ROOT")) {
		if (!is_root(given))
			throw BadInput(
				fmt::format("WAKERACE_ROOT is {}, which has no model/patches "
					    "and scenarios/",
					    given));
		return fs::canonical(given);
	}
	for (const fs::path &start : {program.parent_path(), fs::current_path()})
		for (fs::path folder = start;; folder = folder.parent_path()) {
			if (is_root(folder))
				return folder;
			if (folder == folder.parent_path())
				break;
		}
	throw BadInput(fmt::format("neither {} nor the current directory lies in a wakerace tree; "
				   "set WAKERACE_ROOT to the directory that holds model/ and "
				   "scenarios/",
				   program.string()));
}

fs::path from_environment(const char *name, const fs::path &otherwise)
{
	const char *given = std::getenv(name);
	return given ? fs::absolute(given) : otherwise;
}

ModuleRequest module_request(const Paths &paths, const std::string &kernel, unsigned jobs)
{
	ModuleRequest request;
	request.root = paths.root;
	request.cache = paths.cache;
	request.kernel = kernel;
	request.jobs = jobs;
	return request;
}

} // namespace

Paths find_paths()
{
	const fs::path program = fs::read_symlink("/proc/self/exe");
	// The program is BUILD/cli/wakerace, its workers beside it in the same tree.
	const fs::path build = program.parent_path().parent_path();
	Paths paths;
	paths.root = find_root(program);
	paths.relacy_worker =
		from_environment("WAKERACE_WORKER", build / "checker/relacy/wakerace-relacy");
	paths.graph_worker =
		from_environment("WAKERACE_GRAPH_WORKER", build / "checker/graph/wakerace-graph");
	paths.cache = from_environment("WAKERACE_CACHE", paths.root / "build/cache");
	paths.traces = paths.root / "build/traces";
	paths.modules = from_environment("WAKERACE_MODULES", {});
	return paths;
}

KernelModule ready_module(const Paths &paths, const std::string &kernel, unsigned jobs)
{
	if (paths.modules.empty())
		return build_module(module_request(paths, kernel, jobs));
	KernelModule module;
	module.path = paths.modules / (kernel + ".so");
	module.tree = paths.root;
	module.hash = ready_hash(paths, kernel);
	if (!fs::exists(module.path))
		throw BadInput(fmt::format("there is no {}", module.path.string()));
	return module;
}

std::string ready_hash(const Paths &paths, const std::string &kernel)
{
	if (paths.modules.empty())
		return module_hash(module_request(paths, kernel, 1));
	return "by-hand-" + kernel;
}

std::string typed_path(const fs::path &path)
{
	const fs::path absolute = fs::absolute(path).lexically_normal();
	const fs::path relative = absolute.lexically_relative(fs::current_path());
	// Climbing out of the current directory reads worse than a full path.
	if (relative.empty() || *relative.begin() == "..")
		return absolute.string();
	return relative.string();
}

} // namespace wakerace
