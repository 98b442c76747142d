/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The structures that functions cut out of a real kernel/ see, with only those
 * fields that they use, over the primitives of model/include/linux; what they
 * call and we do not cut is in stubs.hpp.
 *
 * Shares with the model only its primitives: its machine and its kernel
 * functions are not used, so that an error there shows as a difference.
 */
#pragma once

#include <linux/atomic.h>
#include <linux/barrier.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

typedef int64_t s64;
typedef uint64_t u64;
typedef uint32_t u32;
typedef void (*smp_call_func_t)(void *info);

/*
 * Every store of the kernel that the engine must know as more than a store is
 * a WRITE_ONCE (or becomes one in stubs.hpp), so here is where they are annotated:
 * right before the store itself, wherever a patch moves it.
 */
void note_store(const volatile void *place, uint64_t value);
#undef WRITE_ONCE
#define WRITE_ONCE(x, val)						\
	do {								\
		__typeof__(x) __value = (val);				\
		note_store(&(x), wr_to_word(__value));			\
		*(volatile __typeof__(x) *)&(x) = __value;		\
	} while (0)

/* --- Structures --- */

struct rq;
struct rq_flags;
struct task_struct;
struct mm_struct;

struct cpumask {
	unsigned int bits;
};

struct sched_class {
	void (*enqueue_task)(struct rq *rq, struct task_struct *p, int flags);
	void (*dequeue_task)(struct rq *rq, struct task_struct *p, int flags);
	void (*check_preempt_curr)(struct rq *rq, struct task_struct *p, int flags);
	int (*select_task_rq)(struct task_struct *p, int cpu, int flags);
	void (*set_cpus_allowed)(struct task_struct *p, const struct cpumask *mask, u32 flags);
	void (*task_woken)(struct rq *rq, struct task_struct *p);
	void (*migrate_task_rq)(struct task_struct *p, int new_cpu);
	void (*task_dead)(struct task_struct *p);
};

/* The higher class comes first, as in the kernel's own table. */
extern const struct sched_class sched_classes[2];
#define fair_sched_class sched_classes[0]
#define idle_sched_class sched_classes[1]

struct __call_single_node {
	struct llist_node llist;
	unsigned int u_flags;
};

typedef struct __call_single_data {
	struct __call_single_node node;
	smp_call_func_t func;
	void *info;
} call_single_data_t;

/* No task of these programs has a flag of the kind that PF_ names begin. */
struct task_flags {
	bool operator&(unsigned int) const { return false; }
};

/*
 * A change of affinity that has to wait lives on the stack of who waits. The
 * stopper is left out, as in the model: a task that runs stays where it is, and
 * who wants it elsewhere does not wait. So nobody ever finds another's request.
 */
struct completion {};
struct cpu_stop_work {};
struct migration_arg {
	struct task_struct *task;
	int dest_cpu;
	struct set_affinity_pending *pending;
};
struct set_affinity_pending {
	unsigned int refs;
	unsigned int stop_pending;
	struct completion done;
	struct cpu_stop_work stop_work;
	struct migration_arg arg;
};

struct sched_entity {
	u64 nr_migrations;
	unsigned int on_rq;
};

struct cfs_rq {
	unsigned int h_nr_running;
	unsigned int idle_h_nr_running;
	struct {
		unsigned long weight;
	} load;
};

struct migration_request {
	operator struct set_affinity_pending *() const { return nullptr; }
	void operator=(struct set_affinity_pending *) {}
};

struct task_struct {
	unsigned int __state;
	unsigned int on_rq;
	unsigned int on_cpu;
	unsigned int cpu;
	unsigned int wake_cpu;
	int recent_used_cpu;
	raw_spinlock_t pi_lock;
	unsigned int pid; /* the engine's item, and the number of its stack */
	struct cpumask cpus_mask;
	const struct cpumask *cpus_ptr;
	int nr_cpus_allowed;
	[[no_unique_address]] struct migration_request migration_pending;
	unsigned int migration_flags;
	[[no_unique_address]] struct task_flags flags;
	const struct sched_class *sched_class;
	struct __call_single_node wake_entry;
	struct sched_entity se;
	unsigned long nvcsw, nivcsw;
	struct mm_struct *mm, *active_mm; /* null: kernel threads all */
	int *set_child_tid;
	/* Two words of bitfields, each its own cell as clang accesses it: one byte. */
	union {
		uint8_t sched_bits;
		struct {
			unsigned int sched_contributes_to_load : 1;
		};
	};
	union {
		uint8_t current_bits;
		struct {
			unsigned int sched_remote_wakeup : 1;
			unsigned int in_iowait : 1;
		};
	};
	unsigned long registers; /* ours: whoever runs the task must see what the last one saved */
	void (*body)(void);      /* ours */
};

struct sched_domain_shared {
	int nr_idle_scan;
};

#define SD_BALANCE_NEWIDLE 0x0001
#define SD_WAKE_AFFINE 0x0010
struct sched_domain {
	struct sched_domain *parent;
	struct cpumask span;
	int flags;
	unsigned int imbalance_pct, span_weight, newidle_ratio;
	u64 max_newidle_lb_cost, avg_scan_cost;
};

struct root_domain {
	int overload;
};

struct rq {
	raw_spinlock_t __lock;
	unsigned int nr_running;
	unsigned int ttwu_pending;
	unsigned int nr_uninterruptible;
	unsigned int nr_iowait;
	unsigned int clock_update_flags;
	int cpu;
	struct task_struct *curr;
	struct task_struct *idle;
	u64 nr_switches;
	/* The clock stands at 1; avg_idle counts what is fed into it. */
	u64 idle_stamp, avg_idle, max_idle_balance_cost, wake_stamp, wake_avg_idle;
	unsigned long next_balance;
	struct sched_domain *sd;
	struct root_domain *rd;
	struct mm_struct *prev_mm;
	bool push_busy;
	struct cpu_stop_work push_work;
	struct cfs_rq cfs;
	/* Ours: the queued tasks but the current one, the first to run in the lowest byte. */
	u64 queue;
};

struct rq_flags {
	unsigned long flags;
};

DECLARE_PER_CPU(struct rq, runqueues);
DECLARE_PER_CPU(struct llist_head, call_single_queue);
DECLARE_PER_CPU(int, sd_llc_id);
DECLARE_PER_CPU(struct cpumask, select_rq_mask);
extern struct sched_domain *sd_llc[NR_CPUS];

/* --- The functions that are cut, where ours need them --- */

void __smp_call_single_queue(int cpu, struct llist_node *node);
void generic_smp_call_function_single_interrupt(void);
void flush_smp_call_function_queue(void);
void resched_curr(struct rq *rq);
void activate_task(struct rq *rq, struct task_struct *p, int flags);
void deactivate_task(struct rq *rq, struct task_struct *p, int flags);
void check_preempt_curr(struct rq *rq, struct task_struct *p, int flags);
void set_task_cpu(struct task_struct *p, unsigned int new_cpu);
bool cpus_share_cache(int this_cpu, int that_cpu);
int wake_up_process(struct task_struct *p);
int idle_cpu(int cpu);
int set_cpus_allowed_ptr(struct task_struct *p, const struct cpumask *new_mask);
void set_cpus_allowed_common(struct task_struct *p, const struct cpumask *mask, u32 flags);
unsigned int nr_iowait_cpu(int cpu);
void schedule(void);
void schedule_idle(void);
void schedule_tail(struct task_struct *prev);
void preempt_schedule_irq(void);
void io_schedule(void);
/* These are static in the kernel, or a part of a function; cut.py gives them these names. */
int real_newidle_balance(struct rq *rq, struct rq_flags *rf);
void real_do_task_dead(void);

/* --- Constants --- */

#define TASK_RUNNING 0x0000
#define TASK_INTERRUPTIBLE 0x0001
#define TASK_UNINTERRUPTIBLE 0x0002
#define __TASK_TRACED 0x0008
#define TASK_DEAD 0x0080
#define TASK_WAKEKILL 0x0100
#define TASK_WAKING 0x0200
#define TASK_NOLOAD 0x0400
#define TASK_RTLOCK_WAIT 0x1000
#define TASK_FROZEN 0x8000
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_TRACED (TASK_WAKEKILL | __TASK_TRACED)
#define TASK_ON_RQ_QUEUED 1
#define TASK_ON_RQ_MIGRATING 2
#define ENQUEUE_WAKEUP 0x01
#define ENQUEUE_RESTORE 0x02
#define ENQUEUE_NOCLOCK 0x08
#define ENQUEUE_MIGRATED 0x40
#define DEQUEUE_SLEEP 0x01
#define DEQUEUE_SAVE 0x02
#define DEQUEUE_NOCLOCK 0x08
#define CSD_TYPE_ASYNC 0x00
#define CSD_TYPE_SYNC 0x10
#define CSD_TYPE_IRQ_WORK 0x20
#define CSD_TYPE_TTWU 0x30

/* --- Accessors, with the accesses of the kernel's own --- */

struct task_struct *get_current(void);
#define current get_current()
#define cpu_rq(cpu) (&per_cpu(runqueues, (cpu)))
#define this_rq() cpu_rq(smp_processor_id())
#define cpu_of(rq) ((unsigned int)(rq)->cpu)
#define task_cpu(p) READ_ONCE((p)->cpu)
#define raw_spin_rq_lock(rq) raw_spin_lock(&(rq)->__lock)
#define raw_spin_rq_unlock(rq) raw_spin_unlock(&(rq)->__lock)

/* The count is the CPU's own; enabling reschedules if that is due, as in the kernel. */
void preempt_disable(void);
void preempt_enable(void);
void preempt_enable_no_resched(void);
