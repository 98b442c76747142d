#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cuts functions out of a kernel's source and makes one C++ file of them.

usage: cut.py KERNEL > FILE

The source stays where it belongs: it is read from Debian's linux-source-6.1
when a test needs it, and its text goes to scratch directories only. A kernel
is the source as it is, or edited here the way a patch would change it.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ARCHIVE = Path(os.environ.get("WAKERACE_KERNEL_SOURCE", "/usr/src/linux-source-6.1.tar.xz"))

# In an order that declares each before its use, as far as stubs.hpp does not.
FUNCTIONS = {
    "lib/llist.c": ["llist_add_batch", "llist_reverse_order"],
    "kernel/smp.c": [
        "__smp_call_single_queue", "__flush_smp_call_function_queue",
        "generic_smp_call_function_single_interrupt", "flush_smp_call_function_queue",
    ],
    "kernel/sched/core.c": [
        "__task_rq_lock", "task_rq_lock", "resched_curr", "enqueue_task", "dequeue_task",
        "activate_task", "deactivate_task", "check_preempt_curr", "is_cpu_allowed",
        "move_queued_task", "set_cpus_allowed_common", "__do_set_cpus_allowed", "set_task_cpu",
        "affine_move_task", "__set_cpus_allowed_ptr_locked", "__set_cpus_allowed_ptr",
        "set_cpus_allowed_ptr", "select_task_rq", "ttwu_do_wakeup", "ttwu_do_activate",
        "ttwu_runnable", "sched_ttwu_pending", "send_call_function_single_ipi",
        "__ttwu_queue_wakelist", "cpus_share_cache", "ttwu_queue_cond", "ttwu_queue_wakelist",
        "ttwu_queue", "ttwu_state_match", "try_to_wake_up", "wake_up_process", "prepare_task",
        "finish_task", "prepare_task_switch", "finish_task_switch", "schedule_tail",
        "context_switch", "nr_iowait_cpu", "__schedule", "schedule", "schedule_idle",
        "preempt_schedule_irq", "io_schedule_prepare", "io_schedule_finish", "io_schedule",
        "idle_cpu",
    ],
    "kernel/sched/fair.c": [
        "enqueue_task_fair", "dequeue_task_fair", "wake_affine_idle", "wake_affine_weight",
        "wake_affine", "__select_idle_cpu", "select_idle_cpu", "select_idle_sibling",
        "select_task_rq_fair", "sched_balance_newidle",
    ],
}

# These are there for a kernel without SMP, too: which one of how many is wanted.
WITH_SMP = {
    "__set_cpus_allowed_ptr": (0, 2), "ttwu_queue_wakelist": (0, 2),
    "sched_balance_newidle": (1, 2),
}

# What C allows and C++ does not, and what C orders and C++ does not.
WAIT = "while (unlikely(task_on_rq_migrating(p)))\n\t\t\tcpu_relax();"
AWAIT = "smp_cond_load_relaxed(&p->on_rq, VAL != TASK_ON_RQ_MIGRATING);"
READ_RQ = "rq = task_rq(p);"
DEPENDENCY = "rq = cpu_rq(read_once_addr_dep(&p->cpu));"
PENDING = "\tpending = p->migration_pending;\n\t/*"
TRANSLATION = [
    ("sched_ttwu_pending", "= arg;", "= (struct llist_node *)arg;"),
    ("select_idle_cpu", "\tint this = smp_processor_id();\n", "\n"),
    # The address of the lock depends on what is read.
    ("__task_rq_lock", READ_RQ, DEPENDENCY),
    ("task_rq_lock", READ_RQ, DEPENDENCY),
    # A loop that comes by again and again waits in the engine instead.
    ("__task_rq_lock", WAIT, AWAIT),
    ("task_rq_lock", WAIT, AWAIT),
    # Nobody waits for the stopper, see shadow.hpp.
    ("affine_move_task", "pending->stop_pending = true;", ";"),
    ("affine_move_task", PENDING, PENDING.replace("p->migration_pending", "&my_pending")),
]

# What is shown to the engine as one call; no access of the kernel changes.
ON_CPU = "ttwu_queue_wakelist(p, task_cpu(p), wake_flags))\n\t\tgoto unlock;"
SELECT = "cpu = select_task_rq(p, p->wake_cpu, wake_flags | WF_TTWU);"
NOTES = [
    ("try_to_wake_up", "if (smp_load_acquire(&p->on_cpu) &&",
     "wr_call_begin(WR_CALL_SELECT, p->pid);\n\tif (smp_load_acquire(&p->on_cpu) &&"),
    ("try_to_wake_up", ON_CPU,
     "ttwu_queue_wakelist(p, cpu = task_cpu(p), wake_flags)) {\n"
     "\t\twr_call_end(WR_CALL_SELECT, cpu);\n\t\tgoto unlock;\n\t}\n"
     "\twr_call_end(WR_CALL_SELECT, WR_NOWHERE);"),
    ("try_to_wake_up", SELECT, "wr_call_begin(WR_CALL_SELECT, p->pid);\n\t"
     f"{SELECT}\n\twr_call_end(WR_CALL_SELECT, cpu);"),
]

# Ours need these, and they are static in the kernel.
DOORS = """
const struct sched_class sched_classes[2] = {
\t{ enqueue_task_fair, dequeue_task_fair, no_preemption, select_task_rq_fair,
\t  set_cpus_allowed_common, nullptr, nullptr, nullptr },
\t{ nullptr, nullptr, no_preemption, nullptr, nullptr, nullptr, nullptr, nullptr },
};

int real_newidle_balance(struct rq *rq, struct rq_flags *rf)
{
\treturn sched_balance_newidle(rq, rf);
}

/* By hand, with the end of do_exit(): what becomes of the task is left out. */
void real_do_task_dead(void)
{
\tpreempt_disable();
\tset_special_state(TASK_DEAD);
\t__schedule(SM_NONE);
\twr_violation("RUNNING_TWICE", "a dead task runs");
}
"""

CLEAR = "\tWRITE_ONCE(rq->ttwu_pending, 0);\n"
UNLOCK = "\trq_unlock_irqrestore(rq, &rf);\n"
READ_RUNNING = "\tif (rq->nr_running)\n"
READ_PENDING = "\tif (rq->ttwu_pending)\n"

# Edits of one function: what is replaced is there exactly once.
CLEAR_LATE = [
    ("sched_ttwu_pending", CLEAR, ""),
    ("sched_ttwu_pending", UNLOCK, CLEAR + UNLOCK),
]
SWAP = [
    ("idle_cpu", READ_RUNNING, "\tif (rq->first)\n"),
    ("idle_cpu", READ_PENDING, READ_RUNNING),
    ("idle_cpu", "\tif (rq->first)\n", READ_PENDING),
]
READ_BARRIER = [("idle_cpu", READ_RUNNING, "\tsmp_rmb();\n" + READ_RUNNING)]
RELEASE = [("sched_ttwu_pending", CLEAR, "\tsmp_store_release(&rq->ttwu_pending, 0);\n")]

# The names are those of the model's kernels with the same change.
KERNELS = {
    "v6.1": [],
    "v6.2": CLEAR_LATE,
    "idle-swapped": CLEAR_LATE + SWAP,
    "idle-swapped-rmb": CLEAR_LATE + SWAP + READ_BARRIER,
    "idle-swapped-rmb-release": CLEAR_LATE + SWAP + READ_BARRIER + RELEASE,
}

# What the model leaves out on purpose. With these edited out of the real source
# too, both must agree to the last execution; a model that learns one of them
# takes it off this list.
LEFT_OUT = [
    # The fair class keeps a count of its own of what on_rq says. Where nothing is broken
    # both are the same.
    ("enqueue_task_fair", "if (se->on_rq)", "if (false)"),
    # Asks whether the task has died; a waker may write the state meanwhile.
    ("finish_task_switch", "READ_ONCE(prev->__state)", "TASK_RUNNING"),
    # The cost of a search against the average idle time, which a waker may change meanwhile.
    ("sched_balance_newidle", "this_rq->avg_idle < curr_cost + sd->max_newidle_lb_cost", "false"),
    # Statistics read the task's CPU when all locks are dropped.
    ("try_to_wake_up", "ttwu_stat(p, task_cpu(p), wake_flags)", "ttwu_stat(p, 0, wake_flags)"),
]

TOKEN = re.compile(r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | [(){}]""",
                   re.DOTALL | re.VERBOSE)


class CannotCut(Exception):
    """The source is not what this script was written for."""


def unpack(archive):
    """Returns the text of the files that are needed, by path."""
    with tempfile.TemporaryDirectory() as scratch:
        members = [f"linux-source-6.1/{path}" for path in FUNCTIONS]
        # A gigabyte of text: several threads, and no further than the last member.
        subprocess.run(["tar", "-I", "xz -T0", "-xf", archive, "-C", scratch, "--occurrence=1",
                        *members], check=False, stderr=subprocess.DEVNULL)
        try:
            return {path: Path(scratch, member).read_text(encoding="utf-8")
                    for path, member in zip(FUNCTIONS, members)}
        except FileNotFoundError as missing:
            raise CannotCut(f"{archive} does not hold {missing.filename}") from missing


def closing(text, start):
    """Returns the index after the bracket that closes the one at @start."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token.group() in "({":
            depth += 1
        elif token.group() in ")}":
            depth -= 1
            if depth == 0:
                return token.end()
    raise CannotCut("a bracket is never closed")


def definitions(text, name):
    """Yields where each definition of function @name begins and ends."""
    for found in re.finditer(rf"^(?![ \t#*/]).*?\b{name}\(", text, re.MULTILINE):
        arguments_end = closing(text, found.end() - 1)
        body = re.compile(r"\s*(?:__\w+\([^)]*\)\s*)*\{").match(text, arguments_end)
        if not body:
            continue  # a declaration, or a use
        begin = found.start()
        # The return type may stand on a line of its own.
        above = text.rfind("\n", 0, begin - 1) + 1
        if re.fullmatch(r"[\w \t*]+", text[above:begin - 1]):
            begin = above
        yield begin, closing(text, body.end() - 1)


def cut(text, name):
    """Returns where function @name begins and ends."""
    found = list(definitions(text, name))
    wanted = WITH_SMP.get(name, (0, 1))
    if len(found) != wanted[1]:
        raise CannotCut(f"there are {len(found)} functions {name}, not {wanted[1]}")
    return found[wanted[0]]


def edit(functions, edits):
    for name, old, new in edits:
        if functions[name].count(old) != 1:
            raise CannotCut(f"{name} does not have {old.strip()!r} once; is it another kernel?")
        functions[name] = functions[name].replace(old, new)


def translate(sources, kernel, also=()):
    """Returns the text of a C++ file with all functions as @kernel has them, edited by @also."""
    functions, places = {}, {}
    for path, names in FUNCTIONS.items():
        for name in names:
            begin, end = cut(sources[path], name)
            functions[name] = sources[path][begin:end]
            places[name] = sources[path].count("\n", 0, begin) + 1, path
    edit(functions, [*TRANSLATION, *NOTES, *KERNELS[kernel], *also])
    parts = ['#include "tests/real/stubs.hpp"\n']
    for name, text in functions.items():
        line, path = places[name]
        parts.append(f'#line {line} "{path}"\n{text}\n')
    return "".join(parts) + f'#line 1 "doors"\n{DOORS}'


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in KERNELS:
        sys.exit(f"usage: cut.py KERNEL > FILE\nkernels: {' '.join(KERNELS)}")
    try:
        sys.stdout.write(translate(unpack(ARCHIVE), sys.argv[1]))
    except CannotCut as problem:
        sys.exit(f"cut.py: {problem}")


if __name__ == "__main__":
    main()
