// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a thread has said about its events while it followed a graph. Events are
// counted in program order; the second half of a read-modify-write and the
// engine's own steps are none.
#pragma once

#include "checker/program/contract.h"

#include <string>
#include <vector>

namespace wakerace {

struct PendingNote {
	wr_note_kind kind;
	unsigned place;
	unsigned item;
};

struct Record {
	struct Note : PendingNote {
		int event;
	};
	struct Call {
		wr_call_kind kind;
		unsigned subject;
		unsigned result = 0;
		int first;
		int last = -1;
		bool returned = false;
	};
	struct Finding {
		const char *type;
		std::string text;
		int event; // -1: before the first
	};

	int events = 0;
	std::vector<PendingNote> pending;       // notes that wait for the next event
	std::vector<PendingNote> start_pending; // for the first one, whatever it is
	std::vector<Note> notes;
	std::vector<Call> calls;
	std::vector<Finding> findings;

	void clear();
	bool empty() const { return notes.empty() && calls.empty() && findings.empty(); }
};

} // namespace wakerace
