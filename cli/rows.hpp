// SPDX-License-Identifier: GPL-2.0-or-later
//
// What scenarios expect, held against what there is to be named.
#pragma once

#include "cli/describe.hpp"

#include <string>
#include <vector>

namespace wakerace {

// Throws BadInput for a row that names a kernel, a model, a type or a site that
// there is not.
void check_rows(const ModuleInfo &module, const std::vector<std::string> &kernels);

} // namespace wakerace
