# SPDX-License-Identifier: Apache-2.0
"""Measures sign-ins on passkey-server and on other servers. Scripts/bench --peers explains and calls it.

    measure.py PROGRAMS FOLDER [OPTION…]     with the folder of the built programs and a folder for databases
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import secrets
import shlex
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import time

import readings
import servers

PAGE = pathlib.Path("Lab/Documentation/Performance/Peers.md")
BEGIN, END = "<!-- written by Scripts/bench --peers --write -->", "<!-- end -->"
WARM_UP = 2


class Stopped(Exception):
    """The measurement cannot go on."""


@dataclasses.dataclass
class Round:
    """A measured load."""

    rate: float
    # CPU microseconds of a sign-in.
    server: float
    database: float
    raw: float
    p50: float
    p99: float
    # MiB, the highest.
    memory: float
    # Sign-ins that could not start, because too many others had no reply.
    missed: int


@dataclasses.dataclass
class Result:
    """All measurements of a server."""

    server: servers.Server
    rounds: list
    half: Round

    @property
    def memory(self):
        return max(one.memory for one in [*self.rounds, self.half])

    def median(self, value):
        return statistics.median(value(one) for one in self.rounds)


class PostgreSQL:
    """The server of Scripts/lib/with-postgresql."""

    url = os.environ["PASSKEY_TEST_POSTGRESQL"]

    def __init__(self):
        self.process = int(self.ask("SELECT pg_read_file('postmaster.pid')").split("\n")[0])
        self.version = self.ask("SHOW server_version").split()[0]

    def ask(self, statement):
        return subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--command", statement, self.url],
            capture_output=True, text=True, check=True,
        ).stdout

    def create(self, name):
        self.ask(f"CREATE DATABASE {name}")
        return self.url.rsplit("/", 1)[0] + "/" + name


class Running:
    """A server in processes of its own, until its end."""

    def __init__(self, server, number, options, postgresql):
        self.folder = pathlib.Path(options.folder) / str(number)
        self.folder.mkdir()
        if server.database == "PostgreSQL":
            database = postgresql.create(f"peer{number}")
        else:
            database = str(self.folder / "database")
            if server.command != servers.OURS:
                sqlite3.connect(database).executescript(pathlib.Path("Lab/Peers/schema.sql").read_text())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "secret").write_bytes(secrets.token_bytes(32))
        (self.folder / "secret").chmod(0o600)
        environment = os.environ | {
            "PEER_ORIGIN": f"http://localhost:{self.port}",
            "PEER_DATABASE": database,
            "PEER_SECRET": secrets.token_hex(64),
            "TMPDIR": str(self.folder),
        }
        values = {"programs": options.programs, "folder": self.folder, "port": self.port, "database": database}
        self.log = self.folder / "log"
        with self.log.open("w") as log:
            more = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "env": environment}
            if server.prepare:
                subprocess.run(shlex.split(server.prepare), check=True, **more)
            self.process = subprocess.Popen(
                shlex.split(server.command.format(**values)), start_new_session=True, **more
            )

    def __enter__(self):
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.1)
        self.__exit__()
        raise Stopped(f"the server does not start: {self.log.read_text()[-2000:]}")

    def __exit__(self, *_):
        self._signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self.process.wait()

    def _signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass


def load(server, running, postgresql, options, plan):
    """Runs a plan of `passkey load` and returns its figures."""
    plan = {"accounts": options.accounts, "seed": secrets.token_hex(8)} | plan
    path = running.folder / "plan.json"
    path.write_text(json.dumps(plan))
    raw = readings.raw_verifications()
    sampler = readings.Sampler([running.process.pid, postgresql.process])
    sampler.start()
    done = subprocess.run(
        [
            f"{options.programs}/passkey-lab", "load", "--json", "--plan", path, "--keep-accounts",
            "--profile", server.profile, "--rp-id", "localhost", "--origin", f"http://localhost:{running.port}",
            f"http://localhost:{running.port}",
        ],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )
    end = time.monotonic()
    sampler.stop()
    try:
        report = json.loads(done.stdout)
    except ValueError:
        raise Stopped(f"{done.stderr}\n{running.log.read_text()[-2000:]}") from None
    errors = {error["code"]: error["count"] for operation in report["operations"] for error in operation["errors"]}
    missed = errors.pop("load.not-started", 0)
    if errors:
        raise Stopped(f"sign-ins failed: {errors}\n{running.log.read_text()[-2000:]}")
    # Whole seconds after the warm-up and before the last replies, by when a sign-in ended. The load ends with the program.
    times = [0, *(second["time"] for second in report["timeline"])]
    whole = [
        place for place, time_ in enumerate(times) if WARM_UP + 0.5 < time_ < WARM_UP + options.seconds + 0.5
    ]
    first, last = times[whole[0] - 1], times[whole[-1]]
    count = sum(report["timeline"][place - 1]["rate"] * (times[place] - times[place - 1]) for place in whole)
    start, end = end - times[-1] + first, end - times[-1] + last
    latency = report["operations"][0]["latency"]
    return Round(
        rate=count / (last - first),
        server=sampler.used(0, start, end) / count * 1e6,
        database=sampler.used(1, start, end) / count * 1e6 if server.database == "PostgreSQL" else 0,
        raw=(raw + readings.raw_verifications()) / 2,
        p50=latency["p50"],
        p99=latency["p99"],
        memory=sampler.memory,
        missed=missed,
    )


def phases(name, level, seconds):
    return {"phases": [{name: level, "seconds": WARM_UP, "measured": False}, {name: level, "seconds": seconds}]}


def measure(server, number, options, postgresql):
    """Starts a server, measures it and stops it."""
    with Running(server, number, options, postgresql) as running:
        closed = {"model": "closed"} | phases("clients", options.clients, options.seconds)
        rounds = [load(server, running, postgresql, options, closed) for _ in range(options.rounds)]
        rate = max(1, statistics.median(one.rate for one in rounds) / 2)
        opened = {"model": "open", "arrivals": "poisson"} | phases("rate", rate, 2 * options.seconds)
        # Other programs may have stopped the server for a moment: once more.
        half = load(server, running, postgresql, options, opened)
        return Result(server, rounds, load(server, running, postgresql, options, opened) if half.missed else half)


def numbers(*values):
    return ", ".join(f"{value:.1f}" if value < 100 else f"{value:,.0f}" for value in values)


def table(results, options, postgresql, others):
    """Returns the results as Markdown."""
    raw = statistics.median(one.raw for result in results for one in result.rounds)
    cores = os.cpu_count()
    busy = f" **The machine was busy**: other programs used {others:.0%} of it, so only ratios compare, and roughly."
    lines = [
        f"Measured on {datetime.date.today()} on {cores} processors that the load shares, with {options.clients} clients,"
        f" {options.accounts} accounts and {options.rounds} rounds of {options.seconds} s. A raw verification took"
        f" {1e6 / raw:.0f} µs."
        + (busy if others > 0.05 else ""),
        "",
        "| server | sign-ins a second | CPU of a sign-in, µs: server, PostgreSQL | by a raw verification |"
        + " p50, p99 at half of this rate, ms | peak memory, MiB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for one in results:
        times, ratios = [one.median(lambda each: each.server)], [one.median(lambda each: each.server * each.raw / 1e6)]
        if one.server.database == "PostgreSQL":
            times.append(one.median(lambda each: each.database))
            ratios.append(one.median(lambda each: each.database * each.raw / 1e6))
        lines.append(
            f"| {one.server.name} | {numbers(one.median(lambda each: each.rate))} | {numbers(*times)} |"
            f" {numbers(*ratios)} | {numbers(one.half.p50, one.half.p99)}"
            + (f"; {one.half.missed} could not start" if one.half.missed else "")
            + f" | {numbers(one.memory)} |"
        )
    lines += ["", "| server | versions | runs as | commits of a sign-in | does not do |", "|---|---|---|---|---|"]
    lines += [
        f"| {one.server.name} | {one.server.versions} | {one.server.processes} | {one.server.commits} |"
        f" {one.server.omits} |"
        for one in results
    ]
    lines += ["", f"SQLite {sqlite3.sqlite_version}, PostgreSQL {postgresql.version}, Python {sys.version.split()[0]}."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--accounts", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_intermixed_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("peers: stopped"))
    chosen = [
        one for one in servers.SERVERS if not options.names or any(name in one.name for name in options.names)
    ]
    if not chosen or options.write and chosen != servers.SERVERS:
        parser.error("--write needs all servers" if chosen else f"no server is called {' or '.join(options.names)}")
    postgresql = PostgreSQL()
    results = []
    start, busy = time.monotonic(), readings.busy()
    for number, server in enumerate(chosen):
        try:
            results.append(measure(server, number, options, postgresql))
        except Stopped as reason:
            sys.exit(f"peers: error: {server.name}: {reason}")
        one = results[-1]
        print(f"{server.name}: {one.median(lambda each: each.rate):,.0f} sign-ins a second", file=sys.stderr)
    # The servers and the load are this program's children.
    all_stats = readings.stats()
    own = readings.cpu(os.getpid(), all_stats) + readings.cpu(postgresql.process, all_stats)
    others = (readings.busy() - busy - own) / (time.monotonic() - start) / os.cpu_count()
    text = table(results, options, postgresql, others)
    print(text)
    if options.write:
        head, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")


main()
