#!/usr/bin/python3 -ISE
# SPDX-License-Identifier: GPL-2.0-or-later
"""A worker that explores nothing and behaves as its scenario's name says.

Speaks the worker's protocol, so that the command line can be tested against
crashes, hangs and nonsense that no real worker should produce.
"""
import json
import os
import signal
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
STORY = json.loads((HERE / "golden" / "story.json").read_text())

# name: expected types, or None for a scenario without an expectation
SCENARIOS = {
    "passes": "",
    "races": "FALSE_IDLE",
    "races_unexpected": "",
    "no_expectation": None,
    "crashes": "",
    "silent": "",
    "hangs": "",
    "babbles": "",
    "refuses": "",
    "fails_after_report": "",
    "damaged": "",
    "interrupts": "",
    "unreached": "",
    "empty": "",
    "cut": "",
    "coarse": "",
    "huge": "",
    "limits": "",
}


def describe(module):
    kernel = Path(module).stem
    scenarios = []
    for name, types in SCENARIOS.items():
        rows = [] if types is None else [
            {"kernels": "*", "models": "*", "types": types, "source": "finding 0"}]
        scenarios.append({
            "name": name, "summary": f"a worker that {name}", "file": "scenarios/x.cpp",
            "threads": 2, "places": 2, "large": name == "huge", "steps": name == "coarse",
            "expectations": rows, "marks": []})
    sites = [{"name": "idle_cpu:READ_ONCE", "file": "model/core.cpp", "line": 7},
             {"name": "idle_cpu:READ_ONCE#2", "file": "model/core.cpp", "line": 8}]
    if kernel == "v5.7":
        sites.append({"name": "idle_cpu_of_this_kernel_only_and_of_no_other:READ_ONCE",
                      "file": "model/core.cpp", "line": 9})
    print(json.dumps({"kernel": kernel, "scenarios": scenarios, "sites": sites}))


def say(line):
    print(json.dumps(line), flush=True)


def result(request, **changes):
    line = {
        "kind": "result", "kernel": "?", "verdict": "pass", "error": "", "bound": "",
        "exhaustive": True, "executions": {"complete": 10, "blocked": 1, "truncated": 0},
        "violations": {}, "outcomes": {"A=1": 2}, "unreached": [], "limits": ["LB"],
        "stories": [], "wall_s": 0.25, "peak_mb": 12.5, "longest": 9, "seed": request["seed"],
        "module_hash": "?"}
    for name in ("scenario", "engine", "search", "model", "irq", "weaken"):
        line[name] = request[name]
    line.update(changes)
    say(line)


def racy(request):
    # Two preemptions are needed, so that `explain` has something to look for.
    if request["search"] == "bounded" and request["context_bound"] < 2:
        result(request, exhaustive=False, bound="context bound")
        return
    short = dict(STORY, context_switches=3)
    result(request, verdict="violation", violations={"FALSE_IDLE": 3}, stories=[STORY, short])


def interrupts(request):
    def report(*_):
        result(request, verdict="inconclusive", bound="signal", exhaustive=False)
        sys.exit(0)

    signal.signal(signal.SIGTERM, report)
    say({"kind": "progress", "executions": 5, "wall_s": 0.1})
    # Stands for the user at the keyboard, and comes exactly when it matters.
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)


def hangs(_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def refuses(_):
    print("there is no such thing", file=sys.stderr)
    sys.exit(2)


def fails_after_report(request):
    result(request)
    sys.exit(9)


def babbles(_):
    print("Segmentation fault? no, just words")


BEHAVIOUR = {
    "races": racy,
    "races_unexpected": racy,
    "crashes": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "silent": lambda _: say({"kind": "progress", "executions": 1, "wall_s": 0.1}),
    "hangs": hangs,
    "babbles": babbles,
    "refuses": refuses,
    "fails_after_report": fails_after_report,
    "limits": lambda request: result(request, longest=request["max_executions"]),
    "damaged": lambda _: say({"kind": "result", "scenario": 7}),
    "interrupts": interrupts,
    "unreached": lambda request: result(request, unreached=["the IPI is elided"]),
    "empty": lambda request: result(
        request, executions={"complete": 0, "blocked": 0, "truncated": 0}),
    "cut": lambda request: result(
        request, verdict="inconclusive", exhaustive=False, bound="time limit"),
}


def replay(request):
    trace = request["replay"]
    if trace["story"]["context_switches"] == 1:  # the test's sign for one that diverges
        say({"kind": "replay", "reproduced": False, "diverged_at": 4,
             "expected": "CPU1 reads x", "found": "CPU1 writes y", "story": trace["story"]})
    else:
        say({"kind": "replay", "reproduced": True, "diverged_at": -1, "expected": "",
             "found": "", "story": trace["story"]})


def main():
    if sys.argv[1:2] == ["--describe"]:
        describe(sys.argv[2])
        return
    request = json.loads(sys.stdin.readline())
    if "replay" in request:
        replay(request)
    else:
        BEHAVIOUR.get(request["scenario"], result)(request)


main()
