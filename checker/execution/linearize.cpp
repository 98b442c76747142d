// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/execution/linearize.hpp"

#include <algorithm>
#include <numeric>

namespace wakerace {

namespace {

class Linearizer {
public:
	Linearizer(const Execution &execution, const Order &order,
		   const std::vector<size_t> &priority)
	    : execution_(execution), order_(order), priority_(priority), next_(priority.size()),
	      thread_(priority.front())
	{
	}

	// Appends @targets and all that precedes them.
	bool append(const std::vector<int> &targets)
	{
		std::vector<int> wanted;
		for (int event = 0; event < count(); ++event)
			if (std::any_of(targets.begin(), targets.end(), [&](int target) {
				    return order_.before_or_same(event, target);
			    }))
				wanted.push_back(event);
		return run(wanted);
	}

	bool append_rest()
	{
		std::vector<int> all(count());
		for (int event = 0; event < count(); ++event)
			all[event] = event;
		return run(all);
	}

	std::vector<int> take() { return std::move(done_); }
	size_t size() const { return done_.size(); }

private:
	const Execution &execution_;
	const Order &order_;
	const std::vector<size_t> &priority_;
	std::vector<size_t> next_; // by thread: position of its next event
	std::vector<int> done_;
	size_t thread_; // that runs

	int count() const { return static_cast<int>(execution_.events.size()); }

	bool is_done(int event) const
	{
		const Event &e = execution_.events[event];
		return static_cast<size_t>(e.position) < next_[e.thread];
	}

	bool can_run(int event) const
	{
		for (int other = 0; other < count(); ++other)
			if (!is_done(other) && order_.before(other, event))
				return false;
		return true;
	}

	bool can_go_on(size_t thread, const std::vector<int> &wanted) const
	{
		const bool left = std::any_of(wanted.begin(), wanted.end(), [&](int event) {
			return execution_.events[event].thread == thread && !is_done(event);
		});
		return left && can_run(execution_.by_thread[thread][next_[thread]]);
	}

	// Runs threads until all of @wanted has happened: each as long as it can,
	// then the first by priority.
	bool run(const std::vector<int> &wanted)
	{
		for (;;) {
			if (!can_go_on(thread_, wanted)) {
				const auto next = std::find_if(
					priority_.begin(), priority_.end(),
					[&](size_t thread) { return can_go_on(thread, wanted); });
				if (next == priority_.end())
					break;
				thread_ = *next;
			}
			done_.push_back(execution_.by_thread[thread_][next_[thread_]++]);
		}
		return std::all_of(wanted.begin(), wanted.end(),
				   [&](int event) { return is_done(event); });
	}
};

// With threads that are stuck followed by others in the order of @priority.
Linear linearize(const Execution &execution, const Order &order, const Stages &stages,
		 const std::vector<size_t> &priority)
{
	Linearizer linearizer(execution, order, priority);
	Linear linear;
	for (size_t stage = 0; stage + 1 < stages.size(); ++stage)
		if (!linearizer.append(stages[stage]))
			return {};
	linear.told = linearizer.size();
	if (!linearizer.append_rest())
		return {};
	linear.events = linearizer.take();
	const auto rest = linear.events.begin() + static_cast<std::ptrdiff_t>(linear.told);
	for (int late : stages.back())
		if (std::find(linear.events.begin(), rest, late) != rest)
			return {};
	return linear;
}

unsigned switches(const Execution &execution, const Linear &linear)
{
	unsigned count = 0;
	for (size_t i = 1; i < linear.told; ++i)
		count += execution.events[linear.events[i]].thread !=
			 execution.events[linear.events[i - 1]].thread;
	return count;
}

} // namespace

Linear linearize(const Execution &execution, const Order &order, const Stages &stages)
{
	Linear best;
	if (stages.empty())
		return best;
	std::vector<size_t> priority(execution.by_thread.size());
	std::iota(priority.begin(), priority.end(), 0);
	do {
		Linear linear = linearize(execution, order, stages, priority);
		if (!linear.events.empty() &&
		    (best.events.empty() ||
		     switches(execution, linear) < switches(execution, best)))
			best = std::move(linear);
	} while (std::next_permutation(priority.begin(), priority.end()));
	return best;
}

} // namespace wakerace
