#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The model and the kernel's real source must agree.

usage: agree_test.py C++-FILE...

Compiles functions that are cut out of Debian's kernel source, explores the
scenarios over them, and compares what is found with what the tool finds when the
model stands behind the same scenarios. Speaks TAP, one case per kernel, scenario
and memory model; all are skipped where there is no source.
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
import cut  # noqa: E402 (the line above has to come first)

ROOT = Path(os.environ.get("WAKERACE_ROOT", Path(__file__).resolve().parents[2]))
TOOL = os.environ.get("WAKERACE_TOOL", str(ROOT / "build/cli/wakerace"))
WORKER = os.environ.get("WAKERACE_WORKER",
                        str(Path(TOOL).parents[1] / "checker/relacy/wakerace-relacy"))

EVERY, V6 = list(cut.KERNELS), ["v6.1", "v6.2"]
BOTH = ["sc", "c11"]
# Scenarios, memory models, places of interrupts, kernels. Two batches would be
# a hundred thousand executions each under c11 if interrupts came at every access.
RUNS = [
    (["ttwu_pending", "ttwu_pending_pull", "wake_while_blocking"], BOTH, "every-access", EVERY),
    (["ttwu_pending_two_batches"], ["sc"], "every-access", EVERY),
    (["ttwu_pending_two_batches"], ["c11"], "steps", ["v6.1", "v6.2", "idle-swapped"]),
    (["affinity_excluded", "iowait_order", "newidle_idle_time", "newidle_pending",
      "on_cpu_handoff", "on_rq_on_cpu", "waiter_waker", "wakelist_nr_running",
      "wakelist_nr_running_claim"], BOTH, "every-access", V6),
    (["stale_task_cpu"], ["sc"], "every-access", V6),
]
# Scenarios, and one ordering that v6.2 goes without under c11.
WEAKENED = [
    ("on_cpu_handoff", "try_to_wake_up:smp_cond_load_acquire"),
    ("on_rq_on_cpu", "finish_task:smp_store_release"),
    ("on_rq_on_cpu", "try_to_wake_up:smp_acquire__after_ctrl_dep"),
    ("on_rq_on_cpu", "try_to_wake_up:smp_cond_load_acquire"),
    ("on_rq_on_cpu", "try_to_wake_up:smp_rmb"),
    ("waiter_waker", "__schedule:smp_mb__after_spinlock"),
    ("waiter_waker", "try_to_wake_up:smp_mb__after_spinlock"),
    ("waiter_waker", "waiter:smp_store_mb"),
    ("wakelist_nr_running_claim", "finish_task:smp_store_release"),
]
SCENARIOS = sorted({name for names, *_ in RUNS for name in names})

# Over the source as it is, types and final states are the same; with what the
# model leaves out edited out of it, so is the number of executions of each.
TYPES, COUNTS = "types", "counts"
EDITS = {TYPES: [], COUNTS: cut.LEFT_OUT}

NO_VERDICT = {"verdict": "error", "error": "the tool gave no verdict on this scenario"}


class Case(NamedTuple):
    kernel: str
    scenario: str
    model: str
    irq: str
    weaken: str
    edits: str
    compared: str

    def name(self):
        weaker = f" without {self.weaken}" if self.weaken else ""
        return (f"same {self.compared}: {self.scenario} {self.kernel} {self.model}{weaker}, "
                f"interrupts at {self.irq}")

    def on_model(self):
        return self.kernel, self.scenario, self.model, self.weaken


def every_case():
    cases = [Case(kernel, scenario, model, irq, "", how, how)
             for scenarios, models, irq, kernels in RUNS
             for kernel in kernels
             for scenario in scenarios
             for model in models
             for how in EDITS]
    # What is broken goes on breaking, in cells of the kernel that the model lacks, too.
    return cases + [Case("v6.2", scenario, "c11", "every-access", site, COUNTS, TYPES)
                    for scenario, site in WEAKENED]


def compiler_words():
    lines = (ROOT / "model/module.flags").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    flags = " ".join(line for line in lines if not line.startswith("link:")).split()
    link = " ".join(line[5:] for line in lines if line.startswith("link:")).split()
    # Ours come first. The kernel is compiled with the other two as well.
    return ["-Itests/real/include", *flags, "-fno-strict-overflow",
            "-fno-delete-null-pointer-checks"], link


def build(scratch, pool, files):
    """Returns the modules of the real source by kernel and how it was edited."""
    flags, link = compiler_words()

    def compiled(source, *more):
        target = scratch / f"{source.name}.o"
        subprocess.run(["clang++", *flags, *more, "-c", source, "-o", target],
                       cwd=ROOT, check=True)
        return target

    sources = cut.unpack(cut.ARCHIVE)
    files = [*files, *(ROOT / f"scenarios/{name}.cpp" for name in SCENARIOS)]
    ours = [pool.submit(compiled, Path(file).resolve(), "-Werror") for file in files]
    real = {}
    for kernel in cut.KERNELS:
        for how, edits in EDITS.items():
            text = scratch / f"{kernel}-{how}.cpp"
            text.write_text(cut.translate(sources, kernel, edits), encoding="utf-8")
            # The kernel's warnings are the kernel's business. Functions stay apart, as
            # the model's do, or two reads of one field become one.
            real[kernel, how] = text, pool.submit(compiled, text, "-w", "-fno-inline")
    modules = {}
    for key, (text, done) in real.items():
        modules[key] = text.with_suffix(".so")
        subprocess.run(["clang++", *link, *(job.result() for job in ours), done.result(),
                        "-o", modules[key]], cwd=ROOT, check=True)
    return modules


def explore_real(modules, case):
    request = {"module": str(modules[case.kernel, case.edits]), "scenario": case.scenario,
               "engine": "relacy", "model": case.model, "search": "dpor", "irq": case.irq,
               "weaken": [case.weaken] if case.weaken else [], "seed": 1, "context_bound": 0,
               "max_executions": 0, "time_limit_s": 120, "memory_limit_mb": 0,
               "stories_per_type": 1}
    done = subprocess.run([WORKER], input=json.dumps(request) + "\n", capture_output=True,
                          text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines or lines[-1]["kind"] != "result":
        return {"verdict": "error", "error": f"the worker ended with {done.returncode}: "
                                             f"{done.stderr.strip()}"}
    return lines[-1]


def explore_model(scratch):
    """Returns the tool's result lines by kernel, scenario, memory model and what is weakened."""
    runs = [(scenarios, models, irq, kernels, "") for scenarios, models, irq, kernels in RUNS]
    runs += [([scenario], ["c11"], "every-access", ["v6.2"], site) for scenario, site in WEAKENED]
    results = {}
    for number, (scenarios, models, irq, kernels, site) in enumerate(runs):
        lines = scratch / f"model-{number}.jsonl"
        words = [TOOL, "run", *scenarios, "--engine", "relacy", "--irq", irq, "--terse",
                 "--progress", "off", "--json", lines, "--traces", scratch / "traces",
                 "--model", "all" if len(models) > 1 else models[0]]
        for kernel in kernels:
            words += ["--kernel", kernel]
        if site:
            words += ["--weaken", site]
        # Its exit code speaks of expectations, which are not the point here.
        subprocess.run(words, stdout=subprocess.DEVNULL, check=False,
                       env={**os.environ, "WAKERACE_ROOT": str(ROOT)})
        text = lines.read_text(encoding="utf-8") if lines.exists() else ""
        for line in text.splitlines():
            result = json.loads(line)
            if result["kind"] == "result":
                results[result["kernel"], result["scenario"], result["model"], site] = result
    return results


def told(result, violation):
    """The tool's results have the sentence of a story, the worker's the story itself."""
    for story in result.get("stories", []):
        found = story.get("violation", story)
        if found["type"] == violation:
            yield f"{violation}: {found['text']}"
            for event in story["events"] if "violation" in story else []:
                yield (f"  {event['step']:4} CPU{event['thread']} {event['function']} "
                       f"{event['file']}:{event['line']} {event['kind']} {event['cell']} "
                       f"{event['value']}")


def summary(result, exactly):
    if result["verdict"] not in ("pass", "violation"):
        return {"verdict": result["verdict"], "error": result["error"]}
    parts = {"violations": result["violations"], "outcomes": result["outcomes"]}
    if not exactly:
        return {name: sorted(counts) for name, counts in parts.items()}
    return {"executions": result["executions"], **parts}


def differences(model, real, exactly):
    """Says nothing if both agree, else what each found and how."""
    sides = {"model": summary(model, exactly), "real source": summary(real, exactly)}
    complete = all("verdict" not in side for side in sides.values())
    if complete and sides["model"] == sides["real source"]:
        return
    for name, side in sides.items():
        yield f"{name}: {json.dumps(side, sort_keys=True)}"
    if not complete:
        return
    for name, one, other in ("model", model, real), ("real source", real, model):
        for violation in sorted(set(one["violations"]) - set(other["violations"])):
            yield f"only the {name} has:"
            yield from told(one, violation)


def skip(reason):
    for number, case in enumerate(every_case(), 1):
        print(f"ok {number} - {case.name()} # SKIP {reason}")
    return 0


def main():
    print(f"1..{len(every_case())}")
    if not cut.ARCHIVE.exists():
        return skip(f"there is no {cut.ARCHIVE}: apt-get install linux-source-6.1")
    failed = False
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        scratch = Path(folder)
        modules = build(scratch, pool, sys.argv[1:])
        real = list(pool.map(lambda case: explore_real(modules, case), every_case()))
        model = explore_model(scratch)
        for number, (case, found) in enumerate(zip(every_case(), real), 1):
            ours = model.get(case.on_model(), NO_VERDICT)
            told_apart = list(differences(ours, found, case.compared == COUNTS))
            failed |= bool(told_apart)
            print(f"{'not ok' if told_apart else 'ok'} {number} - {case.name()}")
            for line in told_apart:
                print(f"# {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (cut.CannotCut, subprocess.CalledProcessError) as problem:
        print(f"Bail out! {problem}")
        sys.exit(1)
