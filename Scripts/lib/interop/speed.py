# SPDX-License-Identifier: Apache-2.0
"""Measures how long libraries verify the same responses, and prints a section of Lab/Documentation/Comparison.md.

    speed.py BENCHMARKS     with the program of Scripts/bench; the adapters' folder is in PYTHONPATH
"""

import datetime
import json
import pathlib
import re
import runpy
import statistics
import subprocess
import sys
import time

import passkey_adapter

ADAPTERS = ["py_webauthn", "python-fido2"]
# The file and the name of a case, and the benchmark of `passkey` that does the same.
CASES = {
    "a registration without attestation": ("registration", "registration/plain", "registration.none.json"),
    "a sign-in with ES256": ("authentication", "authentication/plain", "authentication.es256.json"),
}
ROUNDS, CALLS = 15, 100


def case(file, name):
    cases = json.loads(pathlib.Path(f"Vectors/{file}.json").read_text())["cases"]
    return next(case for case in cases if case["id"] == name)


def adapter(name):
    """The name, the version and the verification of an adapter, which does not serve."""
    loaded = {}

    def keep(name, version, can, judge, refusals):
        loaded.update(name=name, version=version, judge=judge)

    passkey_adapter.serve = keep
    runpy.run_path(f"Lab/Adapters/passkey-adapter-{name}")
    return loaded


def microseconds(judge, case):
    """The processor time of one verification. An application makes the library's server once."""
    adapter = judge.__globals__
    make = adapter.get("server")
    if make:
        made = make(case)
        adapter["server"] = lambda case: made
    for _ in range(CALLS):
        judge(case)
    rounds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(CALLS):
            judge(case)
        rounds.append((time.process_time() - begun) / CALLS * 1e6)
    if make:
        adapter["server"] = make
    return statistics.median(rounds)


def ours(program):
    """Nanoseconds and the ratio to a raw verification of each benchmark."""
    names = [benchmark for _, _, benchmark in CASES.values()]
    printed = subprocess.run([program, "--json", "--rounds", "15", *names], check=True, capture_output=True, text=True).stdout
    return {figure["name"]: figure for figure in json.loads(printed) if figure["name"] in names}


def figure(microseconds, raw):
    return f"{microseconds:,.0f} µs, {microseconds / raw:.2f} ×"


def servers():
    """The first columns of the table of Scripts/bench --peers, with its date."""
    page = pathlib.Path("Lab/Documentation/Performance/Peers.md").read_text()
    date = re.search(r"Measured on ([0-9-]+)", page)[1]
    table = page[page.index("| server | sign-ins a second"):].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")[2:]]
    return date, [f"| {row[0]} | {row[1]} | {row[2]} | {row[3]} |" for row in rows]


def main(program):
    measured = ours(program)
    mine = [measured[benchmark] for _, _, benchmark in CASES.values()]
    raw = statistics.median(one["nanoseconds"] / one["ratioToRaw"] for one in mine) / 1000
    lines = [
        "## Speed",
        "",
        f"The processor time in which the libraries verify a response, from its JSON to the result, and that as a multiple of one P-256 "
        f"verification by OpenSSL alone, which took {raw:.0f} µs. `Scripts/interop comparison --speed` measured it on "
        f"{datetime.date.today()}.",
        "",
        "| library | version | " + " | ".join(CASES) + " |",
        "|---|---|" + "---:|" * len(CASES),
        "| passkey | this commit | "
        + " | ".join(figure(one["nanoseconds"] / 1000, one["nanoseconds"] / 1000 / one["ratioToRaw"]) for one in mine)
        + " |",
    ]
    for name in ADAPTERS:
        library = adapter(name)
        times = [figure(microseconds(library["judge"], case(*place[:2])), raw) for place in CASES.values()]
        lines.append(f"| {library['name']} | {library['version']} | " + " | ".join(times) + " |")
    date, rows = servers()
    lines += [
        "",
        f"Whole servers, from [Beside other servers](Performance/Peers.md), measured on {date}. It has the versions, the method, and what "
        "each server leaves out:",
        "",
        "| server | sign-ins a second | CPU of a sign-in, µs: server, PostgreSQL | by a raw verification |",
        "|---|---:|---:|---:|",
        *rows,
        "",
        "How often, when and on which commit every suite passed stands in [Verified](../../Documentation/Verified.md); how many changed "
        "lines the tests notice, in [Mutants](../../Documentation/Security/Mutants.md).",
    ]
    print("\n".join(lines))


main(sys.argv[1])
