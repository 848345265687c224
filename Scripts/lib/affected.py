#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the test targets that changed files affect, the nearest first.

swift package dump-package | affected.py FILE…
"""
import json
import sys

targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}


def folder(target):
    return target["path"]


def dependencies(target):
    for dependency in target["dependencies"]:
        yield (dependency.get("byName") or dependency.get("target") or [None])[0]


# Every module's tests may read these.
is_everything = any(file == "Package.swift" or file.startswith("Vectors/") for file in sys.argv[1:])
changed = {
    name
    for name, target in targets.items()
    if is_everything or any(file.startswith(folder(target) + "/") for file in sys.argv[1:])
}
users = {name: [user for user, target in targets.items() if name in dependencies(target)] for name in targets}
distances, waiting = {name: 0 for name in changed}, list(changed)
while waiting:
    name = waiting.pop(0)
    # The tests of a module come before the modules that use it.
    for user in sorted(users[name], key=lambda user: targets[user]["type"] != "test"):
        if user not in distances:
            distances[user] = distances[name] + 1
            waiting.append(user)
own = {f"{name}Tests" for name in changed}
for name in sorted(distances, key=lambda name: (name not in own, distances[name], name)):
    if targets[name]["type"] == "test":
        print(name)
