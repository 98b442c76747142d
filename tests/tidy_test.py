#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks on the text of the tree itself. Speaks TAP, one case per rule."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("WAKERACE_ROOT", Path(__file__).resolve().parent.parent))
CODE = {".cpp", ".hpp", ".h", ".py", ".sh", ".build", ".flags", ".series", ""}
# What is compared or applied byte by byte, or is not ours.
VERBATIM = re.compile(r"^LICENSE$|\.patch$|^tests/(golden|data)/|\.(json|jsonl|litmus|svg|png)$")


def our_files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(
            name for name in folders
            if name not in {".git", ".cache", "__pycache__"}
            and not (Path(folder) == ROOT and name.startswith("build"))
        )
        for name in sorted(names):
            path = Path(folder, name)
            if not path.is_symlink() and not name.endswith("~"):
                yield path.relative_to(ROOT).as_posix(), path.read_bytes()


FILES = {path: data.decode("utf-8", "replace") for path, data in our_files()}
WRITTEN = {path: text for path, text in FILES.items() if not VERBATIM.search(path)}
SOURCES = {path: text for path, text in WRITTEN.items() if path.endswith((".cpp", ".hpp", ".h"))}


def lines_where(files, wrong):
    for path, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if wrong(line):
                yield f"{path}:{number}: {line.strip()[:80]}"


def license_line():
    for path, text in WRITTEN.items():
        if "SPDX-License-Identifier: GPL-2.0" not in text:
            yield path


def file_length():
    for path, text in WRITTEN.items():
        if text.count("\n") > 500:
            yield f"{path}: {text.count(chr(10))} lines, of at most 500"


def line_length():
    code = {path: text for path, text in WRITTEN.items() if Path(path).suffix in CODE}
    return lines_where(code, lambda line: len(line.expandtabs(8)) > 100)


def trailing_blanks():
    yield from lines_where(WRITTEN, lambda line: line != line.rstrip())
    for path, text in WRITTEN.items():
        if text and not text.endswith("\n"):
            yield f"{path}: no newline at the end"


def loose_ends():
    # Written so that this file does not find itself.
    words = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    return lines_where(WRITTEN, words.search)


def machine_paths():
    paths = re.compile(r"(?<![\w.])/(work|home|root|Users)/\w")
    return lines_where({p: t for p, t in FILES.items() if p != "LICENSE"}, paths.search)


def kernel_code_only():
    """A module shares nothing and has no runtime: std:: there is a mistake."""
    model = {p: t for p, t in SOURCES.items() if p.startswith(("model/", "scenarios/"))}
    return lines_where(model, re.compile(r"std::(atomic|thread|mutex|vector|string)\b").search)


def arrows():
    """cli -> reports, scenarios -> model -> checker, never back."""
    may_include = {
        "checker": {"checker"},
        "model": {"model"},
        "scenarios": {"model", "scenarios"},
        "reports": {"reports", "checker"},
        "cli": {"cli", "reports", "checker"},
    }
    include = re.compile(r'#include "(\w+)/([^"]*)"')
    for path, text in SOURCES.items():
        folder = path.split("/")[0]
        for to, rest in include.findall(text):
            if f"{to}/{rest}" == "checker/program/contract.h":
                continue
            allowed = (
                folder not in may_include or to not in may_include or to in may_include[folder]
            )
            # A report sees results, an engine's inside only an engine.
            if folder == "reports" and to == "checker" and not rest.startswith("result/"):
                allowed = False
            if not allowed:
                yield f"{path} includes {to}/{rest}"


def every_source_is_built():
    """Modules take all of model/ and scenarios/, the engines' tests tests/litmus/."""
    builds = "".join(text for path, text in FILES.items() if path.endswith("meson.build"))
    by_hand = {"checker", "reports", "cli", "tests", "bench"}
    for path in SOURCES:
        if path.startswith("tests/litmus/"):
            continue
        if path.endswith(".cpp") and path.split("/")[0] in by_hand:
            stem = Path(path).stem.removesuffix("_test")
            if not re.search(rf"['/]{re.escape(stem)}(_test)?(\.cpp)?'", builds):
                yield path


def every_scenario_is_registered():
    for path, text in SOURCES.items():
        if path.startswith("scenarios/") and path.endswith(".cpp") and "SCENARIO(" not in text:
            yield path


def every_patch_is_used():
    series = [t.splitlines() for p, t in FILES.items() if p.endswith(".series")]
    used = {line.split(" #")[0].strip() for lines in series for line in lines}
    for path in FILES:
        if path.startswith("model/patches/") and path.endswith(".patch"):
            if Path(path).name not in used:
                yield path


def main():
    rules = [
        license_line, file_length, line_length, trailing_blanks, loose_ends, machine_paths,
        kernel_code_only, arrows, every_source_is_built, every_scenario_is_registered,
        every_patch_is_used,
    ]
    print(f"1..{len(rules)}")
    failed = False
    for number, rule in enumerate(rules, 1):
        faults = list(rule())
        failed |= bool(faults)
        print(f"{'not ok' if faults else 'ok'} {number} - {rule.__name__.replace('_', ' ')}")
        for fault in faults:
            print(f"# {fault}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
