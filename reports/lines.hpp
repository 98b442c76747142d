// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reports of one line a verdict: for people, for grep, and for programs.
#pragma once

#include "reports/verdict.hpp"

#include <boost/json.hpp>
#include <string>

namespace wakerace {

// The human line, with a clause of what the engine does not explore. May be
// followed by lines that start with blanks: the error, unreached marks.
std::string text_verdict(const Verdict &verdict);
std::string text_summary(const Summary &summary);

// scenario:kernel:engine/model: verdict: TYPES: as expected
std::string terse_verdict(const Verdict &verdict);
std::string terse_summary(const Summary &summary);

// The JSON Lines of `run --json`; DESIGN names their members.
boost::json::object json_verdict(const Verdict &verdict);
boost::json::object json_summary(const Summary &summary);

} // namespace wakerace
