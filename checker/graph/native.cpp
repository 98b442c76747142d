// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the threads of a program are run along a graph; what they do on the way
// is in native_hooks.cpp.
#include "checker/graph/native.hpp"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <fmt/format.h>

namespace wakerace {

namespace context = boost::context::detail;

namespace {

constexpr size_t stack_size = 64 * 1024;     // bytes
constexpr uint64_t poison_checks_apart = 64; // executions

} // namespace

NativeThreads::NativeThreads(const Module &module, const wr_program &program, Options options)
    : module_(module), program_(program), options_(std::move(options)),
      image_(become_current(), program, options_.poison), fibers_(program.threads),
      mark_counts_(module.description().mark_count)
{
	options_.weakened.resize(module.description().site_count);
	restart_all();
}

// The set-up of the image calls back already.
const Module &NativeThreads::become_current()
{
	current = this;
	return module_;
}

std::vector<uint64_t> NativeThreads::initial() const
{
	std::vector<uint64_t> values = image_.initial();
	values.resize(values.size() + WR_STACKS_MAX);
	return values;
}

void NativeThreads::set_error(std::string text)
{
	if (error_.empty())
		error_ = std::move(text);
}

// --- Following a graph --------------------------------------------------------

void NativeThreads::become(const Graph &graph)
{
	graph_ = &graph;
	broken_ = false;
	for (unsigned t = 0; t < fibers_.size(); ++t) {
		const std::vector<uint64_t> &values = fibers_[t].values;
		const std::vector<int> &nodes = graph.of(t);
		const size_t common = std::min(values.size(), nodes.size());
		size_t same = 0;
		while (same < common && values[same] == graph[nodes[same]].value)
			++same;
		cut(t, static_cast<int>(same));
	}
}

void NativeThreads::cut(unsigned thread, int length)
{
	Fiber &fiber = fibers_[thread];
	if (static_cast<int>(fiber.values.size()) <= length)
		return;
	fiber.stale = true;
	restart_ |= together_;
	broken_ = false;
}

void NativeThreads::restart(Fiber &fiber)
{
	const unsigned thread = static_cast<unsigned>(&fiber - fibers_.data());
	fiber.state = State::fresh;
	fiber.stale = fiber.too_long = fiber.writes = false;
	fiber.values.clear();
	fiber.cell = -1;
	fiber.record.clear();
	on_stacks_[WR_STACKS_MAX + thread] = OnStack{};
	image_.restore_private(thread);
}

void NativeThreads::restart_all()
{
	restart_ = revealed_ = false;
	image_.restore();
	stacks_.restart();
	on_stacks_.fill(OnStack{});
	left_.fill(Left{});
	for (Fiber &fiber : fibers_)
		restart(fiber);
}

const Label &NativeThreads::next(unsigned thread)
{
	if (!arrived(thread)) {
		if (together_)
			follow();
		else
			run_to_its_end(thread);
	}
	return fibers_[thread].label;
}

bool NativeThreads::arrived(unsigned thread) const
{
	const Fiber &fiber = fibers_[thread];
	return !fiber.stale && !restart_ && fiber.values.size() == graph_->of(thread).size() &&
	       (fiber.state == State::suspended || fiber.state == State::refused);
}

void NativeThreads::run_to_its_end(unsigned thread)
{
	Fiber &fiber = fibers_[thread];
	if (fiber.stale)
		restart(fiber);
	while (!arrived(thread) && error_.empty()) {
		resume(thread);
		if (together_) // which it has just become
			return follow();
	}
}

// A thread may have to wait until another has left the stack that it goes on on.
void NativeThreads::follow()
{
	if (restart_)
		restart_all();
	for (bool moves = true; moves && error_.empty();) {
		moves = false;
		for (unsigned t = 0; t < fibers_.size(); ++t) {
			if (arrived(t))
				continue;
			const size_t before = fibers_[t].values.size();
			const State state = fibers_[t].state;
			resume(t);
			moves |= fibers_[t].values.size() != before || fibers_[t].state != state;
		}
	}
}

void NativeThreads::resume(unsigned thread)
{
	Fiber &fiber = fibers_[thread];
	hide();
	if (fiber.state == State::fresh) {
		if (!fiber.memory)
			fiber.memory.reset(new char[stack_size]);
		fiber.context = context::make_fcontext(
			fiber.memory.get() + stack_size, stack_size, [](context::transfer_t from) {
				auto *threads = static_cast<NativeThreads *>(from.data);
				threads->explorer_ = from.fctx;
				threads->run_body();
			});
	}
	running_ = thread;
	exploring_ = true;
	fiber.context = context::jump_fcontext(fiber.context, this).fctx;
	exploring_ = false;
}

void NativeThreads::run_body()
{
	program_.thread(running_);
	complete_previous();
	stop();
}

// The thread goes no further, until it starts again.
void NativeThreads::stop()
{
	here().label = Label{};
	for (;;)
		suspend(State::suspended);
}

void NativeThreads::suspend(State state)
{
	here().state = state;
	explorer_ = context::jump_fcontext(explorer_, nullptr).fctx;
}

void NativeThreads::fail(std::string text)
{
	set_error(std::move(text));
	stop();
}

// --- The end of a graph -------------------------------------------------------

bool NativeThreads::truncated() const
{
	return std::any_of(fibers_.begin(), fibers_.end(),
			   [](const Fiber &fiber) { return fiber.too_long; });
}

std::vector<Waiting> NativeThreads::waiting() const
{
	std::vector<Waiting> waiting;
	for (unsigned t = 0; t < fibers_.size(); ++t) {
		const Label &label = fibers_[t].label;
		if (label.waits)
			waiting.push_back({static_cast<uint8_t>(t), label.guard->wait, label.role,
					   label.guard->terms[0].cell, label.place});
	}
	return waiting;
}

std::string NativeThreads::finish(bool complete)
{
	outcome_.clear();
	epilogue_.clear();
	if (!revealed_)
		check_poison();
	if (!error_.empty())
		return "";
	if (!program_.finally && !module_.description().allowed_places)
		return "";
	// The program's own questions to its memory come after this, too.
	for (size_t cell = 0; cell < module_.cells().size(); ++cell)
		image_.poke(static_cast<int>(cell), graph_->final_value(static_cast<int>(cell)));
	revealed_ = true;
	if (complete && program_.finally)
		program_.finally();
	return outcome_;
}

// Looks at the whole image, so not each time.
void NativeThreads::check_poison()
{
	if (finished_++ % poison_checks_apart)
		return;
	if (const int cell = image_.overwritten(); cell >= 0)
		set_error(fmt::format("{} was written by an access that escaped instrumentation",
				      module_.cell_name(cell)));
}

void NativeThreads::hide()
{
	for (size_t cell = 0; revealed_ && cell < module_.cells().size(); ++cell)
		image_.poison(static_cast<int>(cell));
	revealed_ = false;
}

} // namespace wakerace
