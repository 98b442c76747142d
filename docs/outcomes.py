#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In how many executions the values of some outcomes come up.

usage: outcomes.py RESULTS.jsonl NAME...

RESULTS.jsonl is what `wakerace run --json` writes. Prints a line for each verdict,
with the executions that agree on the named outcomes counted together.
"""
import json
import sys
from collections import Counter


def main(results, *names):
    with open(results, encoding="utf-8") as lines:
        for result in filter(lambda r: r["kind"] == "result", map(json.loads, lines)):
            counts = Counter()
            for outcome, executions in result["outcomes"].items():
                values = dict(word.split("=") for word in outcome.split())
                counts[" ".join(f"{name}={values[name]}" for name in names)] += executions
            print(result["scenario"], result["kernel"], result["model"] + ":",
                  ", ".join(f"{key} in {n}" for key, n in sorted(counts.items())))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
