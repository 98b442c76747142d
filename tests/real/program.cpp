// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scenarios of the model at the level of functions that were cut out of a real
 * kernel, and the tables that describe them to the engine.
 */
#include "tests/real/machine.hpp"

#include "model/machine/tables.h"

namespace {

/* --- The programs; each has the name of the scenario it mirrors --- */

enum role { idle_role, busy_role, free_role };

void set_up_task(struct task_struct *p, unsigned int pid, const struct sched_class *sched_class)
{
	*p = {};
	p->pid = pid;
	p->cpus_ptr = &p->cpus_mask;
	p->sched_class = sched_class;
	p->wake_entry.u_flags = CSD_TYPE_TTWU;
}

void set_up_cpu(int cpu, int llc, role role)
{
	struct task_struct *p = role == busy_role ? &tasks[tasks_max + cpu] : cpu_rq(cpu)->idle;

	sd_llc_id[cpu] = llc;
	followed[cpu] = role == idle_role;
	p->cpu = p->wake_cpu = cpu;
	p->on_cpu = p->on_rq = 1;
	p->cpus_mask.bits = 1u << cpu;
	cpu_rq(cpu)->curr = cpus[cpu].curr = p;
	cpu_rq(cpu)->nr_running = role == busy_role;
}

void set_up_sleeper(unsigned int item, unsigned int allowed, bool blocks)
{
	struct task_struct *p = &tasks[item];

	if (!allowed)
		return;
	p->__state = TASK_UNINTERRUPTIBLE;
	p->sched_contributes_to_load = 1;
	p->cpus_mask.bits = allowed;
	p->blocks = blocks;
	cpu_rq(0)->nr_uninterruptible++;
}

/* CPU0 idles; CPU1 wakes; CPU2 and CPU3 as told. A task that is allowed nowhere is not there. */
void set_up(role second, role third, unsigned int a, unsigned int b, bool blocks)
{
	for (unsigned int i = 0; i < items; i++)
		set_up_task(&tasks[i], i, i < idle_tasks_first ? &fair_sched_class
							       : &idle_sched_class);
	for (int i = 0; i < NR_CPUS; i++) {
		*cpu_rq(i) = {};
		cpu_rq(i)->cpu = i;
		cpu_rq(i)->idle = &tasks[idle_tasks_first + i];
		sd_llc_id[i] = NR_CPUS + i;
	}
	set_up_cpu(0, 0, idle_role);
	set_up_cpu(1, 1, busy_role);
	set_up_cpu(2, second == busy_role, second);
	set_up_cpu(3, 0, third);
	set_up_sleeper(A, a, blocks);
	set_up_sleeper(B, b, blocks);
}

void set_up_two_wakers() { set_up(busy_role, free_role, 0b1001, 0b1001, false); }
void set_up_two_batches() { set_up(busy_role, busy_role, 0b0001, 0b0001, true); }
void set_up_pull() { set_up(idle_role, busy_role, 0b0101, 0b0001, false); }
void set_up_blocking() { set_up(idle_role, busy_role, 0b0101, 0, true); }

void wake_both()
{
	wake(A);
	wake(B);
}

void two_wakers(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	wake(cpu == 1 ? A : B);
}

void two_batches(unsigned int cpu)
{
	if (cpu == 0)
		run_cpu();
	if (cpu == 1)
		return wake_both();
	query_idle(0);
}

void pull(unsigned int cpu)
{
	if (cpu == 1)
		return wake_both();
	if (cpu == 2 && move_away(&tasks[A], 2))
		query_idle(0);
	run_cpu();
}

void blocking(unsigned int cpu)
{
	if (cpu != 0)
		wake(A);
	if (cpu != 1)
		run_cpu();
}

/* All is quiet: what was announced is done, and the counts are right. */
void look_at_the_end()
{
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		struct rq *rq = cpu_rq(cpu);
		bool idle = rq->curr == rq->idle;
		unsigned int runnable = __builtin_popcount(rq->queued) + !idle;

		if (!followed[cpu])
			continue;
		if (rq->nr_running != runnable)
			wr_violation("ACCOUNTING_DRIFT", "nr_running differs from what can run");
		if (call_single_queue[cpu].first)
			wr_violation("LOST_WAKEUP", "a wakeup stays on the list of a quiet CPU");
		else if (rq->ttwu_pending)
			wr_violation("ACCOUNTING_DRIFT", "a wakeup is announced, but none is left");
		if (idle && rq->queued)
			wr_violation("LOST_WAKEUP", "a task stays queued on an idle CPU");
	}
	wr_outcome("A.cpu", tasks[A].cpu);
	if (tasks[B].cpus_mask.bits)
		wr_outcome("B.cpu", tasks[B].cpu);
}

#define PROGRAM(name, places, set_up, body)				\
	const struct wr_program program_##body = {			\
		name, "", __FILE__, 3, places, false, false, set_up,	\
		body, look_at_the_end, nullptr, 0			\
	}
PROGRAM("ttwu_pending", 4, set_up_two_wakers, two_wakers);
PROGRAM("ttwu_pending_two_batches", 3, set_up_two_batches, two_batches);
PROGRAM("ttwu_pending_pull", 3, set_up_pull, pull);
PROGRAM("wake_while_blocking", 3, set_up_blocking, blocking);

const struct wr_program *const programs[] = {
	&program_two_wakers, &program_two_batches, &program_pull, &program_blocking,
};

/* --- The tables --- */

constexpr uint8_t plain = 0, racy = WR_FIELD_RACY, fixed = WR_FIELD_CONST,
		  own = WR_FIELD_PRIVATE, pointer = WR_FIELD_POINTER;
#define OF(member, flags) FIELD(OF_TYPE, member, flags)

#define OF_TYPE struct task_struct
const struct wr_field task_fields[] = {
	OF(__state, racy), OF(on_rq, racy), OF(on_cpu, racy), OF(cpu, racy), OF(wake_cpu, plain),
	OF(pi_lock, plain), OF(pid, fixed), OF(cpus_mask, fixed), OF(cpus_ptr, fixed | pointer),
	OF(sched_class, fixed), OF(wake_entry.llist, pointer), OF(wake_entry.u_flags, fixed),
	OF(se.nr_migrations, plain), OF(nvcsw, plain), OF(nivcsw, plain), OF(sched_bits, plain),
	/* __schedule() reads in_iowait when the task has left its runqueue, and a waker who
	 * sees that writes sched_remote_wakeup into the same word. A race by the book, which
	 * the model does not have, and harmless: no bit changes that the other side reads. */
	OF(current_bits, racy), OF(registers, plain), OF(blocks, fixed),
};
const char *const task_names[items] = {
	"A", "B", "task0", "task1", "task2", "task3", "", "",
	"swapper0", "swapper1", "swapper2", "swapper3", "swapper4", "swapper5",
};
OBJECT("task", tasks, task_fields, task_names);
#undef OF_TYPE

#define OF_TYPE struct rq
const struct wr_field rq_fields[] = {
	OF(__lock, plain), OF(nr_running, racy), OF(ttwu_pending, racy), OF(curr, racy | pointer),
	OF(nr_uninterruptible, plain), OF(clock_update_flags, plain), OF(cpu, fixed),
	OF(idle, fixed | pointer), OF(nr_switches, plain), OF(idle_stamp, fixed), OF(queued, plain),
};
OBJECT("rq", runqueues, rq_fields, nullptr);
#undef OF_TYPE

#define OF_TYPE struct cpu
const struct wr_field cpu_fields[] = {
	OF(curr, own), OF(drained, own), OF(registers, own), OF(ipis_taken, own), OF(waking, own),
	OF(irqs_disabled, own), OF(need_resched, own), OF(resumed, own),
};
OBJECT("cpu", cpus, cpu_fields, nullptr);

const struct wr_field list_fields[] = {FIELD(struct llist_head, first, pointer)};
OBJECT("call_single_queue", call_single_queue, list_fields, nullptr);
const struct wr_field ipi_fields[] = {FIELD(struct ipi, sent, plain)};
OBJECT("ipi", ipis, ipi_fields, nullptr);
const struct wr_field word_fields[] = {{"value", 0, 4, fixed, nullptr}};
OBJECT("followed", followed, word_fields, nullptr);
OBJECT("sd_llc_id", sd_llc_id, word_fields, nullptr);

#define VIEW(cpu)							\
	{ cpu, &runqueues[cpu].curr, 8, (uint64_t)&tasks[idle_tasks_first + cpu] }, \
	{ cpu, &runqueues[cpu].nr_running, 4, 0 },			\
	{ cpu, &runqueues[cpu].ttwu_pending, 4, 0 }
const struct wr_idle_view idle_views[] = {VIEW(0), VIEW(1), VIEW(2), VIEW(3)};
const char *const place_names[] = {"CPU0", "CPU1", "CPU2", "CPU3"};

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
BOUNDS(const struct wr_object, wr_objects);
#define SECTION(section) __start_##section, unsigned(__stop_##section - __start_##section)

extern "C" __attribute__((visibility("default"))) __no_access_events
const struct wr_module *wakerace_module(void)
{
	module = {WR_ABI, "real", __start_image, size_t(__stop_image - __start_image),
		  SECTION(wr_objects), idle_views, ARRAY_SIZE(idle_views), SECTION(wr_sites),
		  nullptr, 0, programs, ARRAY_SIZE(programs), interrupt_point, task_names,
		  items, place_names, ARRAY_SIZE(place_names), allowed_cpus};
	return &module;
}
