// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/program/module.hpp"

#include "checker/result/json.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <map>
#include <string_view>

namespace wakerace {

Module::Module(const std::string &path) : path_(path)
{
	void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		throw BadInput(fmt::format("{}: cannot load the module: {}", path, dlerror()));
	void *entry = dlsym(handle, WR_MODULE_ENTRY);
	if (!entry)
		throw BadInput(fmt::format("{}: not a wakerace module: it does not export {}", path,
					   WR_MODULE_ENTRY));
	module_ = reinterpret_cast<wr_module_entry>(entry)();
	if (module_->abi != WR_ABI)
		throw BadInput(fmt::format("{}: built for contract {} but this is contract {}; "
					   "build the module again",
					   path, module_->abi, WR_ABI));
	Dl_info info;
	dladdr(entry, &info);
	base_ = reinterpret_cast<uintptr_t>(info.dli_fbase);
	find_statics();
	pristine_image_.assign(image(), image() + module_->image_size);
	check_programs();
	name_sites();
	lay_out_cells();
}

void Module::check_programs() const
{
	for (unsigned i = 0; i < module_->program_count; ++i) {
		const wr_program &program = *module_->programs[i];
		for (unsigned j = 0; j < i; ++j)
			if (std::string_view(program.name) == module_->programs[j]->name)
				throw BadInput(fmt::format("{} and {} both have a scenario {}",
							   module_->programs[j]->file, program.file,
							   program.name));
		for (unsigned row = 0; row < program.expectation_count; ++row) {
			const wr_expectation &e = program.expectations[row];
			if (!e.kernels || !e.models || !e.types || !e.source)
				throw BadInput(fmt::format("{}: row {} of what is expected lacks "
							   "kernels, models, types or source",
							   program.file, row + 1));
		}
	}
}

void Module::find_statics()
{
	auto visit = [](dl_phdr_info *info, size_t, void *self) {
		Module &module = *static_cast<Module *>(self);
		if (info->dlpi_addr != module.base_)
			return 0;
		for (int i = 0; i < info->dlpi_phnum; ++i) {
			const auto &segment = info->dlpi_phdr[i];
			if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W))
				continue;
			module.statics_begin_ = reinterpret_cast<const volatile uint8_t *>(
				info->dlpi_addr + segment.p_vaddr);
			module.statics_end_ = module.statics_begin_ + segment.p_memsz;
		}
		return 1;
	};
	dl_iterate_phdr(visit, this);
}

void Module::restore_image() const
{
	std::copy(pristine_image_.begin(), pristine_image_.end(), image());
}

void Module::name_sites()
{
	std::map<std::string, unsigned> seen;
	for (unsigned i = 0; i < module_->site_count; ++i) {
		const wr_site &site = module_->sites[i];
		std::string name = fmt::format("{}:{}", site.function, site.primitive);
		if (unsigned count = ++seen[name]; count > 1)
			name += fmt::format("#{}", count);
		site_names_.push_back(std::move(name));
	}
}

void Module::lay_out_cells()
{
	places_.resize(module_->image_size);
	for (unsigned o = 0; o < module_->object_count; ++o) {
		const wr_object &object = module_->objects[o];
		for (unsigned i = 0; i < object.count; ++i)
			for (unsigned f = 0; f < object.field_count; ++f)
				lay_out_field(object, i, object.fields[f]);
	}
}

void Module::lay_out_field(const wr_object &object, unsigned index, const wr_field &field)
{
	const auto start = static_cast<uint8_t *>(object.base) + index * object.stride +
			   field.offset - image();
	const uint64_t offset = static_cast<uint64_t>(start);
	if (offset + field.width > module_->image_size)
		throw BadInput(fmt::format("{}: the field {}.{} is outside of the image", path_,
					   object.name, field.name));
	Place place;
	if (field.flags & WR_FIELD_CONST) {
		place.kind = Kind::constant;
	} else if (field.flags & WR_FIELD_PRIVATE) {
		place.kind = Kind::personal;
		place.owner = static_cast<uint8_t>(index);
	} else {
		if (field.width > 8 || field.width & (field.width - 1))
			throw BadInput(fmt::format("{}: the field {}.{} has {} bytes; a cell has "
						   "1, 2, 4 or 8",
						   path_, object.name, field.name, field.width));
		place.kind = Kind::cell;
		place.cell = static_cast<int16_t>(cells_.size());
		cells_.push_back({static_cast<uint32_t>(offset), field.width, field.flags, &object,
				  &field, index});
	}
	for (uint64_t byte = offset; byte < offset + field.width; ++byte)
		places_[byte] = place;
}

const wr_program &Module::program(const std::string &name) const
{
	std::string known;
	for (unsigned i = 0; i < module_->program_count; ++i) {
		if (name == module_->programs[i]->name)
			return *module_->programs[i];
		known += fmt::format(" {}", module_->programs[i]->name);
	}
	throw BadInput(fmt::format("there is no scenario \"{}\"; there are:{}", name, known));
}

unsigned Module::site(const std::string &name) const
{
	for (unsigned i = 0; i < site_names_.size(); ++i)
		if (site_names_[i] == name)
			return i;
	throw BadInput(
		fmt::format("there is no site \"{}\"; `wakerace list sites` shows them", name));
}

int Module::view_cell(const wr_idle_view &view) const
{
	return at(static_cast<const volatile uint8_t *>(view.address) - image()).cell;
}

std::string Module::object_name(const wr_object &object, unsigned index) const
{
	if (object.labels)
		return fmt::format("{}/{}", object.name, object.labels[index]);
	if (object.count == 1)
		return object.name;
	return fmt::format("{}[{}]", object.name, index);
}

std::string Module::cell_name(int cell) const
{
	const Cell &c = cells_[cell];
	return fmt::format("{}.{}", object_name(*c.object, c.index), c.field->name);
}

std::string Module::pointer_name(uint64_t value) const
{
	if (value == 0)
		return "NULL";
	const uint64_t offset = value - reinterpret_cast<uint64_t>(image());
	for (unsigned o = 0; offset < module_->image_size && o < module_->object_count; ++o) {
		const wr_object &object = module_->objects[o];
		const uint64_t start = reinterpret_cast<uint64_t>(object.base) -
				       reinterpret_cast<uint64_t>(image());
		if (offset >= start && offset < start + uint64_t{object.stride} * object.count)
			return object_name(object, (offset - start) / object.stride);
	}
	return fmt::format("{:#x}", value);
}

std::string Module::value_name(int cell, uint64_t value) const
{
	const wr_field &field = *cells_[cell].field;
	if (field.flags & WR_FIELD_POINTER)
		return pointer_name(value);
	// "0=RUNNING 2=UNINTERRUPTIBLE"
	const std::string wanted = fmt::format("{}=", value);
	std::string_view names = field.values ? field.values : "";
	while (!names.empty()) {
		const std::string_view word = names.substr(0, names.find(' '));
		if (word.starts_with(wanted))
			return std::string(word.substr(wanted.size()));
		names.remove_prefix(std::min(names.size(), word.size() + 1));
	}
	const unsigned shift = 64 - 8 * cells_[cell].width;
	return fmt::format("{}", static_cast<int64_t>(value << shift) >> shift);
}

std::string Module::item_name(unsigned item) const
{
	return item < module_->item_count ? module_->item_names[item] : fmt::format("#{}", item);
}

std::string Module::place_name(unsigned place) const
{
	return place < module_->place_count ? module_->place_names[place]
					    : fmt::format("place {}", place);
}

} // namespace wakerace
