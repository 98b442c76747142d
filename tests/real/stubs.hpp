/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the cut functions need to compile: the rest of the kernel's headers, and
 * a stub for all that they call and we do not cut. A stub that only keeps
 * statistics, clocks or checks is empty. Only the file of cut functions has this.
 */
#pragma once

#include "tests/real/machine.hpp"

#define CONFIG_SMP 1
#define IS_ENABLED(option) 0
#define typeof __typeof__
#undef __always_inline
#define __always_inline inline
#define asmlinkage
#define __visible
#define __sched
#define notrace
#define __acquires(lock)
#define __releases(lock)
#define barrier() ((void)0)
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define rcu_dereference(p) (p)
#define rcu_dereference_check_sched_domain(p) (p)
#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)

enum ctx_state {};

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

/* --- The functions that are cut, where one needs another before its own place --- */

bool llist_add_batch(struct llist_node *first, struct llist_node *last, struct llist_head *head);
struct rq *__task_rq_lock(struct task_struct *p, struct rq_flags *rf);
struct rq *task_rq_lock(struct task_struct *p, struct rq_flags *rf);
void sched_ttwu_pending(void *arg);
void send_call_function_single_ipi(int cpu);

/* --- Constants --- */

#define WF_SYNC 0x10
#define WF_TTWU 0x08
#define WF_MIGRATED 0x20
#define SM_NONE 0x0
#define SM_PREEMPT 0x1
#define SM_MASK_PREEMPT SM_PREEMPT
#define RQCF_REQ_SKIP 0x01
#define RQCF_ACT_SKIP 0x02
#define SCA_CHECK 0x01
#define SCA_MIGRATE_DISABLE 0x02
#define SCA_MIGRATE_ENABLE 0x04
#define SCA_USER 0x08
#define MDF_PUSH 0x01
#define PF_EXITING 0
#define PF_KTHREAD 0
#define PF_NO_SETAFFINITY 0
#define EINVAL 22
#define EBUSY 16
#define INT_MAX 0x7fffffff
#define CPU_NEWLY_IDLE 2
#define CSD_TYPE(csd) ((csd)->node.u_flags & 0xf0)
#define nr_cpu_ids NR_CPUS
#define nr_cpumask_bits NR_CPUS
#define sched_class_above(a, b) ((a) < (b))

/* --- Accessors, with the accesses of the kernel's own --- */

#define task_thread_info(p) (p)
#define task_rq(p) cpu_rq(task_cpu(p))
#define task_on_rq_queued(p) ((p)->on_rq == TASK_ON_RQ_QUEUED)
#define task_on_rq_migrating(p) (READ_ONCE((p)->on_rq) == TASK_ON_RQ_MIGRATING)
#define task_on_cpu(rq, p) ((p)->on_cpu)
#define task_current(rq, p) ((rq)->curr == (p))
#define need_resched() test_tsk_need_resched(current)
#define __set_task_cpu(p, new_cpu)					\
	do {								\
		smp_wmb();						\
		WRITE_ONCE(task_thread_info(p)->cpu, new_cpu);		\
		(p)->wake_cpu = new_cpu;				\
	} while (0)

#define atomic_read(counter) READ_ONCE(*(counter))
#define cpumask_test_cpu(cpu, mask) (((mask)->bits >> (cpu)) & 1)
#define cpumask_copy(to, from) ((to)->bits = (from)->bits)
#define cpumask_weight(mask) __builtin_popcount((mask)->bits)
#define cpumask_equal(a, b) ((a)->bits == (b)->bits)
#define cpumask_subset(a, b) (!((a)->bits & ~(b)->bits))
#define cpumask_any(mask) __builtin_ctz((mask)->bits)
#define cpumask_and(to, a, b) ((to)->bits = (a)->bits & (b)->bits)
#define cpumask_any_and_distribute(a, b) ((unsigned int)__builtin_ctz((a)->bits & (b)->bits))
#define sched_domain_span(sd) (&(sd)->span)
#define this_cpu_cpumask_var_ptr(mask) (&(mask)[smp_processor_id()])
static const struct cpumask all_cpus = { ~0u };
#define cpu_active_mask (&all_cpus)
#define cpu_online_mask (&all_cpus)
#define task_cpu_possible_mask(p) (&all_cpus)
#define for_each_cpu_wrap(cpu, mask, start)				\
	for (int __n = 0; __n < NR_CPUS; __n++)				\
		if (cpu = ((start) + __n) % NR_CPUS; cpumask_test_cpu(cpu, mask))
#define for_each_domain(cpu, __sd)					\
	for (__sd = rcu_dereference_check_sched_domain(cpu_rq(cpu)->sd); __sd; \
	     __sd = __sd->parent)

#define raw_spin_rq_unlock_irq(rq) raw_spin_unlock_irq(&(rq)->__lock)
#define rq_lock(rq, rf) raw_spin_rq_lock(rq)
#define rq_unlock(rq, rf) raw_spin_rq_unlock(rq)
#define rq_lock_irqsave(rq, rf) raw_spin_lock_irqsave(&(rq)->__lock, (rf)->flags)
#define rq_unlock_irqrestore(rq, rf) raw_spin_unlock_irqrestore(&(rq)->__lock, (rf)->flags)
#define __task_rq_unlock(rq, rf) raw_spin_rq_unlock(rq)
#define task_rq_unlock(rq, p, rf)					\
	do {								\
		raw_spin_rq_unlock(rq);					\
		raw_spin_unlock_irqrestore(&(p)->pi_lock, (rf)->flags);	\
	} while (0)
#define sched_preempt_enable_no_resched() preempt_enable_no_resched()

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

/* --- Trace points and hooks that stand where the engine wants to be told something --- */

#define trace_sched_waking(p) note_waking(p)
#define __balance_callbacks(rq) note_stays(rq)
#define perf_event_task_sched_in(prev, next) note_leaves(prev)
#define available_idle_cpu(cpu) asked_idle(cpu)
#define finish_lock_switch(rq) raw_spin_rq_unlock_irq(rq)
#define switch_to(prev, next, last) ((last) = machine_switch(prev, next))

/* --- What the machine does otherwise --- */

#define stop_one_cpu_nowait(cpu, function, argument, work) note_left_to_stopper(p)
#define wait_for_completion(done) ((void)0)
#define complete_all(done) ((void)0)
#define init_completion(done) ((void)0)
#define refcount_set(refs, count) ((void)0)
#define refcount_inc(refs) ((void)0)
#define refcount_dec_and_test(refs) false
#define refcount_read(refs) 0
#define wake_up_var(refs) ((void)0)
#define wait_var_event(refs, condition) ((void)0)
/* Without groups there is one queue to a CPU, whose number of tasks is the CPU's. */
#define for_each_sched_entity(se) for (; se; se = nullptr)
#define cfs_rq_of(se) (&rq->cfs)
#define enqueue_entity(cfs_rq, se, flags) queue_in(rq, p, flags)
#define dequeue_entity(cfs_rq, se, flags) queue_out(rq, p, flags)
#define add_nr_running(rq, count) count_in(rq, p)
#define sub_nr_running(rq, count) count_out(rq, p)
/* Tasks stay in their queue, the current one has left it. */
#define put_prev_task(rq, p) ((void)0)
#define set_next_task(rq, p) ((void)0)

/* --- No such thing in these programs --- */

#define sched_feat(feature) sched_feat_##feature
#define sched_feat_TTWU_QUEUE true
#define sched_feat_WA_IDLE true
#define sched_feat_WA_WEIGHT true
#define sched_feat_WA_BIAS true
#define sched_feat_SIS_PROP false
#define sched_feat_SIS_UTIL true
#define sched_feat_NI_RANDOM false
#define sched_feat_HRTICK false
#define sched_feat_HRTICK_DL false
#define cpu_active(cpu) true
#define cpu_online(cpu) true
#define cpu_dying(cpu) false
#define task_cpu_possible(cpu, p) true
#define kthread_is_per_cpu(p) false
#define is_per_cpu_kthread(p) false
#define in_task() true
#define is_migration_disabled(p) false
#define sched_core_enabled(rq) false
#define sched_energy_enabled() false
#define sched_asym_cpucap_active() false
#define sched_smt_active() false
#define sched_idle_cpu(cpu) false
#define signal_pending_state(state, p) false
#define schedstat_inc(counter) ((void)0)
#define local_softirq_pending() 0u
#define jiffies 0
#define asym_fits_cpu(...) true
#define sched_cpu_cookie_match(rq, p) true
#define sync_entity_load_avg(se) ((void)0)
#define task_util_est(p) 0
#define uclamp_eff_value(p, clamp) 0
#define test_idle_cores(cpu) false
#define set_idle_cores(cpu, has) ((void)0)
#define select_idle_smt(p, sd, cpu) (-1)
#define select_idle_core(p, cpu, cpus, idle) (-1)
#define select_idle_capacity(p, sd, target) (-1)
#define find_energy_efficient_cpu(p, cpu) (-1)
#define find_idlest_cpu(sd, p, cpu, prev_cpu, flag) (cpu)
#define select_fallback_rq(cpu, p) (wr_violation("WARNING", "no CPU is left for a task"), cpu)
#define task_has_idle_policy(p) 0
#define sched_idle_rq(rq) false
#define cfs_rq_is_idle(cfs_rq) false
#define cfs_rq_throttled(cfs_rq) false
#define throttled_hierarchy(cfs_rq) false
#define parent_entity(se) nullptr
#define record_wakee(p) ((void)0)
#define wake_wide(p) false
#define task_h_load(p) 0
#define capacity_of(cpu) 1
#define cpu_load(rq) load_of((rq)->cpu)
#define div_u64(a, b) ((a) / (b))
#define cpu_clock(cpu) 0
#define min(a, b) ((a) < (b) ? (a) : (b))
static struct sched_domain *const sd_asym_cpucapacity[NR_CPUS] = {};
static struct sched_domain_shared *const sd_llc_shared[NR_CPUS] = {};

/* The clock stands still, so next_balance counts instead how often it is moved on. */
#define HZ (this_rq->next_balance + 1)
#define time_after(a, b) ((void)(a), (void)(b), true)
#define update_next_balance(sd, next) ((void)0)
#define update_newidle_stats(sd, success) ((void)0)
#define update_newidle_cost(sd, cost, success) ((void)0)
#define update_misfit_status(p, rq) ((void)0)
#define update_blocked_averages(cpu) ((void)0)
#define nohz_newidle_balance(rq) ((void)0)
#define sched_rng() 0
#define update_avg(avg, sample) ((void)(sample), (void)++*(avg))
#define rq_clock(rq) 1

/* --- Statistics, clocks, checks: no access that these programs share --- */

#define WARN(condition, ...) ((void)(condition))
#define WARN_ONCE(condition, ...) false
#define SCHED_WARN_ON(condition) ((void)0)
#define BUG_ON(condition) ((void)0)
#define pr_warn(...) ((void)0)
#define preempt_count_set(count) ((void)0)
#define exception_enter() ctx_state()
#define exception_exit(state) ((void)(state))
#define lockdep_assert_held(lock) ((void)0)
#define lockdep_assert_rq_held(rq) ((void)0)
#define lockdep_assert_irqs_disabled() ((void)0)
#define rq_pin_lock(rq, rf) ((void)0)
#define rq_unpin_lock(rq, rf) ((void)0)
#define rq_repin_lock(rq, rf) ((void)0)
#define update_rq_clock(rq) ((void)0)
#define rq_clock_skip_update(rq) ((void)0)
#define sched_clock_cpu(cpu) 0
#define hrtick_update(rq) ((void)0)
#define util_est_enqueue(cfs_rq, p) ((void)0)
#define util_est_dequeue(cfs_rq, p) ((void)0)
#define util_est_update(cfs_rq, p, sleep) ((void)0)
#define cpufreq_update_util(rq, flags) ((void)0)
#define update_load_avg(cfs_rq, se, flags) ((void)0)
#define se_update_runnable(se) ((void)0)
#define update_cfs_group(se) ((void)0)
#define set_next_buddy(se) ((void)0)
#define check_update_overutilized_status(rq) ((void)0)
#define assert_list_leaf_cfs_rq(rq) ((void)0)
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
#define sched_info_switch(rq, prev, next) ((void)0)
#define uclamp_rq_inc(rq, p) ((void)0)
#define uclamp_rq_dec(rq, p) ((void)0)
#define sched_core_enqueue(rq, p) ((void)0)
#define sched_core_dequeue(rq, p, flags) ((void)0)
#define sched_submit_work(p) ((void)(p))
#define sched_update_worker(p) ((void)(p))
#define blk_flush_plug(plug, async) ((void)0)
#define delayacct_blkio_start() ((void)0)
#define delayacct_blkio_end(p) ((void)0)
#define rseq_migrate(p) ((void)0)
#define rseq_preempt(p) ((void)0)
#define perf_event_task_migrate(p) ((void)0)
#define perf_event_task_sched_out(prev, next) ((void)0)
#define kcov_prepare_switch(p) ((void)0)
#define kcov_finish_switch(p) ((void)0)
#define fire_sched_out_preempt_notifiers(prev, next) ((void)0)
#define fire_sched_in_preempt_notifiers(p) ((void)0)
#define kmap_local_sched_out() ((void)0)
#define kmap_local_sched_in() ((void)0)
#define prepare_arch_switch(next) ((void)0)
#define finish_arch_post_lock_switch() ((void)0)
#define arch_start_context_switch(prev) ((void)0)
#define prepare_lock_switch(rq, next, rf) ((void)0)
#define enter_lazy_tlb(mm, p) ((void)0)
#define mmgrab(mm) ((void)0)
#define mmdrop_sched(mm) ((void)0)
#define membarrier_switch_mm(rq, mm, next) ((void)0)
#define membarrier_mm_sync_core_before_usermode(mm) ((void)0)
#define switch_mm_irqs_off(mm, next, p) ((void)0)
#define lru_gen_use_mm(mm) ((void)0)
#define vtime_task_switch(p) ((void)0)
#define tick_nohz_task_switch() ((void)0)
#define put_task_stack(p) ((void)0)
#define put_task_struct_rcu_user(p) ((void)0)
#define put_user(value, place) ((void)0)
#define calculate_sigpending() ((void)0)
#define get_task_struct(p) (p)
#define clear_user_cpus_ptr(p) nullptr
#define kfree(memory) ((void)(memory))
#define trace_sched_wakeup(p) ((void)0)
#define trace_sched_switch(preempt, prev, next, state) ((void)0)
/* The count tells set_affinity() whether the task was moved. */
#define trace_sched_migrate_task(p, cpu) ((void)this_cpu().migrations++)
#define trace_sched_wake_idle_without_ipi(cpu) ((void)0)
/* Its argument is an access, after all locks are dropped. */
#define ttwu_stat(p, cpu, wake_flags) ((void)(cpu))
#define cfd_seq_store(...) ((void)0)
#define csd_lock_record(csd) ((void)0)
#define csd_unlock(csd) ((void)0)
#define irq_work_single(csd) ((void)0)
#define do_softirq_post_smp_call_flush(was_pending) ((void)(was_pending))
