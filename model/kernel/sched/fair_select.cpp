// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of fair.c that chooses a CPU for a task that wakes. */
#include "sched.h"

#include "model/machine/cpu.h"

/* Mirrors kernel/sched/fair.c:select_idle_cpu with __select_idle_cpu, v6.2.
 * Leaves out: idle cores, the limit on the scan. */
static noinline int select_idle_cpu(struct task_struct *p, int target)
{
	unsigned int cpus = machine.llc_span[target] & p->cpus_mask;

	for (int i = 1; i <= NR_CPUS; i++) {
		int cpu = (target + i) % NR_CPUS;

		if (cpus & (1u << cpu) && available_idle_cpu(cpu))
			return cpu;
	}

	return -1;
}

/*
 * Mirrors kernel/sched/fair.c:select_idle_sibling, v6.2: each question whether a
 * CPU is idle is one of its own. Leaves out: sched_idle_cpu, capacity, per-CPU
 * kthreads, SMT.
 */
static noinline int select_idle_sibling(struct task_struct *p, int prev, int target)
{
	int cpu, recent_used_cpu;

	if (available_idle_cpu(target))
		return target;

	if (prev != target && cpus_share_cache(prev, target) && available_idle_cpu(prev))
		return prev;

	recent_used_cpu = p->recent_used_cpu;
	p->recent_used_cpu = prev;
	if (recent_used_cpu != prev && recent_used_cpu != target &&
	    cpus_share_cache(recent_used_cpu, target) && available_idle_cpu(recent_used_cpu) &&
	    p->cpus_mask & (1u << recent_used_cpu))
		return recent_used_cpu;

	cpu = select_idle_cpu(p, target);
	return cpu >= 0 ? cpu : target;
}

/* Mirrors kernel/sched/fair.c:wake_affine_idle, v6.2. Leaves out: synchronous wakeups. */
static noinline int wake_affine_idle(int this_cpu, int prev_cpu)
{
	if (available_idle_cpu(this_cpu) && cpus_share_cache(this_cpu, prev_cpu))
		return available_idle_cpu(prev_cpu) ? prev_cpu : this_cpu;

	if (available_idle_cpu(prev_cpu))
		return prev_cpu;

	return NR_CPUS;
}

/*
 * Mirrors kernel/sched/fair.c:wake_affine_weight, v6.2. The loads are averages
 * over milliseconds, so that a burst of short tasks does not move them: the
 * scenario fixes them.
 */
static noinline int wake_affine_weight(int this_cpu, int prev_cpu)
{
	return cpu_config[this_cpu].load < cpu_config[prev_cpu].load ? this_cpu : NR_CPUS;
}

/* Mirrors kernel/sched/fair.c:wake_affine, v6.2. */
static noinline int wake_affine(int this_cpu, int prev_cpu)
{
	int target = NR_CPUS;

	if (sched_feat(WA_IDLE))
		target = wake_affine_idle(this_cpu, prev_cpu);

	if (sched_feat(WA_WEIGHT) && target == NR_CPUS)
		target = wake_affine_weight(this_cpu, prev_cpu);

	return target == this_cpu ? this_cpu : prev_cpu;
}

/*
 * Mirrors kernel/sched/fair.c:select_task_rq_fair, v6.2. Leaves out: energy, the
 * slow path, wake_wide(), which never has its way here.
 */
noinline int select_task_rq_fair(struct task_struct *p, int prev_cpu, int wake_flags)
{
	int cpu = smp_processor_id(), new_cpu = prev_cpu;

	if (wake_flags & WF_TTWU && p->cpus_mask & (1u << cpu) && cpu != prev_cpu)
		new_cpu = wake_affine(cpu, prev_cpu);

	return select_idle_sibling(p, prev_cpu, new_cpu);
}
