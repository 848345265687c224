# SPDX-License-Identifier: Apache-2.0
"""What the kernel has counted for processes, and the speed of OpenSSL alone."""

import bisect
import os
import pathlib
import re
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")
INTERVAL = 0.25


def stats():
    """Returns the parent, and the CPU seconds with those of ended children, of each process."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                # The name is in parentheses and may contain any character.
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            found[int(folder.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def tree(root, all_stats):
    """Returns a process and its descendants."""
    members = {root} & all_stats.keys()
    while more := {one for one, (parent, _) in all_stats.items() if parent in members} - members:
        members |= more
    return members


def cpu(root, all_stats):
    """Returns the CPU seconds of a process and all its descendants, including those that have ended."""
    return sum(all_stats[one][1] for one in tree(root, all_stats))


def memory(root, all_stats):
    """Returns the MiB of a process and its descendants; a page that several share is divided among them."""
    total = 0
    for process in tree(root, all_stats):
        try:
            text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])
    return total / 1024


def busy():
    """Returns the seconds that all processors have worked."""
    user, nice, system, _, _, interrupts, soft, *_ = map(
        int, pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    )
    return (user + nice + system + interrupts + soft) / TICKS


def raw_verifications():
    """Returns the P-256 verifications that OpenSSL alone does in a second of one processor."""
    printed = subprocess.run(
        ["openssl", "speed", "-seconds", "1", "ecdsap256"], capture_output=True, text=True, check=True
    ).stdout
    return float(re.search(r"nistp256\).*\s([0-9.]+)$", printed, re.MULTILINE)[1])


class Sampler(threading.Thread):
    """Reads the CPU time of process trees four times a second and the memory of the first one every second, until stopped."""

    def __init__(self, roots):
        super().__init__(daemon=True)
        self.roots = roots
        self.samples = []
        self.memory = 0
        self._stops = threading.Event()

    def run(self):
        while True:
            all_stats = stats()
            self.samples.append((time.monotonic(), [cpu(root, all_stats) for root in self.roots]))
            if len(self.samples) % 4 == 0:
                self.memory = max(self.memory, memory(self.roots[0], all_stats))
            if self._stops.wait(INTERVAL):
                return

    def stop(self):
        self._stops.set()
        self.join()

    def used(self, index, start, end):
        """Returns the CPU seconds of a process between two moments."""
        return self._at(index, end) - self._at(index, start)

    def _at(self, index, moment):
        place = bisect.bisect(self.samples, moment, key=lambda sample: sample[0])
        place = min(max(place, 1), len(self.samples) - 1)
        (start, before), (end, after) = self.samples[place - 1], self.samples[place]
        share = min(1, max(0, (moment - start) / (end - start)))
        return before[index] + share * (after[index] - before[index])
