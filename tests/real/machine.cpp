// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of CPUs, interrupts and tasks around functions that were cut out
 * of a real kernel, and those stubs that need more than a macro. Written anew,
 * not taken from the model, which the results are compared with.
 */
#include "tests/real/machine.hpp"

#include "model/machine/face.h"

__image struct task_struct tasks[items];
__image struct cpu cpus[NR_CPUS];
__image struct ipi ipis[NR_CPUS];
struct config configs[NR_CPUS];

DEFINE_PER_CPU(struct rq, runqueues);
DEFINE_PER_CPU(struct llist_head, call_single_queue);
DEFINE_PER_CPU(int, sd_llc_id);
DEFINE_PER_CPU(struct cpumask, select_rq_mask);
struct sched_domain *sd_llc[NR_CPUS];

/* --- What the compiled kernel asks of its machine --- */

__no_access_events struct task_struct *get_current(void)
{
	return this_cpu().curr;
}

__no_access_events bool test_tsk_need_resched(struct task_struct *tsk)
{
	return tsk == get_current() && this_cpu().need_resched;
}

__no_access_events void set_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 1;
}

__no_access_events void clear_tsk_need_resched(struct task_struct *)
{
	this_cpu().need_resched = 0;
}

__no_access_events void local_irq_disable(void)
{
	this_cpu().irqs_disabled = 1;
}

__no_access_events void local_irq_enable(void)
{
	this_cpu().irqs_disabled = 0;
}

__no_access_events unsigned long arch_local_irq_save(void)
{
	unsigned long flags = this_cpu().irqs_disabled;

	this_cpu().irqs_disabled = 1;
	return flags;
}

__no_access_events void arch_local_irq_restore(unsigned long flags)
{
	this_cpu().irqs_disabled = flags;
}

__no_access_events void preempt_disable(void)
{
	this_cpu().preempt_count++;
}

__no_access_events void preempt_enable_no_resched(void)
{
	this_cpu().preempt_count--;
}

__no_access_events static bool preemption_is_due()
{
	return !this_cpu().preempt_count && this_cpu().need_resched;
}

void preempt_enable(void)
{
	preempt_enable_no_resched();
	if (!preemption_is_due() || this_cpu().irqs_disabled)
		return;
	local_irq_disable();
	preempt_schedule_irq();
	local_irq_enable();
}

static noinline void send_ipi(int cpu, uint32_t kind)
{
	if (configs[cpu].followed)
		atomic_fetch_add_release(kind, &ipis[cpu].sent);
}

void arch_send_call_function_single_ipi(int cpu) { send_ipi(cpu, call_ipi); }
void smp_send_reschedule(int cpu) { send_ipi(cpu, reschedule_ipi); }
void send_tick(int cpu) { send_ipi(cpu, tick_ipi); }

/* As include/linux/llist.h has these two. */
struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, nullptr);
}

bool llist_add_batch(struct llist_node *first, struct llist_node *last, struct llist_head *head);

bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct task_struct *p = llist_entry(node, struct task_struct, wake_entry.llist);

	wr_note(WR_QUEUE_IN, 100 + (head - call_single_queue), p->pid);
	return llist_add_batch(node, node, head);
}

bool asked_idle(int cpu)
{
	int idle;

	wr_call_begin(WR_CALL_IDLE, cpu);
	idle = idle_cpu(cpu);
	wr_call_end(WR_CALL_IDLE, idle);

	return idle;
}

int load_of(int cpu)
{
	return configs[cpu].load;
}

/* --- The fair class --- */

u64 queue_append(u64 queue, const struct task_struct *p)
{
	int place = 0;

	while (queue >> place & 0xff)
		place += 8;
	return queue | u64(p->pid + 1) << place;
}

u64 queue_remove(u64 queue, const struct task_struct *p)
{
	u64 rest = 0;

	for (; queue; queue >>= 8)
		if (queue_first(queue) != p)
			rest = queue_append(rest, queue_first(queue));
	return rest;
}

/* Queue and counts as the fair class changes them: the queue first. */
static void enqueue(struct rq *rq, struct task_struct *p, int flags)
{
	const bool comes_back = flags & ENQUEUE_RESTORE;
	unsigned int nr_running;

	if (!configs[rq->cpu].followed)
		wr_note(WR_RUN, rq->cpu, p->pid);
	wr_note(WR_QUEUE_IN, rq->cpu, p->pid);
	rq->queue = comes_back && rq->curr == p ? rq->queue : queue_append(rq->queue, p);
	rq->cfs.h_nr_running++;
	nr_running = rq->nr_running + 1;
	/* A wakeup that was announced before is committed since then. */
	if (this_cpu().drained != p && !comes_back)
		wr_note(WR_WORK_COMMIT, rq->cpu, p->pid);
	this_cpu().drained = nullptr;
	this_cpu().enqueued = flags & ENQUEUE_WAKEUP ? p : nullptr;
	rq->nr_running = nr_running;
}

static void dequeue(struct rq *rq, struct task_struct *p, int flags)
{
	unsigned int nr_running;

	rq->queue = queue_remove(rq->queue, p);
	rq->cfs.h_nr_running--;
	nr_running = rq->nr_running - 1;
	wr_note(WR_QUEUE_OUT, rq->cpu, p->pid);
	if (!(flags & DEQUEUE_SAVE) || flags & DEQUEUE_SLEEP)
		wr_note(WR_WORK_DONE, rq->cpu, p->pid);
	rq->nr_running = nr_running;
}

/* No task preempts another one. */
static void no_preemption(struct rq *, struct task_struct *, int)
{
}

const struct sched_class sched_classes[2] = {
	{ enqueue, dequeue, no_preemption, real_select_task_rq_fair, set_cpus_allowed_common,
	  nullptr, nullptr, nullptr },
	{ nullptr, nullptr, no_preemption, nullptr, nullptr, nullptr, nullptr, nullptr },
};

static struct task_struct *detach_one(struct rq *busiest, int cpu)
{
	u64 queue = busiest->queue;
	struct task_struct *found = nullptr;

	if (busiest->nr_running <= 1)
		return nullptr;
	for (; queue; queue >>= 8)
		if (queue_first(queue)->cpus_mask.bits >> cpu & 1 && !queue_first(queue)->on_cpu)
			found = queue_first(queue);
	if (found) {
		deactivate_task(busiest, found, DEQUEUE_NOCLOCK);
		set_task_cpu(found, cpu);
	}
	return found;
}

/* By hand: whether to balance at all, the queue with the most tasks, its last task that
 * may come; one lock after the other. */
int load_balance(int this_cpu, struct rq *this_rq, struct sched_domain *sd, int, int *)
{
	unsigned int most = 1;
	struct rq *busiest = nullptr;
	struct task_struct *p;

	if (this_rq->nr_running > 0 || this_rq->ttwu_pending)
		return 0;
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		if (cpu == this_cpu || !(sd->span.bits >> cpu & 1))
			continue;
		unsigned int nr_running = cpu_rq(cpu)->nr_running;

		if (nr_running > most) {
			most = nr_running;
			busiest = cpu_rq(cpu);
		}
	}
	if (!busiest)
		return 0;
	raw_spin_rq_lock(busiest);
	p = detach_one(busiest, this_cpu);
	raw_spin_rq_unlock(busiest);
	if (!p)
		return 0;
	raw_spin_rq_lock(this_rq);
	activate_task(this_rq, p, ENQUEUE_NOCLOCK);
	check_preempt_curr(this_rq, p, 0);
	raw_spin_rq_unlock(this_rq);
	return 1;
}

struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev, struct rq_flags *rf)
{
	const bool stays = !is_idle_task(prev) && prev->on_rq;
	struct task_struct *next;

	while (!rq->queue) {
		if (stays)
			return prev;
		if (real_newidle_balance(rq, rf) <= 0)
			return rq->idle;
	}

	next = queue_first(rq->queue);
	rq->queue = stays ? queue_append(rq->queue >> 8, prev) : rq->queue >> 8;
	return next;
}

/* --- What the engine is told --- */

static bool must_run(const struct task_struct *p)
{
	/* Such a task keeps its CPU for good, and hinders those behind it. */
	return p->body != runs_on;
}

static void note_state(struct task_struct *p, unsigned int state)
{
	if (p == get_current() || (state != TASK_RUNNING && state != TASK_WAKING))
		return;
	/* The end of a wakeup that was noted when it began. */
	if (this_cpu().enqueued == p) {
		this_cpu().enqueued = nullptr;
		return;
	}
	if (must_run(p))
		wr_note(WR_WAKE, smp_processor_id(), p->pid);
}

static void note_announced(int cpu)
{
	const uint32_t item = this_cpu().waking;

	this_cpu().left_to_stopper &= ~(1u << item);
	if (!configs[cpu].followed)
		wr_note(WR_RUN, cpu, item);
	wr_note(WR_WORK_COMMIT, cpu, item);
}

static void note_current(const struct task_struct *next)
{
	if (is_idle_task(next))
		return;
	wr_note(WR_OWNER_BEGIN, smp_processor_id(), next->pid);
	wr_note(WR_RUN, smp_processor_id(), next->pid);
}

void note_store(const volatile void *place, uint64_t value)
{
	for (int cpu = 0; cpu < NR_CPUS; cpu++)
		if (place == &runqueues[cpu].ttwu_pending && value)
			note_announced(cpu);
	for (struct task_struct &p : tasks)
		if (place == &p.__state)
			note_state(&p, value);
	if (place == &this_rq()->curr)
		note_current(reinterpret_cast<const struct task_struct *>(value));
}

void note_waking(struct task_struct *p)
{
	this_cpu().waking = p->pid;
}

void note_runs(void)
{
	if (!is_idle_task(get_current()))
		wr_note(WR_RUN, smp_processor_id(), get_current()->pid);
}

void note_stays(struct rq *)
{
	note_runs();
}

void note_leaves(struct task_struct *prev)
{
	if (!is_idle_task(prev))
		wr_note(WR_OWNER_END, smp_processor_id(), prev->pid);
}

void note_drained(struct task_struct *p)
{
	this_cpu().drained = p;
	wr_note(WR_QUEUE_OUT, 100 + smp_processor_id(), p->pid);
}

void note_left_to_stopper(struct task_struct *p)
{
	this_cpu().left_to_stopper |= 1u << p->pid;
}

/* --- Interrupts --- */

/* By hand: a task that shares its CPU has had its time. */
static void scheduler_tick()
{
	struct rq *rq = this_rq();

	raw_spin_rq_lock(rq);
	if (rq->nr_running > 1)
		resched_curr(rq);
	raw_spin_rq_unlock(rq);
}

static noinline void handle_interrupt(uint32_t sent)
{
	uint32_t fresh = sent ^ this_cpu().ipis_taken;

	this_cpu().ipis_taken = sent;
	if (fresh & (reschedule_ipi - 1))
		generic_smp_call_function_single_interrupt();
	if (fresh & (tick_ipi - reschedule_ipi))
		this_cpu().need_resched = 1;
	if (fresh & -tick_ipi)
		scheduler_tick();
	if (preemption_is_due())
		preempt_schedule_irq();
}

static noinline void take_interrupt()
{
	uint32_t sent = smp_load_acquire(&ipis[smp_processor_id()].sent);

	if (sent != this_cpu().ipis_taken)
		handle_interrupt(sent);
}

__no_access_events void interrupt_point(void)
{
	if (this_cpu().irqs_disabled || !configs[smp_processor_id()].followed)
		return;
	local_irq_disable();
	take_interrupt();
	local_irq_enable();
}

static __no_access_events bool not_yet_taken(uint64_t sent, const void *taken)
{
	return static_cast<uint32_t>(sent) != static_cast<uint32_t>(uintptr_t(taken));
}

/* Whoever waits has nothing else to do. */
noinline void wait_for_interrupt(void)
{
	const void *taken = reinterpret_cast<const void *>(uintptr_t(this_cpu().ipis_taken));

	local_irq_disable();
	handle_interrupt(wr_await(&ipis[smp_processor_id()].sent, sizeof(uint32_t), not_yet_taken,
				  taken, WR_ACQUIRE, WR_WAIT_IDLE, WR_SITE("wait_for_interrupt")));
	local_irq_enable();
}

/* --- Tasks and their stacks --- */

static void run_body()
{
	get_current()->body();
	this_cpu().finished |= 1u << get_current()->pid;
	real_do_task_dead();
	/* Whoever wakes the dead is stopped by the engine. */
	for (;;)
		wait_for_interrupt();
}

static void runs_for_the_first_time(unsigned int)
{
	schedule_tail(this_cpu().last);
	run_body();
}

static void runs_from_the_start(unsigned int)
{
	run_body();
}

noinline struct task_struct *machine_switch(struct task_struct *prev, struct task_struct *next)
{
	struct cpu &cpu = this_cpu();

	if (!is_idle_task(prev))
		prev->registers = cpu.registers + 1;
	if (is_idle_task(next))
		cpu.idle_times++;
	else
		cpu.registers = next->registers;
	cpu.curr = next;
	cpu.last = prev;
	wr_switch(is_idle_task(next) ? WR_OWN_STACK : next->pid, runs_for_the_first_time);
	return this_cpu().last;
}

void runs_on(void)
{
	for (;;)
		wait_for_interrupt();
}

noinline void blocks_again(void)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		schedule();
	}
}

static noinline void idle_once()
{
	while (!this_cpu().need_resched)
		wait_for_interrupt();
	flush_smp_call_function_queue();
	schedule_idle();
}

void run_cpu(void)
{
	/* The idle task is the stack that the thread began on. */
	if (!is_idle_task(get_current())) {
		wr_switch(get_current()->pid, runs_from_the_start);
		schedule_tail(this_cpu().last);
	}
	for (;;)
		idle_once();
}
