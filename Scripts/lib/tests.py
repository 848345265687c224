#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Selects tests by tier and tags, runs them, and counts the results. Scripts/test calls it.

tests.py plan BUNDLE FOLDER --tier TIER [--module NAME]... [--filter PATTERN] [--without TAG]... [--seconds N]
    writes FOLDER/plan.json and prints the tags of the selected tests, one a line
tests.py run BUNDLE FOLDER NAME
    runs the plan and prints the failures; the last line is "N passed, N failed", with the number skipped if there are any
tests.py durations FOLDER
    writes Tests/durations.json, by which a fresh clone begins with the longest tests

Each test module runs in a process of its own, one test at a time, and a few processes run at once: a test that blocks
would hold a thread of Swift's cooperative pool, which has as many as the machine has processors. A large module is split.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

DURATIONS = pathlib.Path(__file__).parent.parent.parent / "Tests/durations.json"
# What a tier leaves out. A test with the tag `sample` is in every tier.
LEFT_OUT = {
    "change": {"slow", "kill", "matrix", "browser"},
    "merge": {"slow"},
    "night": set(),
}
# A module with more seconds of tests than this in the last run is split. [The largest part ends last]
SECONDS_OF_A_PART = 30
# A test without a known duration.
UNKNOWN = 0.1
# A command that starts the tests, such as another system's loader.
LAUNCHER = os.environ.get("PASSKEY_LAUNCHER", "").split()
# After this time, a part is killed and counts as failed. [The night tier's longest part takes an hour]
SECONDS_UNTIL_HANGING = 14_400


class Test:
    """A test function, with the tags of its suites."""

    def __init__(self, identifier, name, tags):
        self.identifier, self.name, self.tags = identifier, name, tags
        self.module, _, rest = identifier.partition(".")
        # Identifiers end in /FILE:LINE:COLUMN, and those of functions outside suites begin with the function.
        self.path = rest.rsplit("/", 1)[0]
        self.place = f"{self.module}.{self.path}"
        self.suite = self.path.split("/")[0]


def load(path):
    """The seconds that tests took."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def durations(arguments):
    """Writes what took a second or more. In a fresh clone these tests begin first."""
    known = load(pathlib.Path(arguments.folder) / "seconds.json")
    slow = {test: round(taken) for test, taken in sorted(known.items()) if taken >= 1}
    DURATIONS.write_text(json.dumps(slow, indent=0, ensure_ascii=False) + "\n")


def records(path):
    """Yields the records of an event stream. The last line may be cut."""
    if not path.exists():
        return
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:
                return


def listed(bundle, folder):
    """Returns every test of a bundle."""
    path = folder / "listed.jsonl"
    path.unlink(missing_ok=True)
    # Version 0 of the event stream has the tags.
    arguments = ["--list-tests", "--event-stream-version", "0", "--event-stream-output-path", path]
    subprocess.run([*LAUNCHER, bundle, "--testing-library", "swift-testing", *arguments], check=True, stdout=subprocess.DEVNULL)
    found = [record["payload"] for record in records(path) if record["kind"] == "test"]
    tags = {test["id"]: {tag.lstrip(".") for tag in test.get("_tags", [])} for test in found}
    suites = {test["id"]: tags[test["id"]] for test in found if test["kind"] == "suite"}
    tests = []
    for test in found:
        if test["kind"] != "function":
            continue
        own = set(tags[test["id"]])
        parts = test["id"].split("/")
        for count in range(1, len(parts)):
            own |= suites.get("/".join(parts[:count]), set())
        tests.append(Test(test["id"], test["name"], own))
    return tests


def is_in(tier, test):
    return not test.tags & LEFT_OUT[tier] or "sample" in test.tags


def plan(arguments):
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    tests = listed(arguments.bundle, folder)
    modules = {module.replace("-", "_") for module in arguments.module}
    pattern = re.compile(arguments.filter) if arguments.filter else None
    chosen = [
        test
        for test in tests
        if not test.tags & set(arguments.without)
        and (not modules or test.module in modules)
        # A pattern names tests of every tier.
        and (pattern.search(test.identifier) if pattern else is_in(arguments.tier, test))
    ]
    seconds = load(DURATIONS) | load(folder / "seconds.json")
    if arguments.seconds:
        chosen = affordable(chosen, [module.replace("-", "_") for module in arguments.module], seconds, arguments.seconds)
    parts = []
    for module in sorted({test.module for test in chosen}):
        own = [test for test in chosen if test.module == module]
        for is_alone in (False, True):
            some = [test for test in own if ("alone" in test.tags) == is_alone]
            parts += [
                dict(part, alone=is_alone)
                for part in split(some, [test for test in tests if test.module == module], seconds)
            ]
    # The longest first, so that no long part is left at the end.
    parts.sort(key=lambda part: -part["seconds"])
    (folder / "plan.json").write_text(json.dumps(parts))
    for tag in sorted(set().union(*(test.tags for test in chosen))) if chosen else []:
        print(tag)


def affordable(tests, modules, known, limit):
    """Returns the tests that take at most this many seconds together: the first module's, then the quickest."""
    processes = len(os.sched_getaffinity(0))
    order = sorted(tests, key=lambda test: (test.module != modules[0], known.get(test.place, UNKNOWN)))
    taken, cost = [], 0
    for test in order:
        price = known.get(test.place, UNKNOWN) / processes
        if cost + price <= limit:
            taken.append(test)
            cost += price
    if len(taken) < len(tests):
        print(f"check: {len(tests) - len(taken)} of {len(tests)} tests are left to Scripts/test", file=sys.stderr)
    return taken


def split(some, module, seconds):
    """Yields the parts of a module's tests: options of the runner, and the expected duration."""
    identifiers = {test.identifier for test in some}
    suites = collections.defaultdict(list)
    for test in some:
        suites[test.suite].append(test)
    costs = {suite: sum(seconds.get(test.place, UNKNOWN) for test in tests) for suite, tests in suites.items()}
    parts, cost = [], 0
    for suite in sorted(suites, key=lambda suite: (-costs[suite], suite)):
        if not parts or cost + costs[suite] > SECONDS_OF_A_PART and cost > 0:
            parts.append([])
            cost = 0
        parts[-1].append(suite)
        cost += costs[suite]
    for number, part in enumerate(parts):
        names = set(part)
        options = ["--filter", f"^{some[0].module}[.]({'|'.join(map(escaped, sorted(names)))})(/|$)"]
        # What this part leaves out of its suites.
        for test in module:
            if test.suite in names and test.identifier not in identifiers:
                options += ["--skip", f"^{test.module}[.]{escaped(test.path)}(/|$)"]
        yield {
            "name": some[0].module + (" alone" if "alone" in some[0].tags else "") + (f" {number + 1}" if len(parts) > 1 else ""),
            "options": options,
            "count": sum(len(suites[suite]) for suite in part),
            "seconds": sum(costs[suite] for suite in part),
        }


def escaped(text):
    """A pattern that matches this text only."""
    return re.sub(r"([\\.\[\](){}*+?^$|])", r"\\\1", text)


class Result:
    """The outcome of a part."""

    def __init__(self, part, path, status, seconds):
        self.part, self.status, self.wall = part, status, seconds
        self.passed, self.failed, self.skipped, self.lines = 0, 0, 0, []
        self.seconds, names, kinds, started, issues, known = {}, {}, {}, {}, collections.Counter(), set()
        for record in records(path):
            payload = record["payload"]
            if record["kind"] == "test":
                names[payload["id"]] = payload.get("displayName", payload["name"])
                kinds[payload["id"]] = payload["kind"]
                continue
            test, kind = payload.get("testID"), payload["kind"]
            instant = payload["instant"]["absolute"]
            if kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                issues[test] += 1
                self.lines += [message["text"] for message in payload["messages"]]
            if kind == "testSkipped":
                self.lines += [message["text"] for message in payload["messages"]]
                known.add(test)
                self.skipped += kinds.get(test) == "function"
            if kind == "testStarted":
                started[test] = instant
            if kind == "testEnded" and test in started:
                began = started.pop(test)
                if kinds.get(test) == "function" and test not in known:
                    self.seconds[test.rsplit("/", 1)[0]] = instant - began
                    # Issues of the cases count for their test.
                    is_failed = issues[test] > 0 or any(m["symbol"] == "fail" for m in payload["messages"])
                    self.failed += is_failed
                    self.passed += not is_failed
        self.unfinished = [names[test] for test in started if kinds.get(test) == "function"]

    @property
    def has_ended_early(self):
        return self.status != 0 and self.failed == 0 or self.passed + self.failed + self.skipped < self.part["count"]


def run(arguments):
    folder = pathlib.Path(arguments.folder)
    parts = json.loads((folder / "plan.json").read_text())
    (folder / "parts").mkdir(exist_ok=True)
    for left in (folder / "parts").iterdir():
        left.unlink()
    # Two for each processor [a third of the time, tests wait for programs, sockets and disks]
    processes = int(os.environ.get("TEST_PROCESSES") or 2 * len(os.sched_getaffinity(0)))
    began = time.monotonic()
    totals, seconds = collections.Counter(), {}

    def perform(part):
        place = folder / "parts" / part["name"].replace(" ", "-")
        events, log = place.with_suffix(".jsonl"), place.with_suffix(".log")
        events.unlink(missing_ok=True)
        start = time.monotonic()
        with open(log, "wb") as output:
            command = [*LAUNCHER, arguments.bundle, "--testing-library", "swift-testing", "--no-parallel", *part["options"]]
            command += ["--event-stream-version", "0", "--event-stream-output-path", str(events)]
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
            running.add(process)
            try:
                status = process.wait(SECONDS_UNTIL_HANGING)
            except subprocess.TimeoutExpired:
                status = "a hang"
            end(process)
            running.discard(process)
        return Result(part, events, status, time.monotonic() - start), log

    running = set()

    def end(process):
        """Ends a process and those it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def stop(*_):
        for process in list(running):
            end(process)
        os._exit(130)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)

    def count(result, log):
        failed = result.failed
        for line in result.lines:
            print(f"  {line}")
        if result.has_ended_early:
            failed += 1
            print(f"  the run ended early, with status {result.status}; its output is in {log}")
            for name in result.unfinished[:10]:
                print(f"  unfinished: {name}")
            show_crash(log)
        outcome = summary(result.passed, failed, result.skipped)
        print(f"{arguments.name}{result.part['name']}: {outcome} ({result.wall:.0f} s)", flush=True)
        totals.update(passed=result.passed, failed=failed, skipped=result.skipped)
        seconds.update(result.seconds)

    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        futures = [pool.submit(perform, part) for part in parts if not part["alone"]]
        for future in concurrent.futures.as_completed(futures):
            count(*future.result())
    for part in parts:
        if part["alone"]:
            count(*perform(part))

    (folder / "seconds.json").write_text(json.dumps(load(folder / "seconds.json") | seconds))
    slowest = sorted(seconds.items(), key=lambda item: -item[1])[:10]
    (folder / "slowest.txt").write_text("".join(f"{taken:7.1f} s  {test}\n" for test, taken in slowest))
    print(f"{arguments.name}{len(parts)} parts in {time.monotonic() - began:.0f} s")
    print(summary(totals["passed"], totals["failed"], totals["skipped"]))


def show_crash(log):
    """Prints why a run ended, from its output."""
    text = log.read_text(errors="replace").splitlines()
    reason = re.compile(r"Fatal error|ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|^error: ")
    first = next((number for number, line in enumerate(text) if reason.search(line)), max(0, len(text) - 24))
    shown = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(text[first : first + 25]), text=True, capture_output=True
    )
    for line in shown.stdout.splitlines():
        print(f"    {line}")


def summary(passed, failed, skipped):
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    planning = commands.add_parser("plan")
    planning.set_defaults(act=plan)
    writing = commands.add_parser("durations")
    writing.add_argument("folder")
    writing.set_defaults(act=durations)
    running = commands.add_parser("run")
    running.set_defaults(act=run)
    for command in (planning, running):
        command.add_argument("bundle")
        command.add_argument("folder")
    planning.add_argument("--tier", required=True, choices=LEFT_OUT)
    planning.add_argument("--module", action="append", default=[])
    planning.add_argument("--without", action="append", default=[])
    planning.add_argument("--filter")
    planning.add_argument("--seconds", type=float)
    running.add_argument("name")
    arguments = parser.parse_args()
    arguments.act(arguments)


if __name__ == "__main__":
    main()
