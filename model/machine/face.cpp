// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/machine/face.h"

#include "model/kernel/sched/sched.h"
#include "model/machine/cpu.h"

__image struct word words[4];

static const struct wr_field word_fields[] = { FIELD(struct word, value, 0) };
OBJECT("words", words, word_fields, nullptr);

/* What each CPU may ask another one to do. */
static __image call_single_data_t csds[NR_CPUS];

static const struct wr_field csd_fields[] = {
	FIELD(call_single_data_t, node.llist, WR_FIELD_POINTER),
	FIELD(call_single_data_t, node.u_flags, WR_FIELD_CONST),
	FIELD(call_single_data_t, func, 0),
};
OBJECT("csd", csds, csd_fields, nullptr);

/* A mistake of the scenario's, for which no kernel is to blame. */
static bool demand(bool right, const char *text)
{
	if (!right)
		wr_error(text);
	return right;
}

static bool is_cpu(int cpu)
{
	return cpu >= 0 && cpu < NR_CPUS && machine.span & (1u << cpu);
}

static void setup_task(struct task_struct *p, unsigned int pid)
{
	__builtin_memset(p, 0, sizeof(*p));
	p->pid = pid;
	p->wake_entry.u_flags = CSD_TYPE_TTWU;
}

void machine_setup(void)
{
	__builtin_memset(&machine, 0, sizeof(machine));
	for (unsigned int i = 0; i < NR_TASKS; i++)
		setup_task(&tasks[i], i);

	for (unsigned int i = 0; i < NR_CPUS; i++) {
		struct rq *rq = cpu_rq(i);

		setup_task(&idle_tasks[i], NR_TASKS + i);
		__builtin_memset(rq, 0, sizeof(*rq));
		rq->cpu = i;
		rq->idle = &idle_tasks[i];
		/* Until the scenario speaks of it: nobody's neighbour, and never idle. */
		rq->curr = nullptr;
		sd_llc_id[i].id = NR_CPUS + i;
		cpu_config[i].runs = 0;
		cpu_config[i].load = 0;
	}
}

void setup_idle(enum idle_method method)
{
	machine.polling_bit = method != IDLE_HALTS;
	machine.idle_polls = method == IDLE_POLLS;
}

static void make_current(struct task_struct *p, int cpu)
{
	p->cpu = cpu;
	p->recent_used_cpu = cpu;
	p->on_cpu = 1;
	p->on_rq = 1;
	cpu_rq(cpu)->curr = p;
	cpus[cpu].curr = p;
}

void setup_cpu(int cpu, int llc, enum cpu_role role)
{
	struct task_struct *p;

	if (!demand(cpu >= 0 && cpu < NR_CPUS, "setup_cpu(): there is no CPU of this number") ||
	    !demand(!is_cpu(cpu), "setup_cpu(): a CPU is set up twice"))
		return;
	p = role == CPU_BUSY ? &tasks[FIRST_WAKER + cpu] : &idle_tasks[cpu];
	sd_llc_id[cpu].id = llc;
	machine.span |= 1u << cpu;
	for (int i = 0; i < NR_CPUS; i++)
		if (sd_llc_id[i].id == (unsigned int)llc) {
			machine.llc_span[i] |= 1u << cpu;
			machine.llc_span[cpu] |= 1u << i;
		}

	cpu_config[cpu].runs = role == CPU_IDLE;
	make_current(p, cpu);
	p->cpus_mask = 1u << cpu;
	p->body = runs_on;
	cpu_rq(cpu)->nr_running = role == CPU_BUSY;
	/* The idle task is never preempted. */
	cpus[cpu].preempt_count = role != CPU_BUSY;
}

void setup_load(int cpu, int load)
{
	cpu_config[cpu].load = load;
}

/* Domains of one CPU, and a machine that is one cache, are folded as in the kernel. */
void setup_overload(void)
{
	machine.overload = machine.span;
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		unsigned int llc = machine.llc_span[cpu];

		machine.domains[cpu][0] = llc & (llc - 1) ? llc : 0;
		machine.domains[cpu][1] = machine.span != llc ? machine.span : 0;
	}
}

void setup_short_idle(int cpu)
{
	machine.overload &= ~(1u << cpu);
}

static struct task_struct *setup_named(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p;

	if (!demand(task >= 0 && task < NR_TASKS, "there is no task of this number") ||
	    !demand(is_cpu(cpu), "a task is set up on a CPU that is not") ||
	    !demand(allowed & machine.span, "a task is set up that may run on no CPU") ||
	    !demand(body, "a task is set up without a body"))
		return nullptr;
	p = &tasks[task];
	p->cpu = cpu;
	p->recent_used_cpu = cpu;
	p->cpus_mask = allowed;
	p->cpus_meant = allowed;
	p->body = body;
	return p;
}

void setup_sleeper(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = setup_named(task, cpu, allowed, body);

	if (p)
		p->__state = TASK_INTERRUPTIBLE;
}

void setup_runner(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = setup_named(task, cpu, allowed, body);

	if (!p ||
	    !demand(cpu_config[cpu].runs && is_idle_task(cpus[cpu].curr),
		    "setup_runner(): only a CPU_IDLE takes a task to run, and only one") ||
	    !demand(allowed & (1u << cpu), "setup_runner(): the task may not run there"))
		return;
	make_current(p, cpu);
	cpu_rq(cpu)->nr_running++;
	cpus[cpu].preempt_count = 0;
}

void setup_queued(int task, int cpu, unsigned int allowed, task_body body)
{
	struct task_struct *p = setup_named(task, cpu, allowed, body);
	struct rq *rq;

	if (!p ||
	    !demand(!is_idle_task(cpus[cpu].curr),
		    "setup_queued(): what a task waits behind comes first, a runner or CPU_BUSY") ||
	    !demand(allowed & (1u << cpu), "setup_queued(): the task may not run there") ||
	    !demand(!(cpu_rq(cpu)->queue >> 56), "setup_queued(): the queue is full"))
		return;
	rq = cpu_rq(cpu);
	p->on_rq = TASK_ON_RQ_QUEUED;
	rq->queue = rq->queue << 8 | (p->pid + 1);
	rq->nr_running++;
}

bool wake(int task)
{
	demand(task >= 0 && task < NR_TASKS && tasks[task].body,
	       "wake(): the task was not set up");
	return wake_up_process(&tasks[task]);
}

bool query_idle(int cpu)
{
	unsigned long flags;
	bool idle;

	demand(is_cpu(cpu), "query_idle(): the CPU was not set up");
	local_irq_save(flags);
	idle = noted_idle_cpu(cpu);
	local_irq_restore(flags);

	return idle;
}

/*
 * Mirrors kernel/sched/core.c:try_to_wake_up, v6.2: its reads as far as ttwu_queue_cond
 * and, where those say that the task had better not be queued, the wait for on_cpu that
 * follows. Leaves out: all else.
 */
bool look_at_descheduling(int task)
{
	struct task_struct *p = &tasks[task];
	struct rq *rq;

	if (READ_ONCE(p->on_rq))
		return false;
	smp_acquire__after_ctrl_dep();

	if (!smp_load_acquire(&p->on_cpu))
		return false;
	rq = task_rq(p);
	if (!rq->nr_running)
		return true;
	wr_violation("ACCOUNTING_DRIFT", "a task that is being switched out is still counted");

	smp_cond_load_acquire(&p->on_cpu, !VAL);
	if (rq->nr_running)
		wr_violation("WRONG_RQ", "a task that has been switched out is still counted");
	return true;
}

void call_on(int cpu, smp_call_func_t func)
{
	call_single_data_t *csd = &csds[smp_processor_id()];

	csd->func = func;
	smp_call_function_single_async(cpu, csd);
}

bool set_affinity(int task, unsigned int allowed)
{
	demand(allowed & machine.span, "set_affinity(): there is no CPU left to run on");
	return set_cpus_allowed(&tasks[task], allowed);
}

void tick(int cpu)
{
	demand(is_cpu(cpu), "tick(): the CPU was not set up");
	send_tick(cpu);
}

void machine_ready(unsigned int threads, unsigned int places)
{
	demand(places <= NR_CPUS && !(machine.span >> places),
	       "SCENARIO() counts fewer CPUs than are set up, or more than there are");
	demand(threads <= places && !(((1u << threads) - 1) & ~machine.span),
	       "SCENARIO() has a CPU act that is not set up");
}

/* Mirrors kernel/ptrace.c:ptrace_freeze_traced, v5.8. Leaves out: siglock. */
bool freeze_traced(int task)
{
	if (READ_ONCE(tasks[task].__state) != TASK_TRACED)
		return false;

	WRITE_ONCE(tasks[task].__state, __TASK_TRACED);
	return true;
}

int look_at_iowait(int cpu)
{
	int waiting = (int)nr_iowait_cpu(cpu);

	if (waiting < 0)
		wr_violation("ACCOUNTING_DRIFT", "fewer than no tasks wait for I/O");
	return waiting;
}

void move_to_llc(int cpu, int llc)
{
	WRITE_ONCE(sd_llc_id[cpu].id, llc);
}

int task_place(int task)
{
	return tasks[task].cpu;
}
