// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's one entry: collects what the sections gathered. */
#include "model/machine/cpu.h"

#ifndef WR_KERNEL
#define WR_KERNEL "v6.2"
#endif

/* Weak, for a section that nothing was put in. */
#define SECTION_BOUNDS(type, section)					\
	extern type __start_##section[] __attribute__((visibility("hidden"), weak)); \
	extern type __stop_##section[] __attribute__((visibility("hidden"), weak))

SECTION_BOUNDS(char, image);
SECTION_BOUNDS(const struct wr_site, wr_sites);
SECTION_BOUNDS(const struct wr_mark, wr_marks);
SECTION_BOUNDS(const struct wr_object, wr_objects);
SECTION_BOUNDS(const struct wr_program *const, wr_programs);

static const char *const item_names[] = {
	"A", "B", "C", "D", "waker0", "waker1", "waker2", "waker3", "waker4", "waker5",
};
static const char *const place_names[] = { "CPU0", "CPU1", "CPU2", "CPU3", "CPU4", "CPU5" };
static_assert(ARRAY_SIZE(item_names) == NR_TASKS && ARRAY_SIZE(place_names) == NR_CPUS);

__no_access_events static uint32_t allowed_cpus(unsigned int task)
{
	return tasks[task].cpus_mask;
}

/* Filled once, when the module is loaded and no program runs yet. */
static struct wr_module module;

extern "C" __attribute__((visibility("default"))) const struct wr_module *wakerace_module(void);

__no_access_events const struct wr_module *wakerace_module(void)
{
	module.abi = WR_ABI;
	module.kernel = WR_KERNEL;
	module.image = __start_image;
	module.image_size = __stop_image - __start_image;
	module.objects = __start_wr_objects;
	module.object_count = __stop_wr_objects - __start_wr_objects;
	module.idle_views = idle_views;
	module.idle_view_count = idle_view_count;
	module.sites = __start_wr_sites;
	module.site_count = __stop_wr_sites - __start_wr_sites;
	module.marks = __start_wr_marks;
	module.mark_count = __stop_wr_marks - __start_wr_marks;
	module.programs = __start_wr_programs;
	module.program_count = __stop_wr_programs - __start_wr_programs;
	module.interrupt_point = interrupt_point;
	module.item_names = item_names;
	module.item_count = NR_TASKS;
	module.place_names = place_names;
	module.place_count = NR_CPUS;
	module.allowed_places = allowed_cpus;
	return &module;
}
