// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/tree.hpp"

#include "checker/result/json.hpp"
#include "cli/process.hpp"

#include <algorithm>
#include <boost/uuid/detail/sha1.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace wakerace {

std::string read_text(const fs::path &file)
{
	std::ifstream stream(file, std::ios::binary);
	std::ostringstream text;
	text << stream.rdbuf();
	if (!stream || fs::is_directory(file))
		throw BadInput(fmt::format("cannot read {}", file.string()));
	return text.str();
}

std::string hash_of(const std::vector<std::string_view> &parts)
{
	boost::uuids::detail::sha1 sha;
	for (const std::string_view part : parts) {
		const uint64_t size = part.size();
		sha.process_bytes(&size, sizeof(size));
		sha.process_bytes(part.data(), part.size());
	}
	unsigned digest[5];
	sha.get_digest(digest);
	return fmt::format("{:08x}{:08x}{:08x}", digest[0], digest[1], digest[2]);
}

Tree read_tree(const fs::path &root)
{
	Tree tree;
	for (const char *folder : {"model", "scenarios"}) {
		if (!fs::is_directory(root / folder))
			throw BadInput(fmt::format("{} has no folder {}/", root.string(), folder));
		for (auto entry = fs::recursive_directory_iterator(root / folder);
		     entry != fs::recursive_directory_iterator(); ++entry) {
			const fs::path path = entry->path().lexically_relative(root);
			if (path == "model/patches")
				entry.disable_recursion_pending();
			const std::string file = path.filename();
			// What an editor leaves lying about is no part of the kernel.
			if (entry->is_regular_file() && file.front() != '.' && file.back() != '~')
				tree[path] = read_text(entry->path());
		}
	}
	tree["checker/program/contract.h"] = read_text(root / "checker/program/contract.h");
	return tree;
}

void write_tree(const Tree &tree, const fs::path &top)
{
	for (const auto &[path, text] : tree) {
		fs::create_directories((top / path).parent_path());
		std::ofstream stream(top / path, std::ios::binary);
		stream << text;
		stream.close();
		if (!stream)
			throw std::runtime_error(
				fmt::format("cannot write {}: disk full?", (top / path).string()));
	}
}

namespace {

// One hunk header of a patch, with where it stands in the patch.
struct Hunk {
	std::string path; // of the old file
	unsigned number;  // within that file, from 1
	unsigned old_line;
	unsigned patch_line;
};

// The path in a "--- a/model/x.cpp<tab>date" line; empty for /dev/null.
std::string path_in_header(const std::string &line)
{
	std::string path = line.substr(4, line.find_first_of("\t\r", 4) - 4);
	if (path == "/dev/null")
		return {};
	return path.substr(path.find('/') + 1);
}

std::vector<Hunk> hunks_of(const std::string &text, std::vector<std::string> &touches)
{
	static const std::regex header(R"(^@@ -(\d+)(,(\d+))? \+\d+(,(\d+))? @@.*)");
	std::vector<Hunk> hunks;
	std::istringstream stream(text);
	std::string line, old_path;
	unsigned number = 0, patch_line = 0;
	// Lines of the body that are still to come: "--- x" among them is a
	// removed line and no header.
	unsigned old_left = 0, new_left = 0;
	while (std::getline(stream, line)) {
		++patch_line;
		std::smatch match;
		if (old_left > 0 || new_left > 0) {
			const char kind = line.empty() ? ' ' : line[0];
			if (kind != '+' && kind != '\\' && old_left > 0)
				--old_left;
			if (kind != '-' && kind != '\\' && new_left > 0)
				--new_left;
		} else if (line.starts_with("--- ")) {
			old_path = path_in_header(line);
			number = 0;
		} else if (line.starts_with("+++ ")) {
			const std::string new_path = path_in_header(line);
			for (const std::string &path : {old_path, new_path}) {
				if (!path.empty() && std::find(touches.begin(), touches.end(),
							       path) == touches.end())
					touches.push_back(path);
			}
			if (old_path.empty())
				old_path = new_path;
		} else if (std::regex_match(line, match, header)) {
			old_left = match[2].matched ? std::stoul(match[3]) : 1;
			new_left = match[4].matched ? std::stoul(match[5]) : 1;
			hunks.push_back({old_path, ++number,
					 static_cast<unsigned>(std::stoul(match[1])), patch_line});
		}
	}
	return hunks;
}

[[noreturn]] void does_not_apply(const Patch &patch, const std::string &said,
				 const std::string &kernel)
{
	static const std::regex failed("error: patch failed: ([^\n]*):([0-9]+)\n");
	static const std::regex missing("error: ([^\n]*): No such file or directory");
	static const std::regex corrupt("error: corrupt patch at [^\n]*?([0-9]+)\n");
	std::smatch match;
	if (std::regex_search(said, match, failed)) {
		std::vector<std::string> ignored;
		std::string which = "a hunk";
		for (const Hunk &hunk : hunks_of(patch.text, ignored)) {
			if (hunk.path == match[1] && std::to_string(hunk.old_line) == match[2])
				which = fmt::format("hunk {} (line {} of the patch)", hunk.number,
						    hunk.patch_line);
		}
		throw BadInput(fmt::format(
			"{}: {} does not match {}:{} of kernel {}: the lines that it removes or "
			"keeps are not there; make the patch against that kernel's model/ again",
			patch.name, which, match[1].str(), match[2].str(), kernel));
	}
	if (std::regex_search(said, match, missing))
		throw BadInput(fmt::format("{}: kernel {} has no file {}; a patch names files of "
					   "this tree, such as a/model/kernel/sched/core.cpp",
					   patch.name, kernel, match[1].str()));
	if (std::regex_search(said, match, corrupt))
		throw BadInput(fmt::format("{}:{}: the patch is damaged here (cut short, or its "
					   "line counts are wrong); fetch or make it again",
					   patch.name, match[1].str()));
	throw BadInput(fmt::format("{}: git apply says: {}", patch.name,
				   said.substr(0, said.find_last_not_of('\n') + 1)));
}

} // namespace

Patch read_patch(const fs::path &file, const std::string &name)
{
	if (!fs::exists(file))
		throw BadInput(fmt::format("there is no patch {}", name));
	Patch patch{name, fs::absolute(file), read_text(file), {}};
	if (hunks_of(patch.text, patch.touches).empty())
		throw BadInput(fmt::format("{} holds no patch: no line of it begins a hunk with @@",
					   name));
	return patch;
}

void apply_patch(const Patch &patch, const fs::path &top, const std::string &kernel)
{
	// The ceiling and the unset variables keep git from taking the copy for a
	// part of whatever repository lies around it; inside one, git apply
	// would skip files without a word. The user's settings must not decide
	// what applies.
	const fs::path real_top = fs::canonical(top);
	const Finished git = run({
		.words = {"git", "apply", "--whitespace=nowarn", patch.file.string()},
		.directory = real_top,
		.environment = {"GIT_CEILING_DIRECTORIES=" + real_top.parent_path().string(),
				"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX",
				"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"},
	});
	if (!git.ok())
		does_not_apply(patch, git.output, kernel);
}

} // namespace wakerace
