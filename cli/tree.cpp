// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/tree.hpp"

#include "checker/result/json.hpp"
#include "cli/process.hpp"

#include <algorithm>
#include <boost/uuid/detail/sha1.hpp>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

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

// The number that @text begins with at @at, which moves behind it.
std::optional<unsigned> take_number(const std::string &text, size_t &at)
{
	unsigned number = 0;
	const char *end = text.data() + text.size();
	const auto [rest, error] = std::from_chars(text.data() + at, end, number);
	if (error != std::errc())
		return {};
	at = static_cast<size_t>(rest - text.data());
	return number;
}

// "12,3" or "12", which means one line; how many lines is stored in @count.
std::optional<unsigned> take_range(const std::string &text, size_t &at, unsigned &count)
{
	const std::optional<unsigned> first = take_number(text, at);
	count = 1;
	if (!first || at >= text.size() || text[at] != ',')
		return first;
	const std::optional<unsigned> given = take_number(text, ++at);
	count = given.value_or(0);
	return given ? first : given;
}

// Reads a patch line by line. Within a hunk's body "--- x" is a removed line,
// so the lines that are still to come are counted.
class HunkReader {
public:
	std::vector<Hunk> hunks;
	std::vector<std::string> touches;

	void take(const std::string &line)
	{
		++patch_line_;
		if (old_left_ > 0 || new_left_ > 0)
			take_body(line.empty() ? ' ' : line[0]);
		else if (line.starts_with("--- "))
			old_path_ = path_in_header(line);
		else if (line.starts_with("+++ "))
			take_file(path_in_header(line));
		else if (line.starts_with("@@ -"))
			take_hunk(line);
	}

private:
	void take_body(char kind)
	{
		if (kind != '+' && kind != '\\' && old_left_ > 0)
			--old_left_;
		if (kind != '-' && kind != '\\' && new_left_ > 0)
			--new_left_;
	}

	void take_file(const std::string &new_path)
	{
		for (const std::string &path : {old_path_, new_path}) {
			if (!path.empty() &&
			    std::find(touches.begin(), touches.end(), path) == touches.end())
				touches.push_back(path);
		}
		if (old_path_.empty())
			old_path_ = new_path;
		number_ = 0;
	}

	void take_hunk(const std::string &line)
	{
		size_t at = 4;
		const std::optional<unsigned> old_line = take_range(line, at, old_left_);
		const bool between = old_line && line.compare(at, 2, " +") == 0;
		at += 2;
		if (!between || !take_range(line, at, new_left_) || line.compare(at, 3, " @@") != 0)
			old_left_ = new_left_ = 0; // no hunk header after all
		else
			hunks.push_back({old_path_, ++number_, *old_line, patch_line_});
	}

	std::string old_path_;
	unsigned number_ = 0;
	unsigned patch_line_ = 0;
	unsigned old_left_ = 0;
	unsigned new_left_ = 0;
};

HunkReader read_hunks(const std::string &text)
{
	HunkReader reader;
	std::istringstream stream(text);
	for (std::string line; std::getline(stream, line);)
		reader.take(line);
	return reader;
}

// What stands between @before and @after in @said, on one line.
std::optional<std::string> between(const std::string &said, const std::string &before,
				   const std::string &after)
{
	const size_t at = said.find(before);
	if (at == std::string::npos)
		return {};
	const std::string line =
		said.substr(at + before.size(), said.find('\n', at) - at - before.size());
	const size_t end = line.rfind(after);
	if (end == std::string::npos)
		return {};
	return line.substr(0, end);
}

[[noreturn]] void does_not_apply(const Patch &patch, const std::string &said,
				 const std::string &kernel)
{
	if (const auto place = between(said, "error: patch failed: ", "")) {
		std::string which = "a hunk";
		for (const Hunk &hunk : read_hunks(patch.text).hunks) {
			if (fmt::format("{}:{}", hunk.path, hunk.old_line) == *place)
				which = fmt::format("hunk {} (line {} of the patch)", hunk.number,
						    hunk.patch_line);
		}
		throw BadInput(fmt::format(
			"{}: {} does not match {} of kernel {}: the lines that it removes or "
			"keeps are not there; make the patch against that kernel's model/ again",
			patch.name, which, *place, kernel));
	}
	if (const auto file = between(said, "error: ", ": No such file or directory"))
		throw BadInput(fmt::format("{}: kernel {} has no file {}; a patch names files of "
					   "this tree, such as a/model/kernel/sched/core.cpp",
					   patch.name, kernel, *file));
	if (const auto place = between(said, "error: corrupt patch at ", ""))
		throw BadInput(fmt::format("{}:{}: the patch is damaged here (cut short, or its "
					   "line counts are wrong); fetch or make it again",
					   patch.name,
					   place->substr(place->find_last_of(" :") + 1)));
	throw BadInput(fmt::format("{}: git apply says: {}", patch.name,
				   said.substr(0, said.find_last_not_of('\n') + 1)));
}

} // namespace

Patch read_patch(const fs::path &file, const std::string &name)
{
	if (!fs::exists(file))
		throw BadInput(fmt::format("there is no patch {}", name));
	Patch patch{name, fs::absolute(file), read_text(file), {}};
	HunkReader reader = read_hunks(patch.text);
	patch.touches = std::move(reader.touches);
	if (reader.hunks.empty())
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
