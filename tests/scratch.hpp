// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files for tests: a directory that goes away, reading and writing a text, and
// where the sources are.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace wakerace {

class Scratch {
public:
	Scratch()
	{
		std::string name = std::filesystem::temp_directory_path() / "wakerace-test.XXXXXX";
		if (mkdtemp(name.data()) == nullptr)
			throw std::runtime_error("cannot make a directory like " + name);
		path_ = std::filesystem::canonical(name);
	}
	~Scratch()
	{
		std::error_code ignored;
		std::filesystem::remove_all(path_, ignored);
	}
	Scratch(const Scratch &) = delete;
	Scratch &operator=(const Scratch &) = delete;

	const std::filesystem::path &path() const { return path_; }

private:
	std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path &file, const std::string &text)
{
	std::filesystem::create_directories(file.parent_path());
	std::ofstream(file, std::ios::binary) << text;
}

inline std::string read_file(const std::filesystem::path &file)
{
	std::ifstream stream(file, std::ios::binary);
	if (!stream)
		throw std::runtime_error("cannot read " + file.string());
	std::ostringstream text;
	text << stream.rdbuf();
	return text.str();
}

// The top of the source tree: meson tells it, so that a test runs from anywhere.
inline std::filesystem::path source_root()
{
	const char *root = std::getenv("WAKERACE_ROOT");
	if (root == nullptr)
		throw std::runtime_error("set WAKERACE_ROOT to the top of the source tree");
	return root;
}

// Data that is handed along with the sources; empty if it is not here.
inline std::filesystem::path shared_data()
{
	const char *given = std::getenv("WAKERACE_SHARED");
	const std::filesystem::path folder =
		given != nullptr ? std::filesystem::path(given) : source_root() / "../shared";
	return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

} // namespace wakerace
