// SPDX-License-Identifier: GPL-2.0-or-later
//
// "1 verdict", "2 verdicts".
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace wakerace {

inline std::string counted(uint64_t count, const char *one, const char *ending = "s")
{
	return fmt::format("{} {}{}", count, one, count == 1 ? "" : ending);
}

} // namespace wakerace
