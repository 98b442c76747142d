// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two schedulers that plug into rl::run_test. SearchScheduler asks a Search;
// TreeScheduler is Relacy's own exhaustive search (the reference that dpor is
// compared with), with a bound on preemptions where one is asked for. Both
// know guards: a thread whose condition does not hold is never run.
// Include after Relacy's headers and memory.hpp.
#pragma once

#include "checker/relacy/memory.hpp"

namespace wakerace {

// The session that is being explored; Relacy constructs its own objects and
// passes them nothing.
inline Session *exploring = nullptr;

template <unsigned threads> struct Current {
	static inline RelacyMemory<threads> *memory = nullptr;
};

// Hides Relacy's context while our code runs inside one of its callbacks.
class Hide {
public:
	Hide() : context_(rl::context_holder<>::instance_)
	{
		rl::context_holder<>::instance_ = nullptr;
	}
	~Hide() { rl::context_holder<>::instance_ = context_; }

private:
	rl::context *context_;
};

template <unsigned threads>
class SearchScheduler
    : public rl::scheduler<SearchScheduler<threads>, rl::scheduler_thread_info, threads> {
public:
	using Base = rl::scheduler<SearchScheduler, rl::scheduler_thread_info, threads>;
	using typename Base::shared_context_t;
	struct task_t {};

	SearchScheduler(rl::test_params &params, shared_context_t &context, rl::thread_id_t dynamic)
	    : Base(params, context, dynamic)
	{
	}

	rl::thread_id_t iteration_begin_impl()
	{
		Hide hide;
		Current<threads>::memory->start();
		return 0;
	}

	bool iteration_end_impl()
	{
		Hide hide;
		return exploring->end_execution();
	}

	rl::thread_id_t schedule_impl(rl::unpark_reason &reason, unsigned)
	{
		Hide hide;
		reason = rl::unpark_reason_normal;
		const int unstarted = exploring->unstarted();
		return unstarted >= 0 ? unstarted : exploring->pick();
	}

	unsigned rand_impl(unsigned limit, rl::sched_type)
	{
		Hide hide;
		return Current<threads>::memory->newest_only() ? 0 : exploring->choose(limit);
	}

	rl::iteration_t iteration_count_impl() { return this->iter_ + 1; }
	void get_state_impl(std::ostream &) {}
	void set_state_impl(std::istream &) {}
	void on_thread_block(rl::thread_id_t, bool) {}
};

template <unsigned threads>
class TreeScheduler
    : public rl::tree_search_scheduler<TreeScheduler<threads>,
				       rl::tree_search_scheduler_thread_info<threads>, threads> {
public:
	using Base =
		rl::tree_search_scheduler<TreeScheduler,
					  rl::tree_search_scheduler_thread_info<threads>, threads>;
	using typename Base::shared_context_t;
	using typename Base::thread_info_t;

	TreeScheduler(rl::test_params &params, shared_context_t &context, rl::thread_id_t dynamic)
	    : Base(params, context, dynamic)
	{
	}

	rl::thread_id_t iteration_begin_impl()
	{
		Hide hide;
		this->stree_depth_ = 0;
		preemptions_left_ = exploring->request().context_bound;
		Current<threads>::memory->start();
		return 0;
	}

	bool iteration_end_impl()
	{
		bool over;
		{
			Hide hide;
			over = exploring->end_execution();
		}
		return Base::iteration_end_impl() || over;
	}

	rl::thread_id_t schedule_impl(rl::unpark_reason &reason, unsigned yield)
	{
		reason = rl::unpark_reason_normal;
		if (const int unstarted = unstarted_thread(); unstarted >= 0)
			return unstarted;
		block_by_guards();
		if (exploring->leaving()) {
			purge_blocked_threads();
			Hide hide;
			return exploring->pick();
		}
		const rl::thread_id_t thread = Base::schedule_impl(reason, yield);
		Hide hide;
		exploring->picked(thread);
		return thread;
	}

	unsigned rand_impl(unsigned limit, rl::sched_type type)
	{
		if (type == rl::sched_type_sched)
			return Base::rand_impl(limit, type);
		if (Current<threads>::memory->newest_only())
			return 0;
		const unsigned alternative = Base::rand_impl(limit, type);
		Hide hide;
		exploring->chosen(alternative);
		return alternative;
	}

	bool can_switch(thread_info_t &)
	{
		return exploring->request().search == "full" || preemptions_left_ > 0;
	}

	void on_switch(thread_info_t &from)
	{
		if (from.state_ == rl::thread_state_running && preemptions_left_ > 0)
			--preemptions_left_;
	}

	double iteration_count_approx() { return static_cast<double>(this->iter_) + 1; }

	// Relacy calls a state in which all threads are blocked a deadlock and
	// stops; to us it is the end of an execution, and the threads leave.
	void purge_blocked_threads()
	{
		for (unsigned t = 0; t < threads; ++t)
			if (this->threads_[t].state_ == rl::thread_state_blocked)
				this->unblock_thread(t);
	}

private:
	unsigned preemptions_left_ = 0;

	int unstarted_thread()
	{
		Hide hide;
		return exploring->unstarted();
	}

	void block_by_guards()
	{
		Moment moment;
		{
			Hide hide;
			moment = exploring->moment();
			if (!moment.enabled && !exploring->leaving())
				exploring->end_of_run(moment);
		}
		for (unsigned t = 0; t < threads; ++t) {
			const auto state = this->threads_[t].state_;
			if (!(moment.present & bit(t)))
				continue;
			if (moment.enabled & bit(t) && state == rl::thread_state_blocked)
				this->unblock_thread(t);
			if (!(moment.enabled & bit(t)) && state == rl::thread_state_running)
				this->block_thread(t, false);
		}
	}
};

} // namespace wakerace
