#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests Examples/deployment with other paths and ports: nginx with its configuration in front of passkey-server with its
# configuration file, both on loopback ports, and systemd's verification of the unit. Then runs Scripts/try site.
# Prints one line for each test; the last line is "N passed, N failed".
#
#   Scripts/try deployment

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash

Scripts/setup nginx-light curl openssl systemd >&2
build passkey-server
server=$programs/passkey-server

work=$(mktemp -d "${TMPDIR:-/tmp}/passkey-deployment.XXXXXX")
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash
# shellcheck source=Scripts/lib/try/nginx.bash
source Scripts/lib/try/nginx.bash

# waits_for WORDS FILE: waits until the file contains the words, at most ten seconds.
waits_for() {
  for _ in {1..100}; do
    if grep -q "$1" "$2" 2>/dev/null; then return; fi
    sleep 0.1
  done
  return 1
}

make_certificate raxx.app "$work/key.pem" "$work/fullchain.pem"

# The server, with its configuration file.
sed -e "s|/var/lib/passkey-server|$work|" -e 's|127.0.0.1:8080|127.0.0.1:0|' \
  Examples/deployment/passkey-server.json >"$work/passkey-server.json"
"$server" --config "$work/passkey-server.json" --access-log "$work/access.log" \
  --access-log-identity address 2>"$work/server.log" &
processes[plain]=$!
waits_for 'serving raxx.app at' "$work/server.log" || { cat "$work/server.log" >&2; exit 1; }
inner=$(sed -n 's|.*http://||p' "$work/server.log" | head -n 1)

# nginx, with its configuration. Retries, because another program may take the free port first.
serve_through_nginx() {
  outer=$((RANDOM % 20000 + 20000))
  sed -e "s|127.0.0.1:8080|$inner|" -e "s|listen 443|listen 127.0.0.1:$outer|" -e "s|/etc/ssl/raxx.app|$work|" \
    Examples/deployment/nginx.conf >"$work/site.conf"
  start_nginx "$work/site.conf"
  for _ in {1..50}; do
    if curl --silent --cacert "$work/fullchain.pem" --resolve "raxx.app:$outer:127.0.0.1" --output /dev/null \
      "https://raxx.app:$outer/healthz"; then
      return
    fi
    kill -0 "${processes[nginx]}" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
serve_through_nginx || serve_through_nginx || serve_through_nginx || { cat "$work"/nginx/*.log >&2; exit 1; }

# ask STATUS PATH ARGUMENT…: sends a request through nginx, like an external client, and requires a status.
ask() {
  local status=$1 path=$2
  shift 2
  [[ $(curl --silent --cacert "$work/fullchain.pem" --resolve "raxx.app:$outer:127.0.0.1" --output "$work/answer" \
    --write-out '%{http_code}' "$@" "https://raxx.app:$outer$path") == "$status" ]]
}

json=(--header 'content-type: application/json')
tell "the server answers through nginx" ask 200 /readyz
tell "sign-in options are served" ask 200 /api/auth/login/options "${json[@]}" --data '{"email": "ada@raxx.app"}'
tell "the pages are served" ask 200 /
tell "a request without a session gets 401" ask 401 /api/auth/me
tell "metrics are not served through nginx" ask 404 /metrics
tell "metrics are served locally" curl --silent --fail --output /dev/null "http://$inner/metrics"
head -c 70000 /dev/zero | tr '\0' x >"$work/large"
tell "a body that is too large is refused" ask 413 /api/auth/login/options "${json[@]}" --data-binary "@$work/large"
tell "a client cannot set X-Forwarded-For" ask 200 /healthz --header 'x-forwarded-for: 203.0.113.9'
tell "the log has the address that nginx saw" waits_for '"client":"127.0.0.1"' "$work/access.log"
tell "the log has no other address" isnt grep 203.0.113.9 "$work/access.log"

# The unit's reload command, for this server without a certificate and for one with a certificate.
reload=$(sed -n 's/^ExecReload=//p' Examples/deployment/passkey-server.service)
tell "the unit has a reload command" test -n "$reload"
MAINPID=${processes[plain]} bash -c "$reload"
tell "a reload without a certificate is reported" waits_for 'no certificate to reload' "$work/server.log"
tell "the server keeps serving" ask 200 /readyz

cp "$work/fullchain.pem" "$work/live.pem"
cp "$work/key.pem" "$work/live-key.pem"
"$server" --config "$work/passkey-server.json" --database "$work/tls.sqlite" --secret "$work/tls.secret" \
  --access-log "$work/tls-access.log" --tls-certificate "$work/live.pem" --tls-key "$work/live-key.pem" \
  2>"$work/tls.log" &
processes[encrypted]=$!
waits_for 'serving raxx.app at' "$work/tls.log" || { cat "$work/tls.log" >&2; exit 1; }
port=$(sed -n 's|.*https://.*:||p' "$work/tls.log" | head -n 1)
# trusts CERTIFICATE: succeeds if a client that trusts only this certificate gets a response.
trusts() {
  curl --silent --fail --output /dev/null --cacert "$1" --resolve "raxx.app:$port:127.0.0.1" "https://raxx.app:$port/healthz"
}
make_certificate raxx.app "$work/next-key.pem" "$work/next.pem"
cp "$work/next.pem" "$work/live.pem"
MAINPID=${processes[encrypted]} bash -c "$reload"
tell "a certificate without its key is reported" waits_for 'still using the old certificate' "$work/tls.log"
tell "the server keeps the old certificate" trusts "$work/fullchain.pem"
cp "$work/next-key.pem" "$work/live-key.pem"
MAINPID=${processes[encrypted]} bash -c "$reload"
tell "a renewed certificate is read" waits_for 'now using the certificate in' "$work/tls.log"
tell "the server presents the renewed certificate" trusts "$work/next.pem"

# systemd checks that the program of the unit exists.
sed "s|/usr/local/bin/passkey-server|$server|" Examples/deployment/passkey-server.service >"$work/passkey-server.service"
systemd-analyze verify --man=no "$work/passkey-server.service" >"$work/unit.log" 2>&1 || true
tell "systemd reports no problem in the unit" isnt grep 'passkey-server.service' "$work/unit.log"
# The unit lets the server write its log where the help says.
tell "the unit has the folder of the log in the help" grep --quiet --line-regexp \
  "LogsDirectory=$("$server" help audit verify | sed -n 's|.*--log /var/log/\([^/]*\)/.*|\1|p')" Examples/deployment/passkey-server.service

# The page for a site follows.
status=0
Scripts/lib/try/site.bash | tee "$work/site.log" || status=$?
add "the page for a site" "$status" "$work/site.log"

finish
