# SPDX-License-Identifier: Apache-2.0
"""Builds a copy of a package that contains all mutations, and runs its tests once for each."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import rewriting
import tests as runner

# The tests of a mutant run in groups. The first has a few tests for this many seconds, quick ones that reach few mutants; each
# further one has tests for four times as many seconds. After a group with a failure, the others are left out.
SECONDS_OF_A_GROUP, TESTS_OF_THE_FIRST_GROUP = 0.1, 8
# A group may take this many times its seconds, and this many seconds more.
PATIENCE, GRACE = 10, 8
# The least seconds of a test. [A clock says little below it]
LEAST = 0.003
# Mutations that most often do not compile come first: one kind is dropped from a line at a time.
RISK = ["throw removed", "call removed", "default always", "number", "result", "swapped", "becomes", "removed", "inverted"]
FAULT = re.compile(r"^(/\S+?\.swift):(\d+):\d+: error: ", re.MULTILINE)


def git(folder, *arguments):
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


class Package:
    """A copy of a package with mutations in some of its modules."""

    def __init__(self, root, folder, modules, test_modules, environment=None):
        """`modules` are folders of sources, relative to `root`."""
        self.root, self.folder, self.copy = root, folder, folder / "copy"
        self.modules, self.test_modules = modules, test_modules
        # Mutations have warnings.
        self.environment = {**os.environ, **(environment or {})}
        self.environment.pop("PASSKEY_WARNINGS_AS_ERRORS", None)
        self.sources, self.mutations, self.dropped = {}, [], []
        folder.mkdir(parents=True, exist_ok=True)

    # MARK: The copy

    def find(self):
        for module in self.modules:
            for path in sorted((self.root / module).rglob("*.swift")):
                name = str(path.relative_to(self.root))
                source = rewriting.Source(path.read_text())
                self.sources[name] = source
                keys = collections.Counter()
                for mutation in source.mutations:
                    mutation.file = name.removeprefix("Sources/RelyingParty/")
                    keys[mutation.key] += 1
                    if keys[mutation.key] > 1:
                        mutation.text += f" ({keys[mutation.key]})"
                self.mutations += source.mutations
        for number, mutation in enumerate(self.mutations, 1):
            mutation.number = number

    def leave_out(self, pattern):
        """Never runs the mutants whose keys match."""
        self.mutations = [mutation for mutation in self.mutations if not pattern.search(mutation.key)]

    def write(self):
        """Writes the copy. Files that are unchanged keep their dates, so that only what changed is compiled."""
        listed = git(self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", ".")
        wanted = {name for name in listed.split("\0") if name and (self.root / name).is_file()}
        for name in wanted - set(self.sources):
            self.write_file(name, (self.root / name).read_bytes())
        self.write_sources()
        for module in self.modules:
            self.write_file(f"{module}/Mutants.swift", rewriting.HELPERS.encode())
        helpers = {f"{module}/Mutants.swift" for module in self.modules}
        for path in [*self.copy.glob("Sources/**/*.swift"), *self.copy.glob("Tests/**/*.swift"), *self.copy.glob("Lab/**/*.swift")]:
            if ".build" not in path.parts and str(path.relative_to(self.copy)) not in wanted | helpers:
                path.unlink()
        (self.copy / ".build/compile-times").mkdir(parents=True, exist_ok=True)
        # Test data beside the checkout.
        shared = self.folder / "shared"
        if (self.root.parent / "shared").is_dir() and not shared.exists():
            shared.symlink_to(self.root.parent / "shared")

    def write_sources(self):
        for name, source in self.sources.items():
            self.write_file(name, source.write(source.mutations).encode())

    def write_file(self, name, content):
        path = self.copy / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        shutil.copymode(self.root / name, path) if (self.root / name).exists() else None

    # MARK: Builds

    def build(self):
        """Builds the tests. Drops the mutations that do not compile."""
        known = self.folder / "dropped.json"
        self.drop(set(json.loads(known.read_text())) if known.exists() else set())
        self.write()
        while True:
            log = self.folder / "build.log"
            started = time.monotonic()
            with open(log, "wb") as output:
                status = subprocess.run(
                    ["swift", "build", "--build-tests", "--scratch-path", ".build"],
                    cwd=self.copy, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment,
                ).returncode
            text = log.read_text(errors="replace")
            print(f"mutants: a build took {time.monotonic() - started:.0f} s", flush=True)
            if status == 0:
                known.write_text(json.dumps(sorted(mutation.key for mutation in self.dropped), ensure_ascii=False, indent=0))
                return
            faults = {(str(pathlib.Path(path).relative_to(self.copy)), int(line)) for path, line in FAULT.findall(text) if path.startswith(str(self.copy))}
            keys = {mutation.key for name, line in faults for mutation in self.suspects(name, line)}
            if not keys:
                sys.exit(f"mutants: error: the copy does not build; the output is in {log}\n" + "\n".join(text.splitlines()[-30:]))
            print(f"mutants: {len(keys)} mutations do not compile", flush=True)
            self.drop(keys)
            self.write_sources()

    def suspects(self, name, line):
        """The mutations of a line that most likely do not compile."""
        source = self.sources.get(name)
        if source is None:
            return []
        around = [mutation for mutation in source.mutations if mutation.line <= line <= source.line(mutation.end)]
        inside = [mutation for mutation in around if mutation.line == line] or around
        if not inside:
            # A path without a result or a value is reported at the end of the function.
            before = [mutation for mutation in source.mutations if mutation.line < line and mutation.kind.endswith("removed")]
            return before[-1:] if before and before[-1].line > line - 100 else []
        for word in RISK:
            chosen = [mutation for mutation in inside if word in mutation.kind]
            if chosen:
                return chosen
        return inside

    def drop(self, keys):
        for source in self.sources.values():
            self.dropped += [mutation for mutation in source.mutations if mutation.key in keys and mutation in self.mutations]
            source.mutations = [mutation for mutation in source.mutations if mutation.key not in keys]
        self.mutations = [mutation for mutation in self.mutations if mutation.key not in keys]

    @property
    def bundle(self):
        return next((self.copy / ".build/debug").glob("*.xctest"))

    # MARK: Runs

    def find_tests(self, limit=float("inf")):
        """Runs each test without a mutant, and records which mutants it reaches. Tests that take longer than `limit` seconds
        are left out after that."""
        found = [test for test in runner.listed(str(self.bundle), self.folder) if test.module in self.test_modules]
        self.tests = [test for test in found if runner.is_in("change", test)]
        # Of the last run, if the tests are the same.
        path, version = self.folder / "reached.json", self.bundle.stat().st_mtime_ns
        known = json.loads(path.read_text()) if path.exists() else {}
        if known.get("version") != version:
            known = {"version": version, "tests": self.record_all()}
            path.write_text(json.dumps(known))
        self.seconds = {place: seconds for place, (seconds, _) in known["tests"].items()}
        self.reached = {place: set(reached) for place, (seconds, reached) in known["tests"].items() if seconds <= limit}

    def record_all(self):
        started, recorded = time.monotonic(), {}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for test, (seconds, failed, reached) in zip(self.tests, pool.map(self.record, self.tests)):
                if failed:
                    print(f"mutants: left out, because it fails without a mutant: {test.place}", flush=True)
                else:
                    recorded[test.place] = seconds, reached
        print(f"mutants: {len(recorded)} tests recorded in {time.monotonic() - started:.0f} s", flush=True)
        return recorded

    def record(self, test):
        """Returns the seconds of a test, whether it failed, and the mutants that it reaches."""
        size = 1 + max(mutation.number for source in self.sources.values() for mutation in source.mutations)
        path = self.folder / f"reached-{os.getpid()}-{abs(hash(test.place))}"
        path.write_bytes(bytes(size))
        status, failed, seconds = self.run([test], {"PASSKEY_MUTANTS_REACHED": str(path)}, 600)
        marks = path.read_bytes()
        path.unlink()
        return seconds, bool(failed) or status != 0, [number for number in range(size) if marks[number]]

    def run(self, chosen, variables, limit):
        """Runs tests. Returns the status, the tests that failed or did not end, and the seconds."""
        name = f"{os.getpid()}-{abs(hash((tuple(variables.items()), chosen[0].place)))}"
        events = self.folder / f"events-{name}.jsonl"
        suites = collections.defaultdict(list)
        for test in chosen:
            suites[test.module].append(runner.escaped(test.path))
        patterns = [option for module, paths in suites.items() for option in ("--filter", f"^{module}[.]({'|'.join(paths)})(/|$)")]
        process = subprocess.Popen(
            [
                str(self.bundle), "--testing-library", "swift-testing", "--no-parallel", *patterns,
                "--event-stream-version", "0", "--event-stream-output-path", str(events),
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.copy,
            start_new_session=True, env=self.environment | {"TEST_TIER": "change", "SWIFT_BACKTRACE": "enable=no"} | variables,
        )
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        failed, open_, seconds = set(), {}, 0
        for record in runner.records(events):
            payload = record["payload"]
            kind, test = payload.get("kind"), (payload.get("testID") or "").rsplit("/", 1)[0]
            if record["kind"] != "event" or "()" not in test and ":)" not in test:
                continue
            if kind == "testStarted":
                open_[test] = payload["instant"]["absolute"]
            if kind == "testEnded":
                seconds += payload["instant"]["absolute"] - open_.pop(test)
            if kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                failed.add(test)
        events.unlink(missing_ok=True)
        return status, failed | set(open_), seconds

    def judge(self, mutation):
        """Returns how a mutant dies, and the tests that fail."""
        reaching = [test for test in self.tests if mutation.number in self.reached.get(test.place, ())]
        if not reaching:
            return "not reached", []
        reaching.sort(key=lambda test: self.cost(test) * len(self.reached[test.place]) ** 0.5)
        groups, cost = [[]], 0
        for test in reaching:
            is_full = len(groups) == 1 and len(groups[0]) == TESTS_OF_THE_FIRST_GROUP
            if groups[-1] and (is_full or cost + self.cost(test) > SECONDS_OF_A_GROUP * 4 ** (len(groups) - 1)):
                groups.append([])
                cost = 0
            groups[-1].append(test)
            cost += self.cost(test)
        for group in groups:
            limit = GRACE + PATIENCE * sum(self.cost(test) for test in group)
            status, failed, _ = self.run(group, {"PASSKEY_MUTANT": str(mutation.number)}, limit)
            if status is None:
                return "time-out", sorted(failed)
            if status != 0:
                return ("failed" if status > 0 else "stopped"), sorted(failed)
        return "survived", []

    def cost(self, test):
        return max(LEAST, self.seconds[test.place])

    def judge_all(self, chosen):
        """Yields each of these mutants and how it dies."""
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for count, (mutation, verdict) in enumerate(zip(chosen, pool.map(self.judge, chosen)), 1):
                if count % 100 == 0:
                    print(f"mutants: {count} of {len(chosen)} in {time.monotonic() - started:.0f} s", flush=True)
                yield mutation, verdict
