// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/worker.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace wakerace {

namespace json = boost::json;

namespace {

// How long a worker may take to write its report once its time is over.
constexpr double grace_s = 5;
// Code, stacks and libraries, which the limit is not meant for.
constexpr rlim_t memory_slack_mb = 256;
constexpr size_t line_max = size_t(256) << 20;
constexpr size_t errors_max = 64 << 10;

[[noreturn]] void fail(const char *what)
{
	throw std::system_error(errno, std::generic_category(), what);
}

// A file in memory as standard input: a child that never reads it cannot
// block us, nor end us by a broken pipe.
int input_file(const std::string &text)
{
	const int file = memfd_create("request", MFD_CLOEXEC);
	if (file < 0)
		fail("memfd_create");
	for (size_t done = 0; done < text.size();) {
		const ssize_t count = write(file, text.data() + done, text.size() - done);
		if (count < 0)
			fail("write");
		done += size_t(count);
	}
	lseek(file, 0, SEEK_SET);
	return file;
}

// Runs in the child, between fork and exec.
[[noreturn]] void become(const char *program, int input, int output, int errors,
			 unsigned memory_limit_mb, pid_t parent)
{
	// Ctrl-C goes to the parent alone, which then asks for a report.
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, nullptr);
	if (memory_limit_mb) {
		const rlim_t bytes = (rlim_t(memory_limit_mb) + memory_slack_mb) << 20;
		const rlimit limit = {bytes, bytes};
		setrlimit(RLIMIT_AS, &limit);
	}
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	execl(program, program, static_cast<char *>(nullptr));
	dprintf(STDERR_FILENO, "cannot start: %s\n", strerror(errno));
	_exit(127);
}

std::string last_line(const std::string &text)
{
	const size_t end = text.find_last_not_of("\n \t");
	if (end == std::string::npos)
		return "";
	const size_t start = text.rfind('\n', end);
	const size_t first = start == std::string::npos ? 0 : start + 1;
	return text.substr(first, end + 1 - first);
}

} // namespace

Worker::Worker(const WorkerTask &task)
    : program_(task.program), time_limit_s_(task.time_limit_s), start_(Clock::now())
{
	const int input = input_file(json::serialize(task.request) + "\n");
	int out[2], err[2];
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		fail("pipe2");
	const pid_t parent = getpid();
	process_ = fork();
	if (process_ < 0)
		fail("fork");
	if (process_ == 0)
		become(program_.c_str(), input, out[1], err[1], task.memory_limit_mb, parent);
	close(input);
	close(out[1]);
	close(err[1]);
	output_ = out[0];
	errors_ = err[0];
	fcntl(output_, F_SETFL, O_NONBLOCK);
	fcntl(errors_, F_SETFL, O_NONBLOCK);
	if (time_limit_s_ > 0)
		deadline_ =
			start_ + std::chrono::duration_cast<Clock::duration>(
					 std::chrono::duration<double>(time_limit_s_ + grace_s));
}

Worker::~Worker()
{
	if (output_ >= 0)
		close(output_);
	if (errors_ >= 0)
		close(errors_);
	if (!ended_) {
		kill(process_, SIGKILL);
		waitpid(process_, nullptr, 0);
	}
}

void Worker::read_into(int &descriptor, std::string &text)
{
	char buffer[65536];
	while (descriptor >= 0) {
		const ssize_t count = read(descriptor, buffer, sizeof(buffer));
		if (count > 0) {
			text.append(buffer, size_t(count));
			if (text.size() > line_max)
				return;
			continue;
		}
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0 && errno == EAGAIN)
			return;
		close(descriptor);
		descriptor = -1;
	}
}

void Worker::take_line(const std::string &line,
		       const std::function<void(const WorkerProgress &)> &on_progress)
{
	json::error_code error;
	json::value value = json::parse(line, error);
	const json::object *object = error ? nullptr : value.if_object();
	const json::value *kind = object ? object->if_contains("kind") : nullptr;
	if (!kind || !kind->is_string()) {
		if (babble_.empty())
			babble_ = line.substr(0, 60);
		return;
	}
	if (kind->as_string() == "result" || kind->as_string() == "replay") {
		end_.last = *object;
		return;
	}
	const json::value *executions = object->if_contains("executions");
	const json::value *wall = object->if_contains("wall_s");
	if (kind->as_string() == "progress" && executions && executions->is_int64() && wall &&
	    wall->is_number())
		on_progress({uint64_t(executions->as_int64()), wall->to_number<double>()});
}

void Worker::take_lines(const std::function<void(const WorkerProgress &)> &on_progress)
{
	size_t start = 0;
	for (size_t end; (end = output_text_.find('\n', start)) != std::string::npos;
	     start = end + 1)
		if (end > start)
			take_line(output_text_.substr(start, end - start), on_progress);
	output_text_.erase(0, start);
}

void Worker::step(const std::function<void(const WorkerProgress &)> &on_progress)
{
	if (ended_)
		return;
	// Looking for the end first: what is read afterwards is then all there is,
	// even if a grandchild keeps the pipe open.
	int status = 0;
	rusage usage = {};
	const pid_t reaped = wait4(process_, &status, WNOHANG, &usage);
	read_into(output_, output_text_);
	read_into(errors_, errors_text_);
	take_lines(on_progress);
	if (errors_text_.size() > errors_max)
		errors_text_.erase(0, errors_text_.size() - errors_max);
	if (reaped == process_)
		finish(status, usage.ru_maxrss);
	else
		kill_if_late();
}

void Worker::stop()
{
	if (ended_)
		return;
	kill(process_, SIGTERM);
	const auto latest = Clock::now() + std::chrono::duration_cast<Clock::duration>(
						   std::chrono::duration<double>(grace_s));
	if (!deadline_ || latest < *deadline_) {
		deadline_ = latest;
		time_limit_s_ = 0;
	}
}

void Worker::kill_if_late()
{
	if (output_text_.size() > line_max && killed_for_.empty())
		killed_for_ = "it wrote a line without end and was killed";
	else if (deadline_ && Clock::now() > *deadline_ && killed_for_.empty())
		killed_for_ = time_limit_s_ > 0
				      ? fmt::format("it did not stop at its time limit of {} s and "
						    "was killed {} s later",
						    time_limit_s_, grace_s)
				      : "it did not stop when asked to and was killed";
	else
		return;
	kill(process_, SIGKILL);
}

std::string Worker::why(int status) const
{
	std::string text;
	if (!killed_for_.empty())
		text = killed_for_;
	else if (WIFSIGNALED(status))
		text = fmt::format("it died of signal {} ({})", WTERMSIG(status),
				   strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		text = fmt::format("it ended with exit code {}", WEXITSTATUS(status));
	else
		text = "it ended without its last line";
	if (!babble_.empty())
		text += fmt::format(", after a line that is no report: \"{}\"", babble_);
	const std::string said = last_line(errors_text_);
	if (!said.empty())
		text += fmt::format("; it said: {}", said);
	return "the worker failed: " + text;
}

void Worker::finish(int status, long peak_kb)
{
	ended_ = true;
	end_.wall_s = std::chrono::duration<double>(Clock::now() - start_).count();
	end_.peak_mb = double(peak_kb) / 1024;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && end_.last)
		return;
	// A last line from a process that then failed is not to be trusted.
	end_.last.reset();
	end_.bad_input = WIFEXITED(status) && WEXITSTATUS(status) == 2;
	end_.failure =
		end_.bad_input && !errors_text_.empty() ? last_line(errors_text_) : why(status);
}

} // namespace wakerace
