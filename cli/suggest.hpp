// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the user may have meant.
#pragma once

#include <string>
#include <vector>

namespace wakerace {

// The up to three @known names that are nearest to @name, as "a, b, c".
std::string nearest(const std::string &name, const std::vector<std::string> &known);

} // namespace wakerace
