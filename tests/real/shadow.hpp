/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What functions cut out of a real kernel/ see in place of the kernel's own
 * headers: the structures with only those fields that the functions use, the
 * primitives of model/include/linux, and a stub for all that they call and we
 * do not cut. A stub that only keeps statistics, clocks or checks is empty.
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

#define CONFIG_SMP 1
#define IS_ENABLED(option) 0
#define typeof __typeof__
#undef __always_inline
#define __always_inline inline
#define __sched
#define notrace
#define __acquires(lock)
#define __releases(lock)

typedef uint64_t u64;
typedef void (*smp_call_func_t)(void *info);

/*
 * Every store of the kernel that the engine must know as more than a store is
 * a WRITE_ONCE (or becomes one below), so here is where they are annotated:
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
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)

/* A warning of the kernel is a violation. The two of sched_ttwu_pending() have
 * a type of their own, for the model reports what they warn of. */
constexpr const char *warning_type(const char *condition)
{
	if (__builtin_strcmp(condition, "p->on_cpu") == 0)
		return "RUNNING_TWICE";
	if (__builtin_strcmp(condition, "task_cpu(p) != cpu_of(rq)") == 0)
		return "WRONG_RQ";
	return "WARNING";
}
#define WARN_ON_ONCE(condition)						\
	({								\
		constexpr const char *__type = warning_type(#condition); \
		bool __warned = (condition);				\
		if (__warned)						\
			wr_violation(__type, "the kernel warns: " #condition); \
		__warned;						\
	})

/* --- Structures --- */

struct rq;
struct task_struct;

struct sched_class {
	void (*enqueue_task)(struct rq *rq, struct task_struct *p, int flags);
	void (*dequeue_task)(struct rq *rq, struct task_struct *p, int flags);
	void (*check_preempt_curr)(struct rq *rq, struct task_struct *p, int flags);
	void (*task_woken)(struct rq *rq, struct task_struct *p);
	void (*migrate_task_rq)(struct task_struct *p, int new_cpu);
};

/* The higher class comes first, as in the kernel's own table. */
extern const struct sched_class sched_classes[2];
#define fair_sched_class sched_classes[0]
#define idle_sched_class sched_classes[1]
#define sched_class_above(a, b) ((a) < (b))

struct cpumask {
	unsigned int bits;
};

struct __call_single_node {
	struct llist_node llist;
	unsigned int u_flags;
};

typedef struct __call_single_data {
	struct __call_single_node node;
	smp_call_func_t func;
	void *info;
} call_single_data_t;

struct task_struct {
	unsigned int __state;
	unsigned int on_rq;
	unsigned int on_cpu;
	unsigned int cpu;
	unsigned int wake_cpu;
	raw_spinlock_t pi_lock;
	unsigned int pid; /* the engine's item */
	struct cpumask cpus_mask;
	const struct cpumask *cpus_ptr;
	const struct sched_class *sched_class;
	struct __call_single_node wake_entry;
	struct {
		u64 nr_migrations;
	} se;
	unsigned long nvcsw, nivcsw;
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
	unsigned int blocks;     /* ours: the task blocks again as soon as it runs */
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
	/* Zero, as nobody balances: what depends on it is never touched. */
	u64 idle_stamp, avg_idle, max_idle_balance_cost, wake_stamp, wake_avg_idle;
	unsigned int queued; /* ours: a bit for each queued task that is not the current one */
};

struct rq_flags {
	unsigned long flags;
};

DECLARE_PER_CPU(struct rq, runqueues);
DECLARE_PER_CPU(struct llist_head, call_single_queue);
DECLARE_PER_CPU(int, sd_llc_id);

/* --- The functions that are cut, where one needs another before its own place --- */

bool llist_add_batch(struct llist_node *first, struct llist_node *last, struct llist_head *head);
void __smp_call_single_queue(int cpu, struct llist_node *node);
void generic_smp_call_function_single_interrupt(void);
void flush_smp_call_function_queue(void);
struct rq *__task_rq_lock(struct task_struct *p, struct rq_flags *rf);
void resched_curr(struct rq *rq);
void activate_task(struct rq *rq, struct task_struct *p, int flags);
void deactivate_task(struct rq *rq, struct task_struct *p, int flags);
void check_preempt_curr(struct rq *rq, struct task_struct *p, int flags);
void set_task_cpu(struct task_struct *p, unsigned int new_cpu);
void sched_ttwu_pending(void *arg);
void send_call_function_single_ipi(int cpu);
bool cpus_share_cache(int this_cpu, int that_cpu);
int wake_up_process(struct task_struct *p);
int idle_cpu(int cpu);
/* These are static in the kernel; cut.py gives them these names to the outside. */
void real_schedule(void);
void real_finish_task(struct task_struct *prev);
void real_prepare_task(struct task_struct *next);
struct rq *real_move_queued_task(struct rq *rq, struct rq_flags *rf, struct task_struct *p,
				 int new_cpu);

/* --- The functions that program.cpp has in place of the kernel's --- */

struct task_struct *get_current(void);
/* The flag is the CPU's own: a reschedule of another CPU is sent as an interrupt. */
bool test_tsk_need_resched(struct task_struct *tsk);
void set_tsk_need_resched(struct task_struct *tsk);
void clear_tsk_need_resched(struct task_struct *tsk);
int select_task_rq(struct task_struct *p, int cpu, int wake_flags);
struct task_struct *pick_next_task(struct rq *rq, struct task_struct *prev, struct rq_flags *rf);
struct rq *context_switch(struct rq *rq, struct task_struct *prev, struct task_struct *next,
			  struct rq_flags *rf);
void arch_send_call_function_single_ipi(int cpu);
void smp_send_reschedule(int cpu);
/* Where the kernel has a trace point or a hook, and the engine wants a note. */
void note_waking(struct task_struct *p);
void note_stays(struct rq *rq);
void note_drained(struct task_struct *p);
static inline void note_drained(call_single_data_t *) {}

/* --- Constants --- */

#define TASK_RUNNING 0x0000
#define TASK_INTERRUPTIBLE 0x0001
#define TASK_UNINTERRUPTIBLE 0x0002
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_WAKING 0x0200
#define TASK_NOLOAD 0x0400
#define TASK_RTLOCK_WAIT 0x1000
#define TASK_FROZEN 0x8000
#define TASK_ON_RQ_QUEUED 1
#define TASK_ON_RQ_MIGRATING 2
#define ENQUEUE_WAKEUP 0x01
#define ENQUEUE_RESTORE 0x02
#define ENQUEUE_NOCLOCK 0x08
#define ENQUEUE_MIGRATED 0x40
#define DEQUEUE_SLEEP 0x01
#define DEQUEUE_SAVE 0x02
#define DEQUEUE_NOCLOCK 0x08
#define WF_TTWU 0x08
#define WF_MIGRATED 0x20
#define SM_NONE 0x0
#define SM_MASK_PREEMPT 0x1
#define RQCF_REQ_SKIP 0x01
#define RQCF_ACT_SKIP 0x02
#define CSD_TYPE_ASYNC 0x00
#define CSD_TYPE_SYNC 0x10
#define CSD_TYPE_IRQ_WORK 0x20
#define CSD_TYPE_TTWU 0x30
#define CSD_TYPE(csd) ((csd)->node.u_flags & 0xf0)

/* --- Accessors, with the accesses of the kernel's own --- */

#define current get_current()
#define cpu_rq(cpu) (&per_cpu(runqueues, (cpu)))
#define this_rq() cpu_rq(smp_processor_id())
#define cpu_of(rq) ((unsigned int)(rq)->cpu)
#define task_thread_info(p) (p)
#define task_cpu(p) READ_ONCE(task_thread_info(p)->cpu)
#define task_rq(p) cpu_rq(task_cpu(p))
#define task_on_rq_queued(p) ((p)->on_rq == TASK_ON_RQ_QUEUED)
#define task_on_rq_migrating(p) (READ_ONCE((p)->on_rq) == TASK_ON_RQ_MIGRATING)
#define cpumask_test_cpu(cpu, mask) (((mask)->bits >> (cpu)) & 1)
#define __set_task_cpu(p, new_cpu)					\
	do {								\
		smp_wmb();						\
		WRITE_ONCE(task_thread_info(p)->cpu, new_cpu);		\
		(p)->wake_cpu = new_cpu;				\
	} while (0)

#define raw_spin_rq_lock(rq) raw_spin_lock(&(rq)->__lock)
#define raw_spin_rq_unlock(rq) raw_spin_unlock(&(rq)->__lock)
#define raw_spin_rq_unlock_irq(rq) raw_spin_unlock_irq(&(rq)->__lock)
#define rq_lock(rq, rf) raw_spin_rq_lock(rq)
#define rq_unlock(rq, rf) raw_spin_rq_unlock(rq)
#define rq_lock_irqsave(rq, rf) raw_spin_lock_irqsave(&(rq)->__lock, (rf)->flags)
#define rq_unlock_irqrestore(rq, rf) raw_spin_unlock_irqrestore(&(rq)->__lock, (rf)->flags)
#define __task_rq_unlock(rq, rf) raw_spin_rq_unlock(rq)

/* A loop that comes by again and again waits in the engine instead. */
#define cpu_relax() smp_cond_load_relaxed(&p->on_rq, VAL != TASK_ON_RQ_MIGRATING)

/* The node leaves the list by the read of its successor, the first access of each round. */
#define llist_for_each_entry_safe(pos, n, node, member)			\
	for (struct llist_node *__at = (node);				\
	     __at && ({							\
		pos = llist_entry(__at, typeof(*pos), member);		\
		note_drained(pos);					\
		__at = __at->next;					\
		n = llist_entry(__at, typeof(*n), member);		\
		true;							\
	     });)
#define llist_for_each_entry(pos, node, member)				\
	for (struct llist_node *__at = (node);				\
	     __at && ({ pos = llist_entry(__at, typeof(*pos), member); true; }); \
	     __at = __at->next)

/* No CPU polls while idle. */
#define set_nr_if_polling(p) false
#define set_nr_and_not_polling(p) true

/* Two trace points and a hook stand where the engine wants to be told something. */
#define trace_sched_waking(p) note_waking(p)
#define __balance_callbacks(rq) note_stays(rq)

/* --- No such thing in these programs --- */

#define sched_feat(feature) sched_feat_##feature
#define sched_feat_TTWU_QUEUE true
#define sched_feat_HRTICK false
#define sched_feat_HRTICK_DL false
#define cpu_active(cpu) true
#define cpu_online(cpu) true
#define sched_core_enabled(rq) false
#define signal_pending_state(state, p) false
#define schedstat_enabled() false
#define local_softirq_pending() 0u
#define jiffies 0

/* --- Statistics, clocks, checks: no access that these programs share --- */

#define WARN(condition, ...) ((void)(condition))
#define pr_warn(...) ((void)0)
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)
#define lockdep_assert_held(lock) ((void)0)
#define lockdep_assert_rq_held(rq) ((void)0)
#define lockdep_assert_irqs_disabled() ((void)0)
#define rq_pin_lock(rq, rf) ((void)0)
#define rq_unpin_lock(rq, rf) ((void)0)
#define rq_repin_lock(rq, rf) ((void)0)
#define update_rq_clock(rq) ((void)0)
#define rq_clock(rq) 0
#define rq_clock_skip_update(rq) ((void)0)
#define sched_clock_cpu(cpu) ((void)0)
#define update_avg(avg, sample) ((void)0)
#define hrtick_clear(rq) ((void)0)
#define schedule_debug(prev, preempt) ((void)0)
#define rcu_note_context_switch(preempt) ((void)0)
#define clear_preempt_need_resched() ((void)0)
#define set_preempt_need_resched() ((void)0)
#define migrate_disable_switch(rq, p) ((void)0)
#define psi_account_irqtime(rq, prev, next) ((void)0)
#define psi_sched_switch(prev, next, sleep) ((void)0)
#define psi_ttwu_dequeue(p) ((void)0)
#define psi_enqueue(p, wakeup) ((void)0)
#define psi_dequeue(p, sleep) ((void)0)
#define sched_info_enqueue(rq, p) ((void)0)
#define sched_info_dequeue(rq, p) ((void)0)
#define uclamp_rq_inc(rq, p) ((void)0)
#define uclamp_rq_dec(rq, p) ((void)0)
#define sched_core_enqueue(rq, p) ((void)0)
#define sched_core_dequeue(rq, p, flags) ((void)0)
#define delayacct_blkio_start() ((void)0)
#define delayacct_blkio_end(p) ((void)0)
#define rseq_migrate(p) ((void)0)
#define perf_event_task_migrate(p) ((void)0)
#define trace_sched_wakeup(p) ((void)0)
#define trace_sched_switch(preempt, prev, next, state) ((void)0)
#define trace_sched_migrate_task(p, cpu) ((void)0)
#define trace_sched_wake_idle_without_ipi(cpu) ((void)0)
/* Its argument is an access, after all locks are dropped. */
#define ttwu_stat(p, cpu, wake_flags) ((void)(cpu))
#define cfd_seq_store(...) ((void)0)
#define csd_lock_record(csd) ((void)0)
#define csd_unlock(csd) ((void)0)
#define irq_work_single(csd) ((void)0)
#define do_softirq_post_smp_call_flush(was_pending) ((void)(was_pending))
