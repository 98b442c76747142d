// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/instrument/image.hpp"

#include <cstring>
#include <fmt/format.h>

namespace wakerace {

Image::Image(const Module &module, const wr_program &program, uint8_t poison)
    : module_(module), poison_(poison)
{
	module.restore_image();
	program.setup();
	set_up_.assign(module.image(), module.image() + module.description().image_size);
	for (size_t cell = 0; cell < module.cells().size(); ++cell)
		initial_.push_back(peek(static_cast<int>(cell)));
	newest_ = initial_;
	find_private();
}

void Image::find_private()
{
	for (size_t offset = 0; offset < set_up_.size(); ++offset) {
		const Module::Place place = module_.at(offset);
		if (place.kind != Module::Kind::personal)
			continue;
		if (place.owner >= private_.size())
			private_.resize(place.owner + 1);
		auto &ranges = private_[place.owner];
		if (!ranges.empty() && ranges.back().first + ranges.back().second == offset)
			++ranges.back().second;
		else
			ranges.push_back({offset, 1});
	}
}

void Image::restore_private(unsigned thread)
{
	if (thread >= private_.size())
		return;
	for (const auto &[offset, size] : private_[thread])
		std::memcpy(module_.image() + offset, set_up_.data() + offset, size);
}

void Image::restore()
{
	std::memcpy(module_.image(), set_up_.data(), set_up_.size());
	newest_ = initial_;
	for (size_t cell = 0; cell < newest_.size(); ++cell)
		poison(static_cast<int>(cell));
}

void Image::reveal()
{
	for (size_t cell = 0; cell < newest_.size(); ++cell)
		poke(static_cast<int>(cell), newest_[cell]);
}

uint64_t Image::peek(int cell) const
{
	const Cell &c = module_.cells()[cell];
	uint64_t value = 0;
	std::memcpy(&value, module_.image() + c.offset, c.width);
	return value;
}

void Image::poke(int cell, uint64_t value)
{
	const Cell &c = module_.cells()[cell];
	std::memcpy(module_.image() + c.offset, &value, c.width);
}

void Image::poison(int cell)
{
	const Cell &c = module_.cells()[cell];
	std::memset(module_.image() + c.offset, poison_, c.width);
}

int Image::overwritten() const
{
	for (size_t i = 0; i < module_.cells().size(); ++i) {
		const Cell &cell = module_.cells()[i];
		for (uint32_t byte = 0; byte < cell.width; ++byte)
			if (module_.image()[cell.offset + byte] != poison_)
				return static_cast<int>(i);
	}
	return -1;
}

Image::Target Image::find(const volatile void *address, unsigned width, bool writes,
			  unsigned thread) const
{
	const uint64_t offset =
		reinterpret_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(module_.image());
	if (offset >= module_.description().image_size) {
		if (writes && module_.is_unrestored(address))
			return {-1, "a static variable outside of the image is written: nothing "
				    "would restore it for the next execution"};
		return {};
	}
	const Module::Place place = module_.at(offset);
	switch (place.kind) {
	case Module::Kind::personal:
		if (place.owner != thread)
			return {-1, fmt::format("thread {} touches the private state of thread {}",
						thread, place.owner)};
		return {};
	case Module::Kind::constant:
		if (writes)
			return {-1, fmt::format("a constant field is written at offset {} of the "
						"image",
						offset)};
		return {};
	case Module::Kind::unnamed:
		return {-1, fmt::format("no field describes the access to offset {} of the image",
					offset)};
	case Module::Kind::cell:
		break;
	}
	return find_cell(offset, width, place.cell);
}

// A cell is read and written as a whole, or two accesses would overlap in part.
Image::Target Image::find_cell(uint64_t offset, unsigned width, int cell) const
{
	const Cell &c = module_.cells()[cell];
	if (c.offset == offset && c.width == width)
		return {cell, ""};
	return {-1, fmt::format("{} is {} bytes wide but {} bytes are accessed at its byte {}",
				module_.cell_name(cell), c.width, width, offset - c.offset)};
}

} // namespace wakerace
