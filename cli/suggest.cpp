// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/suggest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace wakerace {

namespace {

size_t edit_distance(const std::string &left, const std::string &right)
{
	std::vector<size_t> row(right.size() + 1);
	std::iota(row.begin(), row.end(), 0);
	for (size_t i = 1; i <= left.size(); i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= right.size(); j++) {
			const size_t replaced = diagonal + (left[i - 1] != right[j - 1]);
			diagonal = row[j];
			row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
		}
	}
	return row.back();
}

} // namespace

std::string nearest(const std::string &name, const std::vector<std::string> &known)
{
	std::vector<std::string> sorted = known;
	std::stable_sort(sorted.begin(), sorted.end(),
			 [&](const std::string &a, const std::string &b) {
				 return edit_distance(name, a) < edit_distance(name, b);
			 });
	if (sorted.size() > 3)
		sorted.resize(3);
	return fmt::format("{}", fmt::join(sorted, ", "));
}

} // namespace wakerace
