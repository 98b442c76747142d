// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests of this tree's own kernels and scenarios.
#pragma once

#include "cli/kernels.hpp"
#include "tests/worker_fixture.hpp"

namespace wakerace {

class KernelTest : public WorkerTest {
protected:
	// The module of a kernel, with @patches on top; built if the cache lacks it.
	static std::string kernel_module(const std::string &kernel,
					 const std::vector<std::filesystem::path> &patches = {})
	{
		ModuleRequest module;
		module.root = source_root();
		module.cache = path_from("WAKERACE_CACHE");
		module.kernel = kernel;
		module.extra_patches = patches;
		return build_module(module).path;
	}
};

} // namespace wakerace
