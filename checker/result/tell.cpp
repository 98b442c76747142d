// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result/tell.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace wakerace {

namespace {

// The kernel's primitives are not where an access stands; their caller is.
bool is_primitive(const std::string &file)
{
	return file.find("include/linux/") != std::string::npos;
}

std::string tell_order(const Event &event)
{
	if (event.kind == EventKind::fence) {
		switch (event.fence) {
		case WR_FENCE_MB:
			return "mb";
		case WR_FENCE_RMB:
			return "rmb";
		case WR_FENCE_WMB:
			return "wmb";
		case WR_FENCE_CTRL_ACQ:
			return "ctrl-acquire";
		}
	}
	switch (event.order) {
	case WR_PLAIN:
		return "plain";
	case WR_ONCE:
		return "once";
	case WR_ACQUIRE:
		return "acquire";
	case WR_RELEASE:
		return "release";
	case WR_FULL:
		return "full";
	}
	return "";
}

std::string tell_kind(const Event &event)
{
	switch (event.role) {
	case EventRole::lock:
		return "lock";
	case EventRole::unlock:
		return "unlock";
	case EventRole::await:
		return "await";
	case EventRole::plain:
		break;
	}
	switch (event.kind) {
	case EventKind::read:
		return "read";
	case EventKind::write:
		return "write";
	case EventKind::rmw:
		return "rmw";
	case EventKind::fence:
		return "fence";
	}
	return "";
}

// A line of addr2line's output without its end.
bool read_line(FILE *from, std::string &line)
{
	line.clear();
	for (int c; (c = std::fgetc(from)) != EOF && c != '\n';)
		line += static_cast<char>(c);
	return !line.empty();
}

// "file.cpp:12 (discriminator 3)"
Source parse_source(std::string function, const std::string &place)
{
	Source source;
	source.function = function.substr(0, function.find('('));
	const size_t colon = place.rfind(':');
	source.file = place.substr(0, colon);
	while (source.file.starts_with("./") || source.file.starts_with("/"))
		source.file.erase(0, source.file.find('/') + 1);
	if (colon != std::string::npos)
		source.line = static_cast<unsigned>(std::atoi(place.c_str() + colon + 1));
	return source;
}

} // namespace

void Teller::look_up(const std::vector<uintptr_t> &places)
{
	std::string command = fmt::format("addr2line -a -i -f -C -e '{}'", module_.path());
	bool any = false;
	for (uintptr_t place : places)
		if (place && sources_.emplace(place, Source{}).second) {
			// The call stands before the address that it returns to.
			command += fmt::format(" {:#x}", module_.offset_in_file(place) - 1);
			any = true;
		}
	if (!any)
		return;
	std::unique_ptr<FILE, int (*)(FILE *)> output(popen(command.c_str(), "r"), pclose);
	std::string line, place;
	Source *current = nullptr;
	while (output && read_line(output.get(), line)) {
		if (line.starts_with("0x")) {
			const uintptr_t offset = std::stoull(line, nullptr, 16);
			current = nullptr;
			for (auto &[address, source] : sources_)
				if (address && module_.offset_in_file(address) - 1 == offset)
					current = &source;
			continue;
		}
		read_line(output.get(), place);
		// The innermost frame that is not one of the primitives.
		if (current && (current->line == 0 || is_primitive(current->file)))
			*current = parse_source(line, place);
	}
}

const Source &Teller::source(uintptr_t place)
{
	look_up({place});
	return sources_[place];
}

std::string Teller::tell_note(const Note &note) const
{
	const std::string item = module_.item_name(note.item);
	const std::string place = module_.place_name(note.place);
	switch (note.kind) {
	case WR_WORK_COMMIT:
		return fmt::format("from here {} has work: {}", place, item);
	case WR_WORK_DONE:
		return fmt::format("{} has left {}", item, place);
	case WR_OWNER_BEGIN:
	case WR_OWNER_START:
		return fmt::format("{} runs {}", place, item);
	case WR_OWNER_END:
		return fmt::format("{} is done with {}", place, item);
	case WR_WAKE:
		return fmt::format("{} is woken", item);
	case WR_POLL_BEGIN:
		return fmt::format("{} polls from here on", place);
	case WR_POLL_END:
		return fmt::format("{} polls no more", place);
	case WR_QUEUE_IN:
	case WR_QUEUE_OUT:
	case WR_RUN:
		break; // said by others of the same access
	}
	return "";
}

// What the last access of a call means.
std::string Teller::tell_answer(const Call &call) const
{
	const auto so = [&](const char *yes, const char *no) {
		return fmt::format("so {} {}", module_.place_name(call.subject),
				   call.result ? yes : no);
	};
	switch (call.kind) {
	case WR_CALL_IDLE:
		return so("is idle", "is busy");
	case WR_CALL_SEARCH:
		return so("searches others for work", "searches no others");
	case WR_CALL_KICK:
		return so("is interrupted", "is not interrupted");
	case WR_CALL_SELECT:
		break; // said by where the item's work goes
	}
	return "";
}

StoryEvent Teller::tell_event(const Execution &execution, const Event &event, unsigned step)
{
	StoryEvent told;
	told.step = step;
	told.thread = event.thread;
	told.kind = tell_kind(event);
	told.order = tell_order(event);
	if (event.primitive)
		told.value = event.primitive;
	if (event.cell >= 0) {
		told.cell = module_.cell_name(event.cell);
		told.value = module_.value_name(event.cell,
						event.writes() ? event.written : event.value);
	}
	if (event.writes())
		told.old_value = module_.value_name(event.cell, event.before);
	if (event.reads())
		told.reads_from = event.reads_from;
	told.stale = event.stale;
	told.source = source(event.place);
	for (const Note &note : execution.notes)
		if (note.event == static_cast<int>(step))
			if (std::string text = tell_note(note); !text.empty())
				told.notes.push_back(std::move(text));
	for (const Call &call : execution.calls) {
		if (call.thread != event.thread || !call.returned || call.last < call.first ||
		    call.last != event.position)
			continue;
		if (std::string text = tell_answer(call); !text.empty())
			told.notes.push_back(std::move(text));
	}
	return told;
}

std::string Teller::tell_waiting(const Execution &execution, const Waiting &waiting)
{
	std::string text = fmt::format("{} waits for {}", module_.place_name(waiting.thread),
				       module_.cell_name(waiting.cell));
	if (waiting.wait == WR_WAIT_IDLE)
		return text + " (idle)";
	const auto &order = execution.coherence[waiting.cell];
	if (!order.empty()) {
		const Event &last = execution.events[order.back()];
		text += fmt::format(", which {} left at {}", module_.place_name(last.thread),
				    module_.value_name(waiting.cell, last.written));
	}
	return text;
}

void Teller::tell(const Execution &execution, Story &story)
{
	std::vector<uintptr_t> places;
	for (const Event &event : execution.events)
		places.push_back(event.place);
	look_up(places);
	story.events.clear();
	for (unsigned i = 0; i < execution.events.size(); ++i)
		story.events.push_back(tell_event(execution, execution.events[i], i));
	story.waiting.clear();
	for (const Waiting &waiting : execution.waiting)
		story.waiting.push_back(tell_waiting(execution, waiting));
	story.threads.clear();
	for (unsigned t = 0; t < execution.by_thread.size(); ++t)
		story.threads.push_back(module_.place_name(t));
	// Up to the end of the proof.
	const auto &steps = story.violation.steps;
	const auto last = std::max_element(steps.begin(), steps.end());
	story.context_switches = execution.context_switches(
		last == steps.end() ? execution.events.size() : *last + 1);
}

} // namespace wakerace
