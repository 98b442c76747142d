// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables that describe the machine and the cut functions' structures to the engine. */
#include "model/machine/face.h"
#include "model/machine/tables.h"
#include "tests/real/machine.hpp"

namespace {

constexpr uint8_t plain = 0, racy = WR_FIELD_RACY, fixed = WR_FIELD_CONST,
		  own = WR_FIELD_PRIVATE, pointer = WR_FIELD_POINTER;
#define OF(member, flags) FIELD(OF_TYPE, member, flags)

#define OF_TYPE struct task_struct
const struct wr_field task_fields[] = {
	OF(__state, racy), OF(on_rq, racy), OF(on_cpu, racy), OF(cpu, racy), OF(wake_cpu, plain),
	OF(recent_used_cpu, plain), OF(pi_lock, plain), OF(pid, fixed), OF(cpus_mask, plain),
	OF(cpus_ptr, fixed | pointer), OF(nr_cpus_allowed, plain),
	OF(migration_flags, fixed), OF(sched_class, fixed), OF(wake_entry.llist, pointer),
	OF(wake_entry.u_flags, fixed),
	OF(se.nr_migrations, plain), OF(se.on_rq, plain), OF(nvcsw, plain), OF(nivcsw, plain),
	OF(mm, fixed), OF(active_mm, plain), OF(set_child_tid, fixed), OF(sched_bits, plain),
	/* __schedule() reads in_iowait when the task has left its runqueue, and a waker who
	 * sees that writes sched_remote_wakeup into the same word. A race by the book, and
	 * harmless: no bit changes that the other side reads. */
	OF(current_bits, racy), OF(registers, plain), OF(body, fixed),
};
const char *const task_names[items] = {
	"A", "B", "C", "D", "task0", "task1", "task2", "task3", "task4", "task5",
	"swapper0", "swapper1", "swapper2", "swapper3", "swapper4", "swapper5",
};

/* Nobody wakes an idle task; a waker looks at whether it is on the runqueue, though. */
const struct wr_field idle_task_fields[] = {
	OF(__state, own), OF(on_rq, racy), OF(on_cpu, own), OF(pid, fixed),
	OF(sched_class, fixed), OF(nvcsw, own), OF(nivcsw, own), OF(mm, fixed),
	OF(active_mm, own), OF(body, fixed),
};
#define TASKS(name, first, count, fields)				\
	const struct wr_object object_##first				\
		__attribute__((section("wr_objects"), aligned(8), used)) = \
		{ name, &tasks[first], sizeof(tasks[0]), count, fields,	\
		  ARRAY_SIZE(fields), &task_names[first] }
constexpr unsigned int tasks_first = 0;
TASKS("task", tasks_first, idle_tasks_first, task_fields);
TASKS("idle", idle_tasks_first, NR_CPUS, idle_task_fields);
#undef OF_TYPE

#define OF_TYPE struct rq
const struct wr_field rq_fields[] = {
	OF(__lock, plain), OF(nr_running, racy), OF(ttwu_pending, racy), OF(curr, racy | pointer),
	OF(nr_uninterruptible, plain), OF(nr_iowait, racy), OF(clock_update_flags, plain),
	OF(cpu, fixed), OF(idle, fixed | pointer), OF(nr_switches, plain), OF(idle_stamp, plain),
	/* A CPU that searches compares it without its lock. */
	OF(avg_idle, racy), OF(max_idle_balance_cost, fixed), OF(wake_stamp, plain),
	OF(wake_avg_idle, plain), OF(next_balance, plain), OF(sd, fixed), OF(rd, fixed),
	OF(prev_mm, plain), OF(cfs.h_nr_running, plain),
	OF(cfs.idle_h_nr_running, plain), OF(cfs.load.weight, fixed), OF(queue, plain),
};
OBJECT("rq", runqueues, rq_fields, nullptr);
#undef OF_TYPE

#define OF_TYPE struct cpu
const struct wr_field cpu_fields[] = {
	OF(curr, own), OF(last, own), OF(drained, own), OF(enqueued, own), OF(registers, own),
	OF(ipis_taken, own), OF(waking, own), OF(finished, own), OF(left_to_stopper, own),
	OF(idle_times, own), OF(migrations, own), OF(work_changes, own), OF(irqs_disabled, own),
	OF(need_resched, own), OF(preempt_count, own),
};
OBJECT("cpu", cpus, cpu_fields, nullptr);
#undef OF_TYPE

const struct wr_field mask_fields[] = { FIELD(struct cpumask, bits, own) };
OBJECT("select_rq_mask", select_rq_mask, mask_fields, nullptr);
const struct wr_field list_fields[] = { FIELD(struct llist_head, first, pointer) };
OBJECT("call_single_queue", call_single_queue, list_fields, nullptr);
const struct wr_field ipi_fields[] = { FIELD(struct ipi, sent, plain) };
OBJECT("ipi", ipis, ipi_fields, nullptr);
const struct wr_field word_fields[] = { FIELD(struct word, value, plain) };
OBJECT("words", words, word_fields, nullptr);
const struct wr_field id_fields[] = { { "value", 0, 4, racy, nullptr } };
OBJECT("sd_llc_id", sd_llc_id, id_fields, nullptr);

#define VIEW(cpu)							\
	{ cpu, &runqueues[cpu].curr, 8, (uint64_t)&tasks[idle_tasks_first + cpu] }, \
	{ cpu, &runqueues[cpu].nr_running, 4, 0 },			\
	{ cpu, &runqueues[cpu].ttwu_pending, 4, 0 }
const struct wr_idle_view idle_views[] = { VIEW(0), VIEW(1), VIEW(2), VIEW(3), VIEW(4), VIEW(5) };
const char *const place_names[] = { "CPU0", "CPU1", "CPU2", "CPU3", "CPU4", "CPU5" };

struct wr_module module;

__no_access_events uint32_t allowed_cpus(unsigned int task)
{
	return tasks[task].cpus_mask.bits;
}

} // namespace

#define BOUNDS(type, section)						\
	extern type __start_##section[] __attribute__((visibility("hidden"))); \
	extern type __stop_##section[] __attribute__((visibility("hidden")))
BOUNDS(char, image);
BOUNDS(const struct wr_site, wr_sites);
BOUNDS(const struct wr_mark, wr_marks);
BOUNDS(const struct wr_object, wr_objects);
BOUNDS(const struct wr_program *const, wr_programs);
#define SECTION(section) __start_##section, unsigned(__stop_##section - __start_##section)

extern "C" __attribute__((visibility("default"))) __no_access_events
const struct wr_module *wakerace_module(void)
{
	module = { WR_ABI, "real", __start_image, size_t(__stop_image - __start_image),
		   SECTION(wr_objects), idle_views, ARRAY_SIZE(idle_views), SECTION(wr_sites),
		   SECTION(wr_marks), SECTION(wr_programs), interrupt_point, task_names, items,
		   place_names, ARRAY_SIZE(place_names), allowed_cpus };
	return &module;
}
