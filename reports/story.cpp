// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports/story.hpp"

#include "reports/counted.hpp"
#include "reports/story_view.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace wakerace {

namespace {

constexpr unsigned step_columns = 7; // "> 123  "
constexpr unsigned lane_min = 22;    // narrower lanes cannot be told apart

std::string step_label(const StoryRow &row)
{
	return fmt::format("{} {:>3}  ", row.proof ? '>' : ' ', row.step);
}

// In a lane the function stands once above its accesses, so that an access
// needs only its line.
std::string lane_function(const StoryRow &row)
{
	if (row.function.empty())
		return "";
	return fmt::format("{}()  {}", row.function, row.file.substr(row.file.rfind('/') + 1));
}

std::string lane_access(const StoryRow &row)
{
	return row.line ? fmt::format("  {:>4}: {}", row.line, row.text()) : "  " + row.text();
}

std::string lane_note(const std::string &note)
{
	return "        ^ " + note;
}

// Where each lane starts. A row has text in one lane only, so a long text may
// run over the lanes to its right; it must end before the right edge.
class Lanes {
public:
	Lanes(const Story &story, const std::vector<StoryRow> &rows, unsigned width)
	    : count_(unsigned(story.threads.size())), widths_(count_)
	{
		for (unsigned i = 0; i < count_; i++)
			widths_[i] = unsigned(story.threads[i].size());
		for (const StoryRow &row : rows) {
			widen(row.thread, lane_function(row));
			widen(row.thread, lane_access(row));
			for (const std::string &note : row.notes)
				widen(row.thread, lane_note(note));
		}
		choose_pitch(width);
	}

	bool fit() const { return pitch_ != 0; }

	std::string at(unsigned lane, const std::string &text) const
	{
		return std::string(size_t(lane) * pitch_, ' ') + text;
	}

	std::string header(const Story &story, char rule) const
	{
		std::string line(step_columns, ' ');
		for (unsigned i = 0; i < count_; i++) {
			line.resize(std::max<size_t>(line.size(), step_columns + i * pitch_), ' ');
			const std::string &name = story.threads[i];
			line += (rule ? std::string(name.size(), rule) : name) + " ";
		}
		while (!line.empty() && line.back() == ' ')
			line.pop_back();
		return line + '\n';
	}

private:
	void widen(unsigned lane, const std::string &text)
	{
		widths_[lane] = std::max(widths_[lane], unsigned(text.size()));
	}

	// The widest lanes for which every lane's text ends within @width.
	void choose_pitch(unsigned width)
	{
		if (!count_)
			return;
		unsigned pitch = *std::max_element(widths_.begin(), widths_.end()) + 2;
		for (unsigned i = 0; i < count_; i++) {
			const unsigned used = step_columns + widths_[i];
			if (used > width)
				return;
			if (i)
				pitch = std::min(pitch, (width - used) / i);
		}
		if (count_ == 1 || pitch >= lane_min)
			pitch_ = pitch;
	}

	unsigned count_;
	std::vector<unsigned> widths_;
	unsigned pitch_ = 0;
};

std::string in_lanes(const Story &story, const std::vector<StoryRow> &rows, const Lanes &lanes)
{
	const std::string margin(step_columns, ' ');
	std::string text = lanes.header(story, 0) + lanes.header(story, '-');
	const StoryRow *previous = nullptr;
	for (const StoryRow &row : rows) {
		const bool same = previous && previous->thread == row.thread &&
				  previous->function == row.function && previous->file == row.file;
		if (!same && !row.function.empty())
			text += margin + lanes.at(row.thread, lane_function(row)) + '\n';
		text += step_label(row) + lanes.at(row.thread, lane_access(row)) + '\n';
		for (const std::string &note : row.notes)
			text += margin + lanes.at(row.thread, lane_note(note)) + '\n';
		previous = &row;
	}
	return text;
}

std::string one_line(const StoryRow &row)
{
	std::string text = step_label(row) + row.who;
	if (!row.function.empty())
		text += " " + row.function;
	if (!row.file.empty())
		text += fmt::format(" {}:{}", row.file, row.line);
	return text + "  " + row.text();
}

std::string in_one_column(const std::vector<StoryRow> &rows)
{
	std::string text;
	for (const StoryRow &row : rows) {
		text += one_line(row) + '\n';
		for (const std::string &note : row.notes)
			text += fmt::format("{}^ {}: {}\n", std::string(step_columns, ' '), row.who,
					    note);
	}
	return text;
}

// The violated invariant, and the steps whose order contradicts it.
std::string proof(const Story &story, const std::vector<StoryRow> &rows)
{
	const Violation &violation = story.violation;
	if (violation.type.empty())
		return "no invariant is violated\n";
	std::string text = fmt::format("{}: {}\n", violation.type, violation.text);
	if (violation.steps.empty())
		return text;
	const auto [first, last] =
		std::minmax_element(violation.steps.begin(), violation.steps.end());
	text += *first == *last ? fmt::format("  at #{}:\n", *first)
				: fmt::format("  between #{} and #{}:\n", *first, *last);
	for (const StoryRow &row : rows) {
		if (!row.proof)
			continue;
		text += fmt::format("    #{} {}{}{}{}  {}\n", row.step, row.who,
				    row.function.empty() ? "" : " ", row.function,
				    row.file.empty() ? "" : " " + row.short_place(), row.text());
		for (const std::string &note : row.notes)
			text += fmt::format("        ^ {}\n", note);
	}
	return text;
}

} // namespace

std::string story_heading(const Trace &trace)
{
	const Request &request = trace.request;
	std::string text = fmt::format("{} in {}, kernel {}, {}/{}, irq {}",
				       trace.story.violation.type, request.scenario, trace.kernel,
				       request.engine, request.model, request.irq);
	if (!request.weaken.empty())
		text += fmt::format(", weakened {}", fmt::join(request.weaken, " "));
	return text + fmt::format(": {}, {}\n", counted(trace.story.events.size(), "step"),
				  counted(trace.story.context_switches, "context switch", "es"));
}

std::string story_text(const Story &story, const StoryStyle &style, const std::string &replay_file)
{
	const StoryView view = view_story(story, style.verbose);
	const std::vector<StoryRow> &rows = view.rows;
	const Lanes lanes(story, rows, style.width);
	std::string text = lanes.fit() ? in_lanes(story, rows, lanes) : in_one_column(rows);
	if (rows.empty())
		text = "(the steps of this execution were not recorded)\n";
	if (view.left_out)
		text += fmt::format("{}(and {} until all is quiet; -v shows them)\n",
				    std::string(step_columns, ' '), counted(view.left_out, "step"));
	text += '\n' + proof(story, rows);
	// Who waits in the end is no part of a story that is told up to its proof.
	for (const std::string &waiting :
	     view.left_out ? std::vector<std::string>() : story.waiting)
		text += fmt::format("waiting: {}\n", waiting);
	for (const Violation &also : story.also)
		text += fmt::format("also {}: {}\n", also.type, also.text);
	if (!replay_file.empty())
		text += fmt::format("replay: ./wakerace replay {}\n", replay_file);
	return text;
}

unsigned output_width(int descriptor)
{
	winsize size = {};
	if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (const char *columns = std::getenv("COLUMNS")) {
		const char *end = columns + std::strlen(columns);
		unsigned width = 0;
		const auto [stop, error] = std::from_chars(columns, end, width);
		if (error == std::errc() && stop == end && width > 0)
			return width;
	}
	return 100;
}

} // namespace wakerace
