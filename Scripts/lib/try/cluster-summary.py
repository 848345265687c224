# SPDX-License-Identifier: Apache-2.0
"""Compares what a cluster acknowledged with what it has, and prints the time without service of each fault.

Arguments: HAProxy's log, the faults (START END NAME, milliseconds), the audit trail (JSON lines), the report of
`passkey load`, the file with the error of `passkey load`, and the report of cluster-revocation.py. Exits with 7 if
something was lost or happened twice, or if an ended session was accepted for too long.
"""

import collections
import json
import os
import sys

log, faults, trail, report, error, revocation = sys.argv[1:]

# Milliseconds after the end of a session in which a request may begin that a server still accepts.
LONGEST_ACCEPTANCE = 0

# Requests that a server acknowledged and that leave a record: completed ceremonies and ended sessions.
RECORDED = ("/verify", "/logout")

requests = []
for line in open(log, errors="replace"):
    words = line.split()
    if len(words) == 6 and words[0].isdigit():
        requests.append((int(words[0]), words[1], int(words[2]), words[3], words[4]))
acknowledged = [(time, name, path) for time, name, status, method, path in requests
                if method == "POST" and 200 <= status < 300 and path.endswith(RECORDED)]
times = sorted(time for time, _, _ in acknowledged)


def longest_gap(start, end):
    """The longest time without an acknowledged request within the interval."""
    inside = [start] + [time for time in times if start < time < end] + [end]
    return max(after - before for before, after in zip(inside, inside[1:]))


rows = []
for line in open(faults):
    start, end, name = line.rstrip("\n").split(" ", 2)
    start, end = int(start), int(end)
    failed = sum(1 for time, _, status, _, _ in requests if start <= time < end and (status >= 500 or status <= 0))
    rows.append((name, longest_gap(start, end), sum(start <= time < end for time in times), failed))
width = max(len(name) for name, *_ in rows)
print(f"{'fault':{width}}  without service  acknowledged  failed")
for name, gap, count, failed in rows:
    print(f"{name:{width}}  {gap / 1000:13.2f} s  {count:12}  {failed:6}")

# A request ID from the trusted proxy is marked in the trail: given.NAME.SUFFIX.
recorded = collections.Counter()
for line in open(trail):
    if not line.startswith("{"):
        continue
    record = json.loads(line)
    if "requestId" not in record:
        sys.exit(f"the audit trail cannot be read: {line.strip()}")
    words = record["requestId"].split(".")
    if words[0] == "given" and record["outcome"] == "ok":
        recorded[".".join(words[1:-1]), record["event"], record.get("subject")] += 1
names = {name for name, _, _ in recorded}
twice = [key for key, count in recorded.items() if count > 1]

try:
    load = json.load(open(report))
except ValueError:
    sys.exit(f"no report of the load: {open(error).read().strip()}")
check = load["check"]
print(f"load: {load['successes']} operations succeeded, {load['failures']} failed")
codes = collections.Counter()
for operation in load["operations"]:
    for item in operation["errors"]:
        codes[item["code"]] += item["count"]
for code, count in codes.most_common():
    print(f"  {count} × {code}")
for account in check["lostAccounts"][:10]:
    print(f"  lost: {account['name']}: {account['code']}")
# A session, a grant and the end of a session commit together with their records.
kinds = [("registrations", "/register/verify"), ("sign-ins", "/login/verify"), ("grants", "/step-up/verify"),
         ("sign-outs", "/logout")]
rows = [
    ("accounts", check["accounts"], len(check["lostAccounts"])),
    ("open sessions", check["sessions"], check["lostSessions"]),
    ("ended sessions", check["endedSessions"], check["revivedSessions"]),
] + [
    (f"records of {kind}", len(names_of), len(set(names_of) - names))
    for kind, end in kinds
    for names_of in [[name for _, name, path in acknowledged if path.endswith(end)]]
] + [
    ("records, once each", len(recorded), len(twice)),
    ("ceremonies sent twice", check["repetitions"], check["acceptedRepetitions"]),
]
print(f"{'acknowledged':22}  checked  lost or twice")
for name, checked, wrong in rows:
    print(f"{name:22}  {checked:7}  {wrong:13}")
if check["unknown"]:
    print(f"{check['unknown']} checks had no reply")
is_late = False
if os.path.exists(revocation):
    ended = json.load(open(revocation))
    is_late = ended["acceptedMilliseconds"] > LONGEST_ACCEPTANCE
    print(f"{ended['sessions']} sessions ended under load on one of {ended['servers']} servers; {ended['requests']} requests with "
          f"them.\nThe last accepted request began {ended['acceptedMilliseconds']:.0f} ms after the end (limit "
          f"{LONGEST_ACCEPTANCE} ms); the slowest first refusal arrived after {ended['refusedMilliseconds']:.0f} ms.")
sys.exit(7 if is_late or check["unknown"] or any(wrong for _, _, wrong in rows) else 0)
