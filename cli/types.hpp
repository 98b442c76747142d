// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of violation types, as `wakerace list types` prints it.
#pragma once

#include <vector>

namespace wakerace {

struct ViolationType {
	const char *name;
	bool built; // something can report it
	const char *says;
};

const std::vector<ViolationType> &violation_types();

} // namespace wakerace
