// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/search/random.hpp"

#include <bit>

namespace wakerace {

RandomSearch::RandomSearch(uint64_t seed, uint64_t executions)
    : seed_(seed), executions_(executions)
{
}

// splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
uint64_t RandomSearch::draw()
{
	uint64_t z = state_ += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void RandomSearch::begin(unsigned, unsigned)
{
	state_ = seed_ + done_;
	state_ = draw(); // neighbouring seeds must not give neighbouring streams
}

int RandomSearch::pick(const Moment &moment)
{
	const unsigned count = std::popcount(moment.enabled);
	if (count == 0)
		return give_up;
	ThreadSet left = moment.enabled;
	for (uint64_t skip = draw() % count; skip; --skip)
		left &= left - 1;
	return std::countr_zero(left);
}

unsigned RandomSearch::choose(unsigned count)
{
	return static_cast<unsigned>(draw() % count);
}

bool RandomSearch::next()
{
	return ++done_ < executions_;
}

} // namespace wakerace
