# SPDX-License-Identifier: Apache-2.0
"""Ends sessions on one server while all servers are asked for them, and measures how long any server accepts them.

Arguments: the number of sessions, the file of the result, the URL of the balancer, and the addresses of the servers. The
options of `passkey sign-in` come from the environment. Each server is asked over its own connection, in a loop.
"""

import glob
import http.client
import json
import os
import subprocess
import sys
import threading
import time

count, result, balancer, *addresses = sys.argv[1:]
# [enough that a server that accepted again would be seen]
REFUSALS = 20
# [a hang, not a slow machine]
LIMIT = 120

subprocess.run(["passkey", "register", "--yes", "--server", balancer], check=True, stdout=subprocess.DEVNULL)


def sign_in():
    """Opens a session and returns its token."""
    subprocess.run(["passkey", "sign-in", "--yes", "--server", balancer], check=True, stdout=subprocess.DEVNULL)
    (path,) = glob.glob(os.environ["XDG_STATE_HOME"] + "/passkey/*.json")
    return json.load(open(path))["token"]


class Watch(threading.Thread):
    """Asks a server for a session until it has refused it several times."""

    def __init__(self, address, token):
        super().__init__(daemon=True)
        self.address, self.token, self.replies = address, token, []

    def run(self):
        connection = http.client.HTTPConnection(self.address, 8080, timeout=10)
        refusals, end = 0, time.monotonic() + LIMIT
        while refusals < REFUSALS and time.monotonic() < end:
            begin = time.monotonic()
            connection.request("GET", "/api/auth/me", headers={"Authorization": "Bearer " + self.token})
            reply = connection.getresponse()
            reply.read()
            self.replies.append((begin, time.monotonic(), reply.status))
            refusals += reply.status == 401

    def has_accepted(self):
        return any(status == 200 for _, _, status in self.replies)


accepted_late, refused_late, requests = 0.0, 0.0, 0
for number in range(int(count)):
    token = sign_in()
    watches = [Watch(address, token) for address in addresses]
    for watch in watches:
        watch.start()
    end = time.monotonic() + LIMIT
    while not all(watch.has_accepted() for watch in watches) and time.monotonic() < end:
        time.sleep(0.005)
    connection = http.client.HTTPConnection(addresses[number % len(addresses)], 8080, timeout=10)
    connection.request("POST", "/api/auth/logout", headers={"Authorization": "Bearer " + token})
    status = connection.getresponse().status
    ended = time.monotonic()
    if status not in (200, 204):
        sys.exit(f"the session did not end: {status}")
    for watch in watches:
        watch.join(LIMIT)
        # A copy: a thread that hangs still appends.
        replies = list(watch.replies)
        refusals = [arrival for _, arrival, status in replies if status == 401]
        if len(refusals) < REFUSALS or not watch.has_accepted():
            sys.exit(f"{watch.address} did not accept the session and then refuse it: {replies[-3:]}")
        requests += len(replies)
        accepted_late = max([accepted_late] + [begin - ended for begin, _, status in replies if status == 200])
        refused_late = max(refused_late, refusals[0] - ended)

json.dump({"sessions": int(count), "servers": len(addresses), "requests": requests,
           "acceptedMilliseconds": accepted_late * 1000, "refusedMilliseconds": refused_late * 1000}, open(result, "w"))
