// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/process.hpp"

#include "checker/result/json.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ;

namespace wakerace {
namespace {

struct Pipe {
	int read_end = -1;
	int write_end = -1;

	Pipe()
	{
		int ends[2];
		if (pipe2(ends, O_CLOEXEC) != 0)
			throw std::system_error(errno, std::generic_category(), "pipe");
		read_end = ends[0];
		write_end = ends[1];
	}
	~Pipe()
	{
		close_write_end();
		close(read_end);
	}
	Pipe(const Pipe &) = delete;
	Pipe &operator=(const Pipe &) = delete;

	void close_write_end()
	{
		if (write_end >= 0)
			close(write_end);
		write_end = -1;
	}
};

struct FileActions {
	posix_spawn_file_actions_t actions;

	FileActions() { posix_spawn_file_actions_init(&actions); }
	~FileActions() { posix_spawn_file_actions_destroy(&actions); }
	FileActions(const FileActions &) = delete;
	FileActions &operator=(const FileActions &) = delete;
};

std::vector<std::string> environment_of(const Command &command)
{
	const auto name_of = [](const std::string &text) { return text.substr(0, text.find('=')); };
	std::vector<std::string> result;
	for (char **entry = environ; *entry != nullptr; ++entry) {
		const bool replaced =
			std::any_of(command.environment.begin(), command.environment.end(),
				    [&](const std::string &change) {
					    return name_of(change) == name_of(*entry);
				    });
		if (!replaced)
			result.emplace_back(*entry);
	}
	for (const std::string &change : command.environment) {
		if (change.find('=') != std::string::npos)
			result.push_back(change);
	}
	return result;
}

std::vector<char *> pointers_to(std::vector<std::string> &texts)
{
	std::vector<char *> result;
	for (std::string &text : texts)
		result.push_back(text.data());
	result.push_back(nullptr);
	return result;
}

std::string read_all(int from)
{
	std::string text;
	char buffer[65536];
	for (;;) {
		const ssize_t count = read(from, buffer, sizeof(buffer));
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return text;
		text.append(buffer, static_cast<size_t>(count));
	}
}

} // namespace

std::filesystem::path find_program(const std::string &program)
{
	if (program.find('/') != std::string::npos)
		return program;
	const char *path = std::getenv("PATH");
	std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
	for (std::string folder; std::getline(folders, folder, ':');) {
		const std::filesystem::path file = std::filesystem::path(folder) / program;
		if (access(file.c_str(), X_OK) == 0)
			return file;
	}
	std::string package = program;
	if (program.starts_with("clang"))
		package = "clang";
	else if (program == "nm" || program == "c++filt")
		package = "binutils";
	throw BadInput(fmt::format("{} is not installed: apt-get install {}", program, package));
}

Finished run(const Command &command)
{
	const std::string program = find_program(command.words.front());
	std::vector<std::string> words = command.words;
	std::vector<std::string> environment = environment_of(command);
	Pipe output;
	FileActions file;
	posix_spawn_file_actions_addopen(&file.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&file.actions, output.write_end, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&file.actions, output.write_end, STDERR_FILENO);
	if (!command.directory.empty()) {
		posix_spawn_file_actions_addchdir_np(&file.actions, command.directory.c_str());
		if (!std::filesystem::is_directory(command.directory))
			throw BadInput(fmt::format("there is no directory {}",
						   command.directory.string()));
	}

	pid_t child = 0;
	const int error = posix_spawn(&child, program.c_str(), &file.actions, nullptr,
				      pointers_to(words).data(), pointers_to(environment).data());
	if (error != 0)
		throw BadInput(fmt::format("cannot start {}: {}", program, std::strerror(error)));
	output.close_write_end();

	Finished finished;
	finished.output = read_all(output.read_end);
	int status = 0;
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			throw std::system_error(errno, std::generic_category(), "waitpid");
	}
	if (WIFSIGNALED(status))
		finished.signal = WTERMSIG(status);
	else
		finished.code = WEXITSTATUS(status);
	return finished;
}

} // namespace wakerace
