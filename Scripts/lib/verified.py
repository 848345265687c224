#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps Documentation/Verified.md, the record of the last run of each suite that a change does not run.

verified.py record TIER SUITE SECONDS RESULT PROVES   writes the suite's row, for the commit that is checked out
verified.py check                                     prints the age of each row; fails if a row is too old or missing
verified.py expect                                    adds a row for each suite of Scripts/ci that has none, and removes others
"""
import datetime
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parent.parent.parent / "Documentation/Verified.md"
# The most commits since the last success. [Ten days and forty days of work]
LIMITS = {"merge": 150, "night": 600}
HEAD = """# Verified

`Scripts/ci merge` and `Scripts/ci night` write this page: when each suite that a change does not run last ran, and whether it passed. `.ci/run`
prints the age of each row and fails if one is older than 150 commits (merge) or 600 commits (night). The raw verification
time is that of one ES256 signature by OpenSSL alone on the machine, so that durations can be compared.

| tier | suite | what it proves | commit | date | raw | result | duration |
|---|---|---|---|---|---|---|---|
"""


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def read():
    rows = {}
    if PAGE.exists():
        for line in PAGE.read_text().splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if len(cells) == 8 and cells[0] in LIMITS:
                rows[cells[0], cells[1]] = cells
    return rows


def write(rows):
    order = sorted(rows.values(), key=lambda cells: (list(LIMITS).index(cells[0]), cells[1]))
    PAGE.write_text(HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in order))


def commit():
    return git("rev-parse", "--short=10", "HEAD").stdout.strip()


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def raw_time():
    """The microseconds of one ES256 verification, from OpenSSL's own measurement."""
    printed = subprocess.run(
        ["openssl", "speed", "-seconds", "1", "ecdsap256"], capture_output=True, text=True, check=False
    ).stdout
    rates = re.findall(r"nistp256\)\s+\S+\s+\S+\s+\S+\s+([0-9.]+)", printed)
    return f"{1e6 / float(rates[-1]):.0f} µs" if rates else "unknown"


def record(tier, suite, seconds, result, proves):
    rows = read()
    minutes = int(seconds) / 60
    duration = f"{minutes:.0f} min" if minutes >= 2 else f"{int(seconds)} s"
    rows[tier, suite] = [tier, suite, proves, commit(), today(), raw_time(), result, duration]
    write(rows)


def listed():
    """The suites that Scripts/ci has, and what each proves."""
    for tier in LIMITS:
        printed = subprocess.run(["Scripts/ci", tier, "--list"], capture_output=True, text=True, check=True).stdout
        for line in printed.splitlines():
            suite, _, proves = line.partition(" ")
            yield tier, suite, proves.strip()


def expect():
    rows, suites = read(), list(listed())
    for tier, suite, proves in suites:
        if (tier, suite) not in rows:
            rows[tier, suite] = [tier, suite, proves, commit(), today(), "", "not yet", ""]
        rows[tier, suite][2] = proves
    known = {suite[:2] for suite in suites}
    write({key: cells for key, cells in rows.items() if key in known})


def age(cells):
    """The number of commits since the row's, or since its date if this clone does not have the commit."""
    counted = git("rev-list", "--count", f"{cells[3]}..HEAD")
    if counted.returncode == 0:
        return int(counted.stdout)
    return int(git("rev-list", "--count", f"--since={cells[4]}T00:00:00Z", "HEAD").stdout or 0)


def check():
    rows, faults = read(), 0
    if git("rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        sys.exit("verified: this clone does not have the whole history: git fetch --unshallow")
    for tier, suite, _ in listed():
        cells = rows.get((tier, suite))
        if cells is None:
            print(f"{tier:5}  {suite:18} has no row: run Scripts/lib/verified.py expect")
            faults += 1
            continue
        commits = age(cells)
        is_old = commits > LIMITS[tier]
        # A suite of the night may fail once; the next run must pass.
        faults += is_old or (cells[6] == "FAILED" and tier == "merge")
        words = f"not yet; expected since {cells[4]}" if cells[6] == "not yet" else f"{cells[6]}, {cells[4]}"
        print(f"{tier:5}  {suite:18} {commits:4} commits ago: {words}{'  TOO OLD' if is_old else ''}")
    if faults:
        sys.exit("verified: run Scripts/ci merge or Scripts/ci night, and commit Documentation/Verified.md")


ACTS = {"record": (record, 5), "expect": (expect, 0), "check": (check, 0)}
act, count = ACTS.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
if act is None or len(sys.argv) != count + 2:
    sys.exit(__doc__)
act(*sys.argv[2:])
