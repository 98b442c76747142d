// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a command prints: text for people, and JSON Lines beside it.
#pragma once

#include <boost/json.hpp>
#include <cstdio>
#include <string>

namespace wakerace {

class Output {
public:
	// @json is a file, "-" for standard output (text then goes to standard
	// error), or "". Throws BadInput if the file cannot be written.
	explicit Output(const std::string &json);
	~Output();
	Output(const Output &) = delete;
	Output &operator=(const Output &) = delete;

	// Both are flushed at once: a reader at a pipe must not wait for the end.
	void text(const std::string &text);
	void line(const boost::json::object &line);
	// The width for text.
	unsigned width() const;

private:
	std::string name_;
	std::FILE *json_ = nullptr;
	std::FILE *text_ = stdout;
};

} // namespace wakerace
