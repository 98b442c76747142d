// SPDX-License-Identifier: GPL-2.0-or-later
//
// A loaded module: the program under test, its cells and its names.
#pragma once

#include "checker/program/contract.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wakerace {

// One word of the image that is read and written as a whole.
struct Cell {
	uint32_t offset = 0; // bytes from the image's start
	uint32_t width = 0;  // 1, 2, 4 or 8 bytes
	uint8_t flags = 0;   // wr_field_flags
	const wr_object *object = nullptr;
	const wr_field *field = nullptr;
	unsigned index = 0; // in the object's array
};

class Module {
public:
	// Loads the shared object; it stays loaded for the life of the process.
	// Throws BadInput when it is missing or is no module of this ABI.
	explicit Module(const std::string &path);
	Module(const Module &) = delete;
	Module &operator=(const Module &) = delete;

	const wr_module &description() const { return *module_; }
	const std::string &path() const { return path_; }
	// Throws BadInput that lists the scenarios when there is none of that name.
	const wr_program &program(const std::string &name) const;
	// The same for a site: function:primitive, or function:primitive#2.
	unsigned site(const std::string &name) const;
	const std::vector<std::string> &site_names() const { return site_names_; }

	// What stands at an offset of the image.
	enum class Kind : uint8_t { unnamed, cell, constant, personal };
	struct Place {
		Kind kind = Kind::unnamed;
		uint8_t owner = 0; // of a personal field: the thread that may touch it
		int16_t cell = -1;
	};
	Place at(uint64_t offset) const { return places_[offset]; }

	const std::vector<Cell> &cells() const { return cells_; }
	std::string cell_name(int cell) const;
	// The value as the program's reader would write it.
	std::string value_name(int cell, uint64_t value) const;
	std::string item_name(unsigned item) const;
	std::string place_name(unsigned place) const;

	// The cell that a view looks at, -1 if its field is constant.
	int view_cell(const wr_idle_view &view) const;

	// Makes the image what it was when the module was loaded.
	void restore_image() const;
	// Whether @address is static memory of the module that is not the image:
	// nothing restores it between executions.
	bool is_unrestored(const volatile void *address) const
	{
		return address >= statics_begin_ && address < statics_end_;
	}
	uint8_t *image() const { return static_cast<uint8_t *>(module_->image); }
	// An address within the shared object as an offset, for addr2line.
	uintptr_t offset_in_file(uintptr_t address) const { return address - base_; }

private:
	std::string path_;
	uintptr_t base_ = 0;
	const wr_module *module_ = nullptr;
	const volatile uint8_t *statics_begin_ = nullptr; // the writable segment
	const volatile uint8_t *statics_end_ = nullptr;
	std::vector<uint8_t> pristine_image_;
	std::vector<Cell> cells_;
	std::vector<Place> places_; // by offset in the image
	std::vector<std::string> site_names_;

	void find_statics();
	void check_programs() const;
	void name_sites();
	void lay_out_cells();
	void lay_out_field(const wr_object &object, unsigned index, const wr_field &field);
	std::string object_name(const wr_object &object, unsigned index) const;
	std::string pointer_name(uint64_t value) const;
};

} // namespace wakerace
