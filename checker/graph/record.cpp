// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/record.hpp"

namespace wakerace {

void Record::clear()
{
	events = 0;
	pending.clear();
	start_pending.clear();
	notes.clear();
	calls.clear();
	findings.clear();
}

} // namespace wakerace
