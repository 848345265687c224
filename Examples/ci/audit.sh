#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts a server, audits its passkey endpoints, and stops it. The reports and the server's log are in the folder audit.
#
#   AUDIT_SERVER="./start-server --port 8080" ./audit.sh [OPTION…] URL
#
# Needs passkey and passkey-lab. Takes the options of passkey audit, with the URL at the end. Exits as passkey audit does, or with 3 if the server does not start.

set -eu
for url; do :; done
mkdir -p audit
sh -c "exec $AUDIT_SERVER" >audit/server.log 2>&1 </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT

# Any response shows that the server runs.
attempts=0
until curl --silent --output /dev/null --max-time 5 "$url"; do
  attempts=$((attempts + 1))
  if [ "$attempts" -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then
    echo "audit.sh: error: the server did not start; the end of audit/server.log:" >&2
    tail -n 20 audit/server.log >&2
    exit 3
  fi
  sleep 0.1
done

passkey audit --html audit/report.html --junit audit/junit.xml --sarif audit/report.sarif "$@"
