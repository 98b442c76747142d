// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trace files: a story and what it takes to run it again.
#pragma once

#include "checker/result/result.hpp"

#include <filesystem>
#include <string>

namespace wakerace {

// Throws BadInput, with what to do, if the file is not a whole trace.
Trace read_trace_file(const std::string &file);

// The name of the @number-th (from 1) trace of its violation's type. Tells
// apart what was explored: search with its bound or seed, irq, weakened sites.
std::string trace_name(const Trace &trace, const std::string &number);

// Tells the user if the model is not the one that the trace was recorded with.
void warn_if_changed(const Trace &trace, const std::string &module_hash);

// Writes it as a whole or not at all, and returns its path as the user would
// type it.
std::string write_trace_file(const std::filesystem::path &directory, const std::string &name,
			     const Trace &trace);

} // namespace wakerace
