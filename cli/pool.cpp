// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pool.hpp"

#include "checker/result/json.hpp"

#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <poll.h>
#include <unistd.h>

namespace wakerace {

namespace {

volatile sig_atomic_t signals_seen = 0;

void count_signal(int)
{
	signals_seen = signals_seen + 1;
}

// Signals arrive only while we wait in ppoll, so none falls between looking
// at the count and going to sleep.
class SignalScope {
public:
	SignalScope()
	{
		signals_seen = 0;
		struct sigaction action = {};
		action.sa_handler = count_signal;
		sigaction(SIGINT, &action, &old_interrupt_);
		sigaction(SIGTERM, &action, &old_terminate_);
		sigset_t both;
		sigemptyset(&both);
		sigaddset(&both, SIGINT);
		sigaddset(&both, SIGTERM);
		sigprocmask(SIG_BLOCK, &both, &old_mask_);
		wait_mask_ = old_mask_;
		sigdelset(&wait_mask_, SIGINT);
		sigdelset(&wait_mask_, SIGTERM);
	}
	~SignalScope()
	{
		sigaction(SIGINT, &old_interrupt_, nullptr);
		sigaction(SIGTERM, &old_terminate_, nullptr);
		sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
	}
	SignalScope(const SignalScope &) = delete;
	SignalScope &operator=(const SignalScope &) = delete;

	const sigset_t *wait_mask() const { return &wait_mask_; }

private:
	struct sigaction old_interrupt_ = {}, old_terminate_ = {};
	sigset_t old_mask_, wait_mask_;
};

struct Running {
	size_t task;
	std::unique_ptr<Worker> worker;
};

void wait_for_news(const std::vector<Running> &running, const sigset_t *mask)
{
	std::vector<pollfd> descriptors;
	bool closing = false;
	for (const Running &one : running) {
		closing |= one.worker->closing();
		for (int descriptor : {one.worker->output(), one.worker->errors()})
			if (descriptor >= 0)
				descriptors.push_back({descriptor, POLLIN, 0});
	}
	// The end of a process makes no descriptor ready, hence the ticks; they
	// are short when an end is due.
	timespec tick = {0, closing ? 1'000'000 : 100'000'000};
	ppoll(descriptors.data(), descriptors.size(), &tick, mask);
}

} // namespace

bool run_pool(const std::vector<WorkerTask> &tasks, unsigned jobs, const PoolEvents &events)
{
	for (const WorkerTask &task : tasks)
		if (access(task.program.c_str(), X_OK))
			throw BadInput(fmt::format("there is no worker {}: build it with "
						   "./wakerace, or set {}",
						   task.program.string(),
						   "WAKERACE_WORKER or WAKERACE_GRAPH_WORKER"));
	const SignalScope signals;
	std::vector<Running> running;
	size_t next = 0;
	bool stopped = false;
	while (!running.empty() || (next < tasks.size() && !stopped)) {
		while (!stopped && next < tasks.size() && running.size() < jobs) {
			events.on_start(next);
			running.push_back({next, std::make_unique<Worker>(tasks[next])});
			next++;
		}
		wait_for_news(running, signals.wait_mask());
		if (signals_seen && !stopped) {
			stopped = true;
			for (const Running &one : running)
				one.worker->stop();
		}
		for (const Running &one : running) {
			one.worker->step([&](const WorkerProgress &progress) {
				events.on_progress(one.task, progress);
			});
			if (one.worker->ended())
				events.on_end(one.task, one.worker->end());
		}
		std::erase_if(running, [](const Running &one) { return one.worker->ended(); });
		// The second signal says that reports are not wanted either.
		if (signals_seen > 1)
			return false;
	}
	return !stopped;
}

} // namespace wakerace
