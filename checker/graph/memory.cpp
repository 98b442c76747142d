// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/graph/memory.hpp"

namespace wakerace {

std::unique_ptr<Memory> make_memory(const std::string &model)
{
	if (model == "sc")
		return make_sc();
	if (model == "tso")
		return make_tso();
	if (model == "rc11")
		return make_rc11();
	if (model == "lkmm")
		return make_lkmm();
	return nullptr;
}

} // namespace wakerace
