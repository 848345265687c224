#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a flame graph from a profile of perf, as SVG on standard output.

perf record -g -p PID -- sleep 5 && perf script | swift demangle --simplified | Scripts/lib/bench/flame-graph.py TITLE >profile.svg

The width of a box is the share of samples with this function on the stack. Functions with less than 0.3 % are left out.
"""

import html
import sys

WIDTH, ROW, SMALLEST = 1200, 17, 0.003


class Frame:
    """A function, called from the functions below it."""

    def __init__(self):
        self.count = 0
        self.callees = {}


def read(lines):
    """Returns the root of the call tree of all samples, which empty lines separate."""
    root, stack = Frame(), []
    for line in [*lines, ""]:
        if line.startswith((" ", "\t")):
            name = " ".join(line.split()[1:]).rsplit(" (", 1)[0]
            stack.append(name.split("+0x")[0])
        elif not line.strip() and stack:
            frame = root
            frame.count += 1
            for name in reversed(stack):
                frame = frame.callees.setdefault(name, Frame())
                frame.count += 1
            stack = []
    return root


def boxes(frame, total, left=0, depth=0):
    """Yields the place, the share and the name of each frame that is wide enough."""
    for name, callee in sorted(frame.callees.items()):
        if callee.count >= SMALLEST * total:
            yield left, depth, callee.count / total, name
            yield from boxes(callee, total, left, depth + 1)
        left += callee.count * WIDTH / total


def main():
    root = read(sys.stdin.read().split("\n"))
    found = list(boxes(root, max(1, root.count)))
    height = (max((depth for _, depth, _, _ in found), default=0) + 3) * ROW
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">')
    print(f'<text x="4" y="13">{html.escape(" ".join(sys.argv[1:]))}: {root.count} samples</text>')
    for left, depth, share, name in found:
        width, top, text = share * WIDTH, height - (depth + 1) * ROW, html.escape(name)
        hue = sum(map(ord, name)) % 40 + 15
        print(f'<g><title>{text}: {share:.1%}</title><rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{ROW - 1}"')
        print(f'fill="hsl({hue},75%,70%)"/>')
        if width > 40:
            print(f'<text x="{left + 3:.1f}" y="{top + 12}">{html.escape(name[: int(width / 6.5)])}</text>')
        print("</g>")
    print("</svg>")


main()
