// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/kernels.hpp"

#include "checker/result/json.hpp"
#include "cli/compile.hpp"
#include "cli/suggest.hpp"
#include "cli/tree.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <sstream>
#include <system_error>
#include <tuple>

namespace fs = std::filesystem;

namespace wakerace {
namespace {

std::string trimmed(const std::string &text)
{
	const size_t first = text.find_first_not_of(" \t\r");
	if (first == std::string::npos)
		return {};
	return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

KernelInfo read_series(const fs::path &file)
{
	KernelInfo kernel;
	kernel.name = file.stem();
	std::istringstream stream(read_text(file));
	for (std::string line; std::getline(stream, line);) {
		line = trimmed(line);
		if (line.starts_with("# title:"))
			kernel.title = trimmed(line.substr(8));
		else if (!line.empty() && line[0] != '#')
			kernel.patches.push_back(trimmed(line.substr(0, line.find(" #"))));
	}
	return kernel;
}

// Versions in their own order, a release after its candidates; then the rest.
auto order_of(const KernelInfo &kernel)
{
	constexpr int last = std::numeric_limits<int>::max();
	const std::string &name = kernel.name;
	int major = 0, minor = 0, candidate = 0, used = 0;
	if (std::sscanf(name.c_str(), "v%4d.%4d-rc%4d%n", &major, &minor, &candidate, &used) == 3 &&
	    static_cast<size_t>(used) == name.size())
		return std::make_tuple(major, minor, candidate, name);
	used = 0;
	if (std::sscanf(name.c_str(), "v%4d.%4d%n", &major, &minor, &used) == 2 &&
	    static_cast<size_t>(used) == name.size())
		return std::make_tuple(major, minor, last, name);
	return std::make_tuple(last, 0, 0, name);
}

// All that decides what a module is.
struct Ingredients {
	KernelInfo kernel;
	std::vector<Patch> patches;
	Tree tree; // before the patches
	Toolchain toolchain;

	std::string hash() const;
};

std::string Ingredients::hash() const
{
	const std::string identity = toolchain.identity();
	std::vector<std::string_view> parts = {identity, kernel.name};
	for (const auto &[path, text] : tree) {
		parts.push_back(path);
		parts.push_back(text);
	}
	parts.push_back("patches");
	for (const Patch &patch : patches)
		parts.push_back(patch.text);
	return hash_of(parts).substr(0, 16);
}

std::vector<Patch> patches_of(const fs::path &root, const KernelInfo &kernel)
{
	std::vector<Patch> patches;
	for (const std::string &name : kernel.patches) {
		const fs::path file = root / "model/patches" / name;
		if (!fs::exists(file))
			throw BadInput(fmt::format("model/patches/{}.series names {}, which is not "
						   "in model/patches",
						   kernel.name, name));
		patches.push_back(read_patch(file, "model/patches/" + name));
	}
	return patches;
}

Ingredients gather(const ModuleRequest &request)
{
	Ingredients all;
	all.kernel = find_kernel(request.root, request.kernel);
	all.tree = read_tree(request.root);
	all.patches = patches_of(request.root, all.kernel);
	for (const fs::path &file : request.extra_patches)
		all.patches.push_back(read_patch(file, file));
	all.toolchain =
		read_toolchain(request.compiler, read_text(request.root / "model/module.flags"));
	return all;
}

// A directory of our own beside its later place, removed unless it moved there.
class ScratchTree {
public:
	explicit ScratchTree(const fs::path &place) : place_(place)
	{
		fs::create_directories(place.parent_path());
		std::string name = place.string() + ".XXXXXX";
		if (mkdtemp(name.data()) == nullptr)
			throw std::system_error(errno, std::generic_category(), name);
		fs::permissions(name, fs::perms(0755));
		path_ = fs::canonical(name);
	}
	~ScratchTree()
	{
		std::error_code ignored;
		fs::remove_all(path_, ignored);
	}
	ScratchTree(const ScratchTree &) = delete;
	ScratchTree &operator=(const ScratchTree &) = delete;

	const fs::path &path() const { return path_; }

	void keep()
	{
		// Fails if another process was first; its tree is the same.
		std::error_code ignored;
		fs::rename(path_, place_, ignored);
	}

private:
	fs::path place_;
	fs::path path_;
};

// Marks a cache entry as used now.
void touch(const fs::path &entry)
{
	std::error_code gone;
	fs::last_write_time(entry, fs::file_time_type::clock::now(), gone);
}

// Every edit of the model leaves some megabytes behind, and what a killed run
// left is here too. All of it can be built again in seconds.
void remove_unused(const fs::path &cache)
{
	const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(48);
	std::error_code gone; // somebody else may clean up at the same time
	for (const char *folder : {"kernels", "modules", "objects"}) {
		for (const fs::directory_entry &entry :
		     fs::directory_iterator(cache / folder, gone)) {
			const auto used = entry.last_write_time(gone);
			if (!gone && used < oldest)
				fs::remove_all(entry.path(), gone);
		}
	}
}

} // namespace

std::vector<KernelInfo> list_kernels(const fs::path &root)
{
	std::vector<KernelInfo> kernels;
	const fs::path folder = root / "model/patches";
	if (!fs::is_directory(folder))
		throw BadInput(fmt::format("{} has no folder model/patches", root.string()));
	for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
		if (entry.path().extension() == ".series" && entry.is_regular_file())
			kernels.push_back(read_series(entry.path()));
	}
	std::sort(kernels.begin(), kernels.end(), [](const KernelInfo &a, const KernelInfo &b) {
		return order_of(a) < order_of(b);
	});
	return kernels;
}

KernelInfo find_kernel(const fs::path &root, const std::string &name)
{
	const std::vector<KernelInfo> kernels = list_kernels(root);
	for (const KernelInfo &kernel : kernels) {
		if (kernel.name == name)
			return kernel;
	}
	if (kernels.empty())
		throw BadInput("model/patches holds no .series file, so there is no kernel");
	std::vector<std::string> names;
	for (const KernelInfo &kernel : kernels)
		names.push_back(kernel.name);
	throw BadInput(fmt::format("there is no kernel '{}'; the nearest names are {} "
				   "(`wakerace list kernels` shows all)",
				   name, nearest(name, names)));
}

Tree kernel_tree(const fs::path &root, const fs::path &scratch, const std::string &kernel)
{
	const KernelInfo info = find_kernel(root, kernel);
	const Tree head = read_tree(root);
	if (info.is_head())
		return head;
	const ScratchTree place(fs::absolute(scratch / "kernels" / kernel));
	write_tree(head, place.path());
	for (const Patch &patch : patches_of(root, info))
		apply_patch(patch, place.path(), kernel);
	return read_tree(place.path());
}

std::string module_hash(const ModuleRequest &request)
{
	return gather(request).hash();
}

KernelModule build_module(const ModuleRequest &request)
{
	const Ingredients all = gather(request);
	KernelModule module;
	module.hash = all.hash();
	module.path = fs::absolute(request.cache / "modules" / (module.hash + ".so"));
	module.tree = fs::absolute(request.cache / "kernels" /
				   fmt::format("{}-{}", all.kernel.name, module.hash));
	if (fs::exists(module.path) && fs::exists(module.tree)) {
		touch(module.path);
		touch(module.tree);
		return module;
	}
	remove_unused(request.cache);

	ScratchTree scratch(module.tree);
	write_tree(all.tree, scratch.path());
	for (const Patch &patch : all.patches)
		apply_patch(patch, scratch.path(), all.kernel.name);

	const CompileRequest compile{
		.toolchain = all.toolchain,
		.top = scratch.path(),
		.tree = read_tree(scratch.path()),
		.objects = fs::absolute(request.cache / "objects"),
		.kernel = all.kernel.name,
		.patches = all.patches,
		.jobs = request.jobs,
	};
	Compiled compiled = compile_tree(compile);
	for (const fs::path &object : compiled.objects)
		touch(object);
	module.compiled = compiled.compiled;
	module.warnings = compiled.warnings;

	fs::create_directories(module.path.parent_path());
	const fs::path linked = scratch.path() / "module.so";
	link_module(compile, compiled.objects, linked);
	fs::rename(linked, module.path);
	scratch.keep();
	return module;
}

} // namespace wakerace
