// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands. Each returns its exit code and throws BadInput for what the
// user can get wrong.
#pragma once

#include "cli/options.hpp"
#include "cli/paths.hpp"

namespace wakerace {

int run_command(const Paths &paths, const RunOptions &options);
int replay_command(const Paths &paths, const TraceOptions &options);
int explain_command(const Paths &paths, const TraceOptions &options);
int list_command(const Paths &paths, const ListOptions &options);

// What all commands need: one line on standard error.
void note(const std::string &text);

// A ready module, with a note if that took compiling.
KernelModule ready_module_noted(const Paths &paths, const std::string &kernel);

} // namespace wakerace
