// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of CPUs, interrupts and tasks around functions that were cut out
 * of a real kernel, and those stubs that need more than a macro. Written anew,
 * not taken from the model, which the results are compared with.
 */
#include "tests/real/machine.hpp"

__image struct task_struct tasks[items];
__image struct cpu cpus[NR_CPUS];
__image struct ipi ipis[NR_CPUS];
__image uint32_t followed[NR_CPUS];

DEFINE_PER_CPU(struct rq, runqueues);
DEFINE_PER_CPU(struct llist_head, call_single_queue);
DEFINE_PER_CPU(int, sd_llc_id);

/* --- What the compiled kernel asks of its machine --- */

struct task_struct *get_current(void)
{
	return this_cpu().curr;
}

bool test_tsk_need_resched(struct task_struct *tsk)
{
	return tsk == get_current() && this_cpu().need_resched;
}

void set_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 1;
}

void clear_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 0;
}

void local_irq_disable(void)
{
	this_cpu().irqs_disabled = 1;
}

void local_irq_enable(void)
{
	this_cpu().irqs_disabled = 0;
}

unsigned long arch_local_irq_save(void)
{
	unsigned long flags = this_cpu().irqs_disabled;

	local_irq_disable();
	return flags;
}

void arch_local_irq_restore(unsigned long flags)
{
	this_cpu().irqs_disabled = flags;
}

noinline void arch_send_call_function_single_ipi(int cpu)
{
	if (followed[cpu])
		atomic_fetch_add_release(call_ipi, &ipis[cpu].sent);
}

noinline void smp_send_reschedule(int cpu)
{
	if (followed[cpu])
		atomic_fetch_add_release(reschedule_ipi, &ipis[cpu].sent);
}

/* As include/linux/llist.h has these two. */
struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, nullptr);
}

bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct task_struct *p = llist_entry(node, struct task_struct, wake_entry.llist);

	wr_note(WR_QUEUE_IN, 100 + (head - call_single_queue), p->pid);
	return llist_add_batch(node, node, head);
}

/* Queue and count as the fair class changes them: the queue first. */
static void enqueue(struct rq *rq, struct task_struct *p, int)
{
	unsigned int nr_running;

	wr_note(WR_QUEUE_IN, rq->cpu, p->pid);
	rq->queued |= 1u << p->pid;
	nr_running = rq->nr_running + 1;
	/* A wakeup that was announced before is committed since then. */
	if (this_cpu().drained != p)
		wr_note(WR_WORK_COMMIT, rq->cpu, p->pid);
	this_cpu().drained = nullptr;
	rq->nr_running = nr_running;
}

static void dequeue(struct rq *rq, struct task_struct *p, int flags)
{
	unsigned int nr_running;

	if (!(flags & DEQUEUE_SLEEP))
		rq->queued &= ~(1u << p->pid);
	nr_running = rq->nr_running - 1;
	wr_note(WR_QUEUE_OUT, rq->cpu, p->pid);
	wr_note(WR_WORK_DONE, rq->cpu, p->pid);
	rq->nr_running = nr_running;
}

/* No task preempts another one. */
static void no_preemption(struct rq *, struct task_struct *, int)
{
}

const struct sched_class sched_classes[2] = {
	{ enqueue, dequeue, no_preemption, nullptr, nullptr },
	{ nullptr, nullptr, no_preemption, nullptr, nullptr },
};

static bool asked_idle(int cpu)
{
	int idle;

	wr_call_begin(WR_CALL_IDLE, cpu);
	idle = idle_cpu(cpu);
	wr_call_end(WR_CALL_IDLE, idle);

	return idle;
}

/* As the fair class without domains: the CPU asked for, then its neighbours, itself last. */
int select_task_rq(struct task_struct *p, int cpu, int)
{
	int chosen = cpu;

	wr_call_begin(WR_CALL_SELECT, p->pid);
	if (p->cpus_mask.bits != 1u << cpu && !asked_idle(cpu)) {
		for (int i = 1; i <= NR_CPUS; i++) {
			int other = (cpu + i) % NR_CPUS;

			if (!may_run(p, other) || !cpus_share_cache(other, cpu))
				continue;
			if (asked_idle(other)) {
				chosen = other;
				break;
			}
		}
	}
	wr_call_end(WR_CALL_SELECT, chosen);

	return chosen;
}

struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev, struct rq_flags *)
{
	unsigned int queued = rq->queued;

	if (!is_idle_task(prev) && prev->on_rq)
		queued |= 1u << prev->pid;
	if (!queued)
		return rq->idle;

	struct task_struct *next = &tasks[__builtin_ctz(queued)];

	if (next != prev)
		rq->queued = queued & ~(1u << next->pid);
	return next;
}

struct rq *context_switch(struct rq *rq, struct task_struct *prev, struct task_struct *next,
			  struct rq_flags *)
{
	struct cpu &cpu = this_cpu();

	real_prepare_task(next);
	if (!is_idle_task(prev))
		prev->registers = cpu.registers + 1;
	if (!is_idle_task(next))
		cpu.registers = next->registers;
	cpu.curr = next;
	cpu.resumed = 1;
	if (!is_idle_task(prev))
		wr_note(WR_OWNER_END, rq->cpu, prev->pid);
	real_finish_task(prev);
	raw_spin_rq_unlock_irq(rq);

	return rq;
}

/* --- What the engine is told --- */

void note_store(const volatile void *place, uint64_t value)
{
	int cpu = smp_processor_id();

	for (unsigned int i = 0; i < NR_CPUS; i++)
		if (place == &runqueues[i].ttwu_pending && value)
			wr_note(WR_WORK_COMMIT, i, this_cpu().waking);

	if (place != &runqueues[cpu].curr)
		return;

	const auto *next = reinterpret_cast<const struct task_struct *>(value);

	if (is_idle_task(next))
		return;
	if (!may_run(next, cpu))
		wr_violation("WRONG_RQ", "a task runs on a CPU that it is not allowed on");
	wr_note(WR_OWNER_BEGIN, cpu, next->pid);
	wr_note(WR_RUN, cpu, next->pid);
}

/* A task that keeps its CPU for good hinders those behind it, so only the
 * wakeups of tasks that block again have to be followed by a run. */
void note_waking(struct task_struct *p)
{
	if (p->blocks)
		wr_note(WR_WAKE, smp_processor_id(), p->pid);
}

void note_stays(struct rq *rq)
{
	struct task_struct *p = get_current();

	if (is_idle_task(p))
		return;
	this_cpu().resumed = 1;
	wr_note(WR_RUN, rq->cpu, p->pid);
}

void note_drained(struct task_struct *p)
{
	this_cpu().drained = p;
	wr_note(WR_QUEUE_OUT, 100 + smp_processor_id(), p->pid);
}

/* --- A CPU and its tasks --- */

static void handle_interrupt(uint32_t sent)
{
	uint32_t fresh = sent ^ this_cpu().ipis_taken;

	this_cpu().ipis_taken = sent;
	if (fresh & (reschedule_ipi - 1))
		generic_smp_call_function_single_interrupt();
	if (fresh & ~(reschedule_ipi - 1))
		this_cpu().need_resched = 1;
}

static noinline void take_interrupt()
{
	uint32_t sent = smp_load_acquire(&ipis[smp_processor_id()].sent);

	if (sent != this_cpu().ipis_taken)
		handle_interrupt(sent);
}

__no_access_events void interrupt_point(void)
{
	if (this_cpu().irqs_disabled || !followed[smp_processor_id()])
		return;
	local_irq_disable();
	take_interrupt();
	local_irq_enable();
}

static __no_access_events bool not_yet_taken(uint64_t sent, const void *taken)
{
	return static_cast<uint32_t>(sent) != static_cast<uint32_t>(uintptr_t(taken));
}

static noinline void wait_for_interrupt()
{
	const void *taken = reinterpret_cast<const void *>(uintptr_t(this_cpu().ipis_taken));

	local_irq_disable();
	handle_interrupt(wr_await(&ipis[smp_processor_id()].sent, sizeof(uint32_t), not_yet_taken,
				  taken, WR_ACQUIRE, WR_WAIT_IDLE, WR_SITE("wait_for_interrupt")));
	local_irq_enable();
}

static void schedule()
{
	do {
		real_schedule();
	} while (this_cpu().need_resched);
}

static noinline void idle_once()
{
	while (!this_cpu().need_resched)
		wait_for_interrupt();
	flush_smp_call_function_queue();
	schedule();
}

static noinline void block()
{
	smp_store_mb(get_current()->__state, TASK_UNINTERRUPTIBLE);
	schedule();
}

[[noreturn]] void run_cpu()
{
	for (;;) {
		struct task_struct *p = get_current();

		if (is_idle_task(p)) {
			idle_once();
			continue;
		}
		if (p->blocks && this_cpu().resumed) {
			this_cpu().resumed = 0;
			interrupt_point();
			block();
		} else {
			wait_for_interrupt();
		}
		if (get_current() == p && this_cpu().need_resched)
			schedule();
	}
}

void wake(unsigned int item)
{
	this_cpu().waking = item;
	wake_up_process(&tasks[item]);
}

bool query_idle(int cpu)
{
	unsigned long flags;
	bool idle;

	local_irq_save(flags);
	idle = asked_idle(cpu);
	local_irq_restore(flags);

	return idle;
}

/*
 * The balancer leaves the only task of a runqueue alone; what takes that one is
 * a change of its affinity: affine_move_task(), for a task that does not run.
 */
noinline bool move_away(struct task_struct *p, int to)
{
	unsigned long flags;
	struct rq_flags rf;
	bool moves = false;
	struct rq *rq;

	raw_spin_lock_irqsave(&p->pi_lock, flags);
	rq = __task_rq_lock(p, &rf);
	if (!p->on_cpu && READ_ONCE(p->__state) != TASK_WAKING) {
		moves = p->on_rq == TASK_ON_RQ_QUEUED;
		if (moves)
			rq = real_move_queued_task(rq, &rf, p, to);
	}
	rq_unlock(rq, &rf);
	raw_spin_unlock_irqrestore(&p->pi_lock, flags);

	return moves;
}
