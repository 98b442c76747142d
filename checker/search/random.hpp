// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random search: every choice uniform, from a generator that is seeded anew
// for each execution, so that any of them can be repeated alone.
#pragma once

#include "checker/search/search.hpp"

namespace wakerace {

class RandomSearch : public Search {
public:
	// @executions: how many to run; the search is never complete.
	RandomSearch(uint64_t seed, uint64_t executions);

	void begin(unsigned threads, unsigned cells) override;
	int pick(const Moment &moment) override;
	unsigned choose(unsigned count) override;
	bool next() override;
	bool complete() const override { return false; }

private:
	uint64_t seed_;
	uint64_t executions_;
	uint64_t done_ = 0;
	uint64_t state_ = 0;

	uint64_t draw();
};

} // namespace wakerace
