// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/mirrors.hpp"

#include <algorithm>
#include <sstream>

namespace wakerace {

namespace {

const std::string word = "Mirrors ";

std::vector<std::string> lines_of(const std::string &text)
{
	std::istringstream stream(text);
	std::vector<std::string> lines;
	for (std::string line; std::getline(stream, line);)
		lines.push_back(line);
	return lines;
}

// A line of a comment without its stars, slashes and blanks.
std::string words_in(const std::string &line)
{
	const size_t first = line.find_first_not_of(" \t*/");
	if (first == std::string::npos)
		return "";
	return line.substr(first, line.find_last_not_of(" \t*/") + 1 - first);
}

// Whether the comment goes on below @line, which is part of it.
bool goes_on(const std::string &line, const std::string &below)
{
	if (line.starts_with("//"))
		return below.starts_with("//");
	return line.find("*/") == std::string::npos;
}

// "Mirrors kernel/sched/core.c:idle_cpu, v6.2. ..." is about idle_cpu.
std::string function_in(const std::string &comment)
{
	const size_t colon = comment.find(':');
	if (colon == std::string::npos)
		return "";
	const size_t first = colon + 1;
	return comment.substr(first, comment.find_first_of(" ,.", first) - first);
}

void add_mirrors(const std::string &file, const std::string &text, std::vector<Mirror> &found)
{
	const std::vector<std::string> lines = lines_of(text);
	for (size_t i = 0; i < lines.size(); i++) {
		const size_t at = lines[i].find(word);
		if (at == std::string::npos)
			continue;
		Mirror mirror;
		mirror.file = file;
		mirror.line = unsigned(i + 1);
		mirror.comment = words_in(lines[i].substr(at));
		while (i + 1 < lines.size() && goes_on(lines[i], lines[i + 1])) {
			const std::string more = words_in(lines[++i]);
			if (!more.empty())
				mirror.comment += " " + more;
		}
		mirror.function = function_in(mirror.comment);
		// In the kernel's style a function ends with a brace in the first column.
		while (i + 1 < lines.size() && !lines[i].starts_with("}"))
			mirror.body += lines[++i] + "\n";
		found.push_back(std::move(mirror));
	}
}

} // namespace

std::vector<Mirror> mirrors_of(const Tree &tree)
{
	std::vector<Mirror> found;
	for (const auto &[path, text] : tree)
		if (path.starts_with("model/"))
			add_mirrors(path, text, found);
	return found;
}

std::vector<Mirror> changed_mirrors(const Tree &head, const Tree &tree)
{
	const std::vector<Mirror> old = mirrors_of(head);
	std::vector<Mirror> changed = mirrors_of(tree);
	std::erase_if(changed, [&](const Mirror &mirror) {
		return std::any_of(old.begin(), old.end(), [&](const Mirror &other) {
			return mirror.file == other.file && mirror.comment == other.comment &&
			       mirror.body == other.body;
		});
	});
	return changed;
}

std::vector<std::string> missing_functions(const Tree &head, const Tree &tree)
{
	const std::vector<Mirror> there = mirrors_of(tree);
	std::vector<std::string> missing;
	for (const Mirror &mirror : mirrors_of(head))
		if (std::none_of(there.begin(), there.end(), [&](const Mirror &other) {
			    return mirror.function == other.function;
		    }))
			missing.push_back(mirror.function);
	return missing;
}

} // namespace wakerace
