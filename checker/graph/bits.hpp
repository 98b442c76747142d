// SPDX-License-Identifier: GPL-2.0-or-later
//
// Relations over the nodes of a small graph, as rows of bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wakerace {

// By element: those that are before it.
class Relation {
public:
	explicit Relation(int size = 0) { reset(size); }

	void reset(int size)
	{
		size_ = size;
		words_ = (static_cast<size_t>(size) + 63) / 64;
		rows_.assign(words_ * size, 0);
	}

	int size() const { return size_; }
	bool has(int from, int to) const { return row(to)[from / 64] >> (from % 64) & 1; }
	void add(int from, int to) { row(to)[from / 64] |= uint64_t{1} << (from % 64); }
	// Puts all that is before @element before @to, too.
	void join(int to, const Relation &other, int element)
	{
		for (size_t w = 0; w < words_; ++w)
			row(to)[w] |= other.row(element)[w];
	}
	void join(const Relation &other)
	{
		for (size_t w = 0; w < rows_.size(); ++w)
			rows_[w] |= other.rows_[w];
	}

	template <typename Visit> void each_before(int to, Visit visit) const
	{
		for (size_t w = 0; w < words_; ++w)
			for (uint64_t left = row(to)[w]; left; left &= left - 1)
				visit(static_cast<int>(64 * w) + std::countr_zero(left));
	}

	// This, then @second.
	Relation then(const Relation &second) const
	{
		Relation result(size_);
		for (int to = 0; to < size_; ++to)
			second.each_before(to, [&](int via) { result.join(to, *this, via); });
		return result;
	}

	// This one or more times.
	void close()
	{
		for (int via = 0; via < size_; ++via)
			for (int to = 0; to < size_; ++to)
				if (has(via, to))
					join(to, *this, via);
	}

	// Every element before itself, too.
	void reflect()
	{
		for (int element = 0; element < size_; ++element)
			add(element, element);
	}

	// Of a closed relation.
	bool cyclic() const
	{
		for (int element = 0; element < size_; ++element)
			if (has(element, element))
				return true;
		return false;
	}

private:
	int size_ = 0;
	size_t words_ = 0;
	std::vector<uint64_t> rows_;

	uint64_t *row(int element) { return &rows_[words_ * element]; }
	const uint64_t *row(int element) const { return &rows_[words_ * element]; }
};

} // namespace wakerace
