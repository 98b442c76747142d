// SPDX-License-Identifier: GPL-2.0-or-later
//
// The source tree of a kernel variant: what belongs to it, its hash, and how
// patches are applied to a copy.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wakerace {

// Files of a tree: path relative to its top -> text. Sorted, so that hashes do
// not depend on the order of a directory.
using Tree = std::map<std::string, std::string>;

// Reads model/ without its patches, scenarios/ and the engine's contract.
Tree read_tree(const std::filesystem::path &root);
void write_tree(const Tree &tree, const std::filesystem::path &top);

struct Patch {
	std::string name; // for messages
	std::filesystem::path file;
	std::string text;
	std::vector<std::string> touches; // paths in the tree
};

Patch read_patch(const std::filesystem::path &file, const std::string &name);

// Applies @patch to the files under @top, all of it or none. Offsets are
// accepted, fuzz is not. @kernel is for messages.
void apply_patch(const Patch &patch, const std::filesystem::path &top, const std::string &kernel);

std::string read_text(const std::filesystem::path &file);

// Hexadecimal; the parts are kept apart, so that {"ab", "c"} is not {"a", "bc"}.
std::string hash_of(const std::vector<std::string_view> &parts);

} // namespace wakerace
