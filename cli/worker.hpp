// SPDX-License-Identifier: GPL-2.0-or-later
//
// One worker: a child process that explores one scenario and reports in lines
// of JSON. Whatever it does - crash, hang, babble - ends as a WorkerEnd.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace wakerace {

struct WorkerTask {
	std::filesystem::path program;
	boost::json::object request;
	double time_limit_s = 0;      // 0: none
	unsigned memory_limit_mb = 0; // 0: none
};

struct WorkerEnd {
	std::optional<boost::json::object> last; // its result or replay
	std::string failure;                     // one sentence if there is no last line
	bool bad_input = false;                  // it refused what it was given
	double wall_s = 0;
	double peak_mb = 0;
};

struct WorkerProgress {
	uint64_t executions = 0;
	double wall_s = 0;
};

class Worker {
public:
	explicit Worker(const WorkerTask &task);
	~Worker();
	Worker(const Worker &) = delete;
	Worker &operator=(const Worker &) = delete;

	int output() const { return output_; }
	int errors() const { return errors_; }

	// Reads what is there and looks whether the process has ended.
	void step(const std::function<void(const WorkerProgress &)> &on_progress);
	bool ended() const { return ended_; }
	// Nothing more can be read, so the end is near.
	bool closing() const { return output_ < 0 && errors_ < 0; }
	const WorkerEnd &end() const { return end_; }

	// Asks it to stop and report; it is killed if it does not.
	void stop();

private:
	using Clock = std::chrono::steady_clock;

	void read_into(int &descriptor, std::string &text);
	void take_lines(const std::function<void(const WorkerProgress &)> &on_progress);
	void take_line(const std::string &line,
		       const std::function<void(const WorkerProgress &)> &on_progress);
	void kill_if_late();
	void finish(int status, long peak_kb);
	std::string why(int status) const;

	std::string program_;
	pid_t process_ = -1;
	int output_ = -1;
	int errors_ = -1;
	std::string output_text_; // not yet a whole line
	std::string errors_text_;
	std::string babble_; // the first line that is no JSON
	double time_limit_s_;
	Clock::time_point start_;
	std::optional<Clock::time_point> deadline_;
	std::string killed_for_;
	bool ended_ = false;
	WorkerEnd end_;
};

} // namespace wakerace
