#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""README.md and docs/*.md say what the tool says. Speaks TAP, one case per block.

usage: readme_test.py [--accept]

A fenced block whose first line starts with "$ " is run, and what it prints is
compared with what follows each command; a last line "..." stands for the rest.
A block after <!-- FILE --> is that file, after <!-- part of FILE --> some lines
of it. The table after <!-- types by scenario and kernel --> is what `list` says
is expected, of all scenarios or of those that the comment names behind a colon.
Links between the documents must lead somewhere.

Each document has a copy of the tree of its own, so that a command may write
there. Two outputs are equal if they differ in times, rates, sizes and hashes
alone. --accept writes into the documents what the tool prints now.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(os.environ.get("WAKERACE_ROOT", Path(__file__).resolve().parent.parent)).resolve()
TOOL = Path(os.environ.get("WAKERACE_TOOL", ROOT / "build/cli/wakerace")).resolve()
CACHE = Path(os.environ.get("WAKERACE_CACHE", ROOT / "build/cache")).resolve()
COPIED = ["checker", "model", "scenarios", "docs"]
WIDTH = "100"
LIMIT_S = 60
TABLE = re.compile(r"<!-- types by scenario and kernel(?:: (.+))? -->$")
MODELS = ["sc", "c11"]

QUOTE = re.compile(r"<!-- (part of )?(\S+/\S+) -->$")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# What differs from run to run.
VOLATILE = [
    (re.compile(r"\b\d+\.\d s\b"), "N s"),
    (re.compile(r"\(\d+/s\)"), "(N/s)"),
    (re.compile(r'("(?:wall_s|executions_per_s|peak_mb)": ?)[0-9.eE+-]+'), r"\1N"),
    (re.compile(r'("module_hash": ?)"[0-9a-f]+"'), r'\1"H"'),
]
# What the tool says only if a module has yet to be built.
NOTE = re.compile(r"wakerace: note: compiled \d+ files? ")


def plain(lines):
    for pattern, instead in VOLATILE:
        lines = [pattern.sub(instead, line) for line in lines]
    return lines


@dataclass
class Region:
    """Lines of a document that something else decides: lines[first:last]."""
    first: int
    last: int
    lines: list
    before: str = ""  # the last line above that is not empty
    title: str = ""
    faults: list = field(default_factory=list)


class Tree:
    """A copy of the tree, in which ./wakerace is the tool under test."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in COPIED:
            shutil.copytree(ROOT / name, self.folder / name)
        (self.folder / "wakerace").symlink_to(TOOL)
        self.environment = {**os.environ, "WAKERACE_ROOT": str(self.folder),
                            "WAKERACE_CACHE": str(CACHE), "COLUMNS": WIDTH}

    def run(self, command):
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return [f"(stopped after {LIMIT_S} s)"]
        said = done.stdout.decode("utf-8", "replace").splitlines()
        return [line for line in said if not NOTE.match(line)]

    def listed(self, what):
        done = subprocess.run([TOOL, "list", what, "--json", "-"], cwd=self.folder,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT_S, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]


def commands_of(lines):
    """Splits a block into pairs: the lines of a command, the lines it prints."""
    pairs, goes_on = [], False
    for line in lines:
        if line.startswith("$ "):
            pairs.append(([line], []))
        else:
            pairs[-1][0 if goes_on else 1].append(line)
        goes_on = (line.startswith("$ ") or goes_on) and line.endswith("\\")
    return pairs


def run_block(tree, block):
    """Returns the block as the tool has it now."""
    now = []
    for command, printed in commands_of(block.lines):
        said = tree.run("\n".join(command)[2:])
        cut = printed[-1:] == ["..."]
        if cut and len(said) >= len(printed):
            said = said[:len(printed) - 1] + ["..."]
        now += command + (printed if plain(said) == plain(printed) else said)
    return now


def quoted(block):
    """Returns the block as the file has it."""
    part, name = QUOTE.match(block.before).groups()
    source = (ROOT / name).read_text(encoding="utf-8").splitlines()
    if not part:
        return source
    size = len(block.lines)
    inside = any(source[i:i + size] == block.lines for i in range(len(source) - size + 1))
    return block.lines if inside else ["(these lines do not stand in the file)"]


def types_of(scenario, kernel, model):
    for row in scenario["expectations"]:
        if (not row["weaken"] and any(fnmatchcase(kernel, name) for name in row["kernels"]) and
                any(fnmatchcase(model, name) for name in row["models"])):
            return ", ".join(row["types"]) or "none"
    return "not judged"


def table(tree, patterns):
    """For each scenario the kernels by what is expected of them; the most common last."""
    kernels = [kernel["name"] for kernel in tree.listed("kernels")]
    lines = ["| scenario | types | kernels |", "| --- | --- | --- |"]
    for scenario in tree.listed("scenarios"):
        if not any(fnmatchcase(scenario["name"], pattern) for pattern in patterns):
            continue
        groups = {}
        for kernel in kernels:
            found = [types_of(scenario, kernel, model) for model in MODELS]
            types = (found[0] if len(set(found)) == 1 else
                     "; ".join(f"{model}: {types}" for model, types in zip(MODELS, found)))
            groups.setdefault(types, []).append(kernel)
        ordered = sorted(groups.items(), key=lambda group: len(group[1]))
        for types, members in ordered:
            rest = members is ordered[-1][1]
            names = ("all" if len(ordered) == 1 else "all others") if rest else ", ".join(members)
            lines.append(f"| {scenario['name']} | {types} | {names} |")
    return lines


def regions_of(lines):
    """Fenced blocks without their fences, and the table."""
    found, fence, above, at = [], None, "", 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            if fence is None:
                fence = at + 1
            else:
                found.append(Region(fence, at, lines[fence:at], above))
                fence, above = None, line
        elif fence is None and TABLE.match(line):
            end = at + 1
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            found.append(Region(at + 1, end, lines[at + 1:end], line))
        elif fence is None and line:
            above = line
        at += 1
    if fence is not None:
        sys.exit(f"the block that starts in line {fence} has no end")
    return found


def now_in(tree, region):
    """What the region should be; nothing if only its author decides."""
    if TABLE.match(region.before):
        region.title = "table of types"
        return table(tree, (TABLE.match(region.before).group(1) or "*").split())
    if QUOTE.match(region.before):
        region.title = QUOTE.match(region.before).group(2)
        return quoted(region)
    if region.lines and region.lines[0].startswith("$ "):
        region.title = region.lines[0][2:]
        return run_block(tree, region)
    return None


def difference(old, new):
    for number, (a, b) in enumerate(zip(old, new)):
        if plain([a]) != plain([b]):
            return [f"line {number + 1} of the block is", a, "but should be", b]
    longer, word = (old, "is not") if len(old) > len(new) else (new, "is missing, as is all")
    at = min(len(old), len(new))
    return [f"line {at + 1} of the block {word} printed" if longer is old else
            f"line {at + 1} of the block is missing", longer[at]]


def broken_links(document, text):
    return [f"{document.name}: nothing at {target}" for target in LINK.findall(text)
            if not (document.parent / target).exists()]


def check_document(document, accept):
    """Returns the regions that were compared, with their faults."""
    lines = document.read_text(encoding="utf-8").splitlines()
    compared = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(folder)
        for region in regions_of(lines):
            now = now_in(tree, region)
            if now is None:
                continue
            compared.append((region, now))
            if plain(now) != plain(region.lines):
                region.faults = difference(region.lines, now)
    if accept:
        for region, now in reversed(compared):
            if region.faults:
                lines[region.first:region.last] = now
        document.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [region for region, _ in compared]


def main():
    accept = sys.argv[1:] == ["--accept"]
    if sys.argv[1:] and not accept:
        sys.exit("usage: readme_test.py [--accept]")
    if not TOOL.exists():
        sys.exit(f"there is no {TOOL}: run ./wakerace --version, which builds it")
    number, failed, links = 0, False, []

    def case(name, faults):
        nonlocal number, failed
        number += 1
        failed |= bool(faults)
        print(f"{'not ok' if faults else 'ok'} {number} - {name.replace('#', '')}")
        for fault in faults:
            print(f"# {fault}", flush=True)

    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for region in check_document(document, accept):
            if accept and region.faults:
                print(f"# written: {document.name}:{region.first + 1} {region.title}")
                region.faults = []
            case(f"{document.name}:{region.first + 1} {region.title}", region.faults)
        links += broken_links(document, document.read_text(encoding="utf-8"))
    case("links lead somewhere", links)
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
