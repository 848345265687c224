#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the processor time that the compiler took for each module, from the statistics that it wrote.

compile-times.py FOLDER
"""
import collections
import json
import pathlib
import sys

seconds = collections.Counter()
for path in pathlib.Path(sys.argv[1]).glob("stats-*-swift-frontend-*.json"):
    try:
        statistics = json.loads(path.read_text())
    except ValueError:
        continue
    module = path.name.split("-swift-frontend-")[1].split("-")[0]
    seconds[module] += sum(
        value
        for name, value in statistics.items()
        if name.startswith("time.swift-frontend.") and name.endswith((".user", ".sys"))
    )
for module, taken in seconds.most_common():
    if taken >= 5:
        print(f"{taken:6.0f} s  {module}")
rest = [taken for taken in seconds.values() if taken < 5]
print(f"{sum(rest):6.0f} s  {len(rest)} other modules")
print(f"{sum(seconds.values()):6.0f} s  compiling, in processor time")
