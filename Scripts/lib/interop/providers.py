#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the table of passkey providers with a list that others publish, or adds to it.

Scripts/interop providers check LIST   prints what the list has and the table lacks, and names that differ
Scripts/interop providers add LIST     adds the missing providers to the table; existing names stay

LIST is JSON: {"AAGUID": "name"} or {"AAGUID": {"name": "name", …}}. Only the AAGUID and the name are read. Review each
addition: names are shown to users.
"""
import json
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).parents[3] / "Sources/RelyingParty/WebAuthnTypes/Identifiers/AAGUID+Providers.swift"
ROW = re.compile(r'^    \("([0-9a-f-]{36})", "([^"\\]+)"\),\n', re.MULTILINE)
AAGUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def read_list(path):
    names = {}
    for aaguid, entry in json.loads(pathlib.Path(path).read_text()).items():
        name = entry if isinstance(entry, str) else entry["name"]
        if not AAGUID.fullmatch(aaguid.lower()):
            sys.exit(f"providers: invalid AAGUID {aaguid}")
        if not 1 <= len(name) <= 40 or '"' in name or "\\" in name or not name.isprintable():
            print(f"skipped {aaguid}: the name does not fit into a line", file=sys.stderr)
            continue
        names[aaguid.lower()] = name
    return names


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "add"):
        sys.exit(__doc__)
    source = TABLE.read_text()
    table = dict(ROW.findall(source))
    listed = read_list(sys.argv[2])
    missing = {aaguid: name for aaguid, name in listed.items() if aaguid not in table}
    for aaguid, name in sorted(missing.items()):
        print(f"missing {aaguid} {name}")
    for aaguid, name in sorted(listed.items()):
        if table.get(aaguid, name) != name:
            print(f"differs {aaguid} {name}, here {table[aaguid]}")
    if sys.argv[1] == "check":
        sys.exit(1 if missing else 0)
    rows = [f'    ("{aaguid}", "{name}"),\n' for aaguid, name in sorted((table | missing).items())]
    start = source.index(next(ROW.finditer(source)).group())
    TABLE.write_text(source[:start] + "".join(rows) + ROW.sub("", source[start:]))


main()
