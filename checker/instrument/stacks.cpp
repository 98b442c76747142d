// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/instrument/stacks.hpp"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>

namespace wakerace {

namespace {

namespace context = boost::context::detail;

unsigned number_of(unsigned thread, unsigned stack)
{
	return stack == WR_OWN_STACK ? WR_STACKS_MAX + thread : stack;
}

// What a switch hands over: where the context of the stack that was left is
// kept, and what the stack that is entered begins with.
struct Handover {
	void **left;
	unsigned stack;
	wr_stack_entry entry;
};

void begin(context::transfer_t from)
{
	const Handover handover = *static_cast<Handover *>(from.data);
	*handover.left = from.fctx;
	handover.entry(handover.stack);
	__builtin_trap(); // an entry that returns has nowhere to return to
}

} // namespace

void Stacks::restart()
{
	for (Stack &stack : stacks_)
		stack.context = nullptr;
	for (unsigned thread = 0; thread < WR_THREADS_MAX; ++thread)
		on_[thread] = number_of(thread, WR_OWN_STACK);
}

bool Stacks::is_free(unsigned thread, unsigned to) const
{
	const unsigned number = number_of(thread, to);
	return on_[thread] == number || std::find(on_.begin(), on_.end(), number) == on_.end();
}

void Stacks::go(unsigned thread, unsigned to, wr_stack_entry entry)
{
	if (on_[thread] == number_of(thread, to))
		return;
	Stack &left = stacks_[on_[thread]];
	Stack &next = stacks_[number_of(thread, to)];
	on_[thread] = number_of(thread, to);
	if (!next.context) {
		if (!next.memory)
			next.memory.reset(new char[size]);
		next.context = context::make_fcontext(next.memory.get() + size, size, begin);
	}
	Handover handover{&left.context, to, entry};
	const context::transfer_t from = context::jump_fcontext(next.context, &handover);
	*static_cast<Handover *>(from.data)->left = from.fctx;
}

} // namespace wakerace
