# SPDX-License-Identifier: Apache-2.0
"""A back end that learns its user from the proxy in front of it, by a signed token that it verifies itself.

    python3 back_end.py PORT ISSUER AUDIENCE JWKS_URL

It listens on this machine only. The proxy sends the token in Remote-Token. A back end that trusts its network reads
Remote-User, Remote-Name, Remote-Email and Remote-Groups instead, and must then be reachable through the proxy alone.
"""

import http.server
import json
import sys
import time
import urllib.request

from verify_token import Refused, verify

PORT, ISSUER, AUDIENCE, JWKS_URL = int(sys.argv[1]), *sys.argv[2:5]
cached = {"until": 0.0, "keys": {"keys": []}}


def keys():
    """Returns the key set, at most ten minutes old."""
    if cached["until"] < time.time():
        with urllib.request.urlopen(JWKS_URL, timeout=10) as answer:
            cached.update(until=time.time() + 600, keys=json.load(answer))
    return cached["keys"]


class Handler(http.server.BaseHTTPRequestHandler):
    """Greets the user of each request."""

    def do_GET(self):
        """Answers with the user, or with 403."""
        try:
            claims = verify(self.headers.get("Remote-Token", ""), keys(), ISSUER, AUDIENCE)
            # Fields are UTF-8, and Python reads them as Latin-1.
            name = self.headers.get("Remote-Name", "").encode("latin-1").decode(errors="replace")
            status, text = 200, f"{claims['sub']} {name} {' '.join(claims['roles'])}"
        except Refused as refusal:
            status, text = 403, f"refused: {refusal}"
        self.send_response(status)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write((text.rstrip() + "\n").encode())

    do_POST = do_GET


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
