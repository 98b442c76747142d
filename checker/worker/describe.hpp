// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a module holds, for those who only list or judge: its scenarios with
// their expectations and marks, and its sites.
#pragma once

#include "checker/program/module.hpp"

#include <boost/json.hpp>

namespace wakerace {

boost::json::object describe(const Module &module);

} // namespace wakerace
