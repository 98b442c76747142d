// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares what was rendered with the file of that name in tests/golden. With
// WAKERACE_ACCEPT=1 in the environment the file is written instead; git diff
// then shows what was accepted.
#pragma once

#include "tests/scratch.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace wakerace {

inline std::filesystem::path golden_file(const std::string &name)
{
	return source_root() / "tests/golden" / name;
}

inline std::string golden_text(const std::string &name)
{
	return std::filesystem::exists(golden_file(name)) ? read_file(golden_file(name)) : "";
}

inline void expect_golden(const std::string &name, const std::string &text)
{
	if (const char *accept = std::getenv("WAKERACE_ACCEPT"); accept && *accept == '1')
		write_file(golden_file(name), text);
	EXPECT_EQ(golden_text(name), text)
		<< "if this is as it should be, run the test with WAKERACE_ACCEPT=1";
}

} // namespace wakerace
