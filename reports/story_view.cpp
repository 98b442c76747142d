// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/story_view.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace wakerace {

namespace {

std::string fence_name(const std::string &order)
{
	if (order == "ctrl-acquire")
		return "smp_acquire__after_ctrl_dep()";
	return "smp_" + order + "()";
}

// The plainest orderings are the rule; naming them on each line would hide
// the others.
std::string order_mark(const StoryEvent &event, bool verbose)
{
	const bool plainest = event.order == "once" || event.order == "plain";
	if (event.order.empty() || (plainest && !verbose))
		return "";
	return " [" + event.order + "]";
}

std::string operation(const StoryEvent &event, bool verbose)
{
	if (event.kind == "fence")
		return event.value.empty() ? fence_name(event.order) : event.value + "()";
	// A lock's ordering is known to everybody.
	if (event.kind == "lock" || event.kind == "unlock")
		return event.kind + " " + event.cell;
	const std::string mark = order_mark(event, verbose);
	if (event.kind == "read")
		return fmt::format("{} = {}{}", event.cell, event.value, mark);
	if (event.kind == "await")
		return fmt::format("awaits {}, sees {}{}", event.cell, event.value, mark);
	if (event.old_value == event.value)
		return fmt::format("{}: stays {}{}", event.cell, event.value, mark);
	return fmt::format("{}: {} -> {}{}", event.cell, event.old_value, event.value, mark);
}

std::string origin(const Story &story, const StoryEvent &event)
{
	if (event.reads_from == StoryEvent::nothing)
		return "";
	if (event.reads_from == StoryEvent::initial)
		return "initial";
	const StoryEvent &writer = story.events[size_t(event.reads_from)];
	return fmt::format("from #{} {}", writer.step, story.threads[writer.thread]);
}

bool only_reads(const StoryEvent &event)
{
	return (event.kind == "read" || event.kind == "await") && event.notes.empty();
}

bool same_but_for_step(const StoryEvent &a, const StoryEvent &b)
{
	return a.kind == b.kind && a.cell == b.cell && a.value == b.value &&
	       a.reads_from == b.reads_from && a.stale == b.stale &&
	       a.source.file == b.source.file && a.source.line == b.source.line &&
	       a.source.function == b.source.function;
}

// Finds what a waiting loop did again and again. Works on the events of one
// thread, since others may act between two rounds of a loop.
class Folding {
public:
	Folding(const Story &story, std::vector<bool> proof)
	    : story_(story), proof_(std::move(proof)), times_(story.events.size(), 1)
	{
		for (unsigned thread = 0; thread < story.threads.size(); thread++)
			fold_thread(thread);
	}

	// How many equal events the line of this one stands for; 0: not shown.
	unsigned times(unsigned step) const { return times_[step]; }

private:
	// The longest loop body that is recognised, in accesses.
	static constexpr size_t body_max = 4;

	bool foldable(const StoryEvent &event) const
	{
		return only_reads(event) && !proof_[event.step];
	}

	// How many times the @body events from @start on are followed by the same.
	unsigned rounds(const std::vector<unsigned> &steps, size_t start, size_t body) const
	{
		const auto &events = story_.events;
		unsigned count = 1;
		for (size_t next = start + body; next + body <= steps.size(); next += body) {
			for (size_t i = 0; i < body; i++) {
				const StoryEvent &first = events[steps[start + i]];
				const StoryEvent &again = events[steps[next + i]];
				if (!foldable(first) || !foldable(again) ||
				    !same_but_for_step(first, again))
					return count;
			}
			count++;
		}
		return count;
	}

	void fold_thread(unsigned thread)
	{
		std::vector<unsigned> steps;
		for (const StoryEvent &event : story_.events)
			if (event.thread == thread)
				steps.push_back(event.step);
		for (size_t start = 0; start < steps.size();) {
			size_t body = 1;
			unsigned count = rounds(steps, start, body);
			while (count == 1 && body < body_max)
				count = rounds(steps, start, ++body);
			if (count == 1) {
				start++;
				continue;
			}
			for (size_t i = 0; i < body * count; i++)
				times_[steps[start + i]] = i < body ? count : 0;
			start += body * count;
		}
	}

	const Story &story_;
	std::vector<bool> proof_;
	std::vector<unsigned> times_;
};

// Once these have happened they stay true, whatever comes after the steps that
// prove them. The others are about what never comes.
bool proved_by_its_steps(const Violation &violation)
{
	static const std::set<std::string> never_comes = {"LOST_WAKEUP", "DEADLOCK", "LIVELOCK",
							  "ACCOUNTING_DRIFT", "MISSED_PREEMPTION"};
	return !violation.steps.empty() && !never_comes.contains(violation.type);
}

// How many steps from the start tell all that is to be told.
size_t told_steps(const Story &story)
{
	// Leaving out fewer than these would cost as many lines as it saves.
	constexpr size_t worth_it = 4;
	std::vector<Violation> all = story.also;
	all.push_back(story.violation);
	size_t end = 0;
	for (const Violation &violation : all) {
		if (!proved_by_its_steps(violation))
			return story.events.size();
		for (unsigned step : violation.steps)
			end = std::max<size_t>(end, step + 1);
	}
	return end + worth_it > story.events.size() ? story.events.size() : end;
}

StoryRow row_of(const Story &story, const StoryEvent &event, bool verbose)
{
	StoryRow row;
	row.step = event.step;
	row.thread = event.thread;
	row.who = story.threads[event.thread];
	row.function = event.source.function;
	row.file = event.source.file;
	row.line = event.source.line;
	row.operation = operation(event, verbose);
	row.origin = origin(story, event);
	row.stale = event.stale;
	row.notes = event.notes;
	return row;
}

} // namespace

std::string StoryRow::text() const
{
	std::string text = operation;
	if (!origin.empty())
		text += fmt::format(" ({}{})", origin, stale ? ", stale" : "");
	if (times > 1)
		text += fmt::format(" ... x{}", times);
	return text;
}

std::string StoryRow::short_place() const
{
	if (file.empty())
		return "";
	return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
}

StoryView view_story(const Story &story, bool verbose)
{
	std::vector<bool> proof(story.events.size());
	for (unsigned step : story.violation.steps)
		if (step < proof.size())
			proof[step] = true;
	const Folding folding(story, proof);

	StoryView view;
	const size_t end = verbose ? story.events.size() : told_steps(story);
	view.left_out = unsigned(story.events.size() - end);
	for (size_t i = 0; i < end; i++) {
		const StoryEvent &event = story.events[i];
		const unsigned times = verbose ? 1 : folding.times(event.step);
		if (!times)
			continue;
		StoryRow row = row_of(story, event, verbose);
		row.times = times;
		row.proof = proof[event.step];
		// True of nearly every line, it would hide the origins that matter.
		if (event.reads_from == StoryEvent::initial && !verbose && !row.proof && !row.stale)
			row.origin.clear();
		view.rows.push_back(std::move(row));
	}
	return view;
}

} // namespace wakerace
