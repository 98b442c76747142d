// SPDX-License-Identifier: GPL-2.0-or-later
//
// Relacy for WR_RELACY_THREADS threads. Relacy's headers redefine new, delete
// and others as macros, so that everything else must be included before them,
// and they replace the global operator new: they appear in no other file.
#include "checker/relacy/run.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <relacy/relacy.hpp>
#pragma GCC diagnostic pop
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef $

#include "checker/relacy/schedulers.hpp"

namespace wakerace {

namespace {

constexpr unsigned N = WR_RELACY_THREADS;

// The engine: Relacy's memory, and its fibers to be suspended on.
class RelacyEngine : public RelacyMemory<N> {
public:
	using RelacyMemory<N>::RelacyMemory;

	unsigned thread() const override { return running_; }

	void arrive(const Op &op) override
	{
		const unsigned me = running_;
		session_.announce(me, op);
		{
			Reveal reveal;
			rl::ctx().sched();
		}
		running_ = me;
		if (session_.leaving())
			longjmp(exits_[me], 1);
	}

	unsigned choose(unsigned count) override
	{
		Reveal reveal;
		return rl::ctx().rand(count, rl::sched_type_user);
	}

	[[noreturn]] void give_up(Ending ending) override
	{
		session_.give_up(ending);
		longjmp(exits_[running_], 1);
	}

	// The body of one thread, from Relacy's fiber; its context is visible.
	void run(unsigned thread)
	{
		Reveal::hide();
		running_ = thread;
		// One that has not begun when another gives up has nothing to leave.
		if (setjmp(exits_[thread]) == 0 && !session_.leaving()) {
			session_.runtime().program().thread(thread);
			session_.runtime().thread_ended();
		}
		session_.ended(thread);
		Reveal::show();
	}

private:
	unsigned running_ = 0;
	jmp_buf exits_[N];
};

RelacyEngine *engine;

struct Suite : rl::test_suite<Suite, N> {
	void thread(unsigned index) { engine->run(index); }
};

// Writes nothing: Relacy's own reports are not used.
std::ostream silence(nullptr);

} // namespace

template <> void run_relacy<N>(Session &session)
{
	RelacyEngine here(session);
	engine = &here;
	exploring = &session;
	Current<N>::memory = &here;
	rl::test_params params;
	params.output_stream = &silence;
	params.progress_stream = &silence;
	params.execution_depth_limit = ~0u;
	// Lets a read go two writes back instead of one; the scheduler's type,
	// not this, decides the search.
	params.search_type = rl::random_scheduler_type;
	std::ostringstream state;
	if (session.search())
		rl::run_test<Suite, SearchScheduler<N>>(params, state, false);
	else
		rl::run_test<Suite, TreeScheduler<N>>(params, state, false);
	exploring = nullptr;
	engine = nullptr;
}

} // namespace wakerace
