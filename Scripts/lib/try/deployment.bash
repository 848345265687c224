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

folder=$(mktemp -d "${TMPDIR:-/tmp}/passkey-deployment.XXXXXX")
processes=()
end() {
  local process
  for process in "${processes[@]}"; do
    if kill "$process" 2>/dev/null; then wait "$process" || true; fi
  done
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM

# tell WORDS COMMAND…: counts whether the command succeeds.
tell() {
  local words=$1
  shift
  if "$@"; then
    echo "ok: $words"
    passed=$((passed + 1))
  else
    echo "not ok: $words"
    failed=$((failed + 1))
  fi
}

# waits_for WORDS FILE: waits until the file contains the words, at most ten seconds.
waits_for() {
  for _ in {1..100}; do
    if grep -q "$1" "$2" 2>/dev/null; then return; fi
    sleep 0.1
  done
  return 1
}

# make_certificate KEY CERTIFICATE: makes a self-signed certificate for raxx.app.
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=raxx.app \
    -addext subjectAltName=DNS:raxx.app -keyout "$1" -out "$2" 2>/dev/null
}
make_certificate "$folder/key.pem" "$folder/fullchain.pem"

# The server, with its configuration file.
sed -e "s|/var/lib/passkey-server|$folder|" -e 's|127.0.0.1:8080|127.0.0.1:0|' \
  Examples/deployment/passkey-server.json >"$folder/passkey-server.json"
"$server" --config "$folder/passkey-server.json" --access-log "$folder/access.log" \
  --access-log-identity address 2>"$folder/server.log" &
plain=$!
processes+=("$plain")
waits_for 'serving raxx.app at' "$folder/server.log" || { cat "$folder/server.log" >&2; exit 1; }
inner=$(sed -n 's|.*http://||p' "$folder/server.log" | head -n 1)

# nginx, with its configuration. Retries, because another program may take the free port first.
mkdir "$folder/nginx"
start_nginx() {
  outer=$((RANDOM % 20000 + 20000))
  sed -e "s|127.0.0.1:8080|$inner|" -e "s|listen 443|listen 127.0.0.1:$outer|" -e "s|/etc/ssl/raxx.app|$folder|" \
    Examples/deployment/nginx.conf >"$folder/site.conf"
  cat >"$folder/nginx.conf" <<CONFIGURATION
pid $folder/nginx/pid;
error_log $folder/nginx/error.log;
events {}
http {
    access_log off;
    client_body_temp_path $folder/nginx/body;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    include $folder/site.conf;
}
CONFIGURATION
  nginx -q -c "$folder/nginx.conf" -g 'daemon off;' 2>>"$folder/nginx/start.log" &
  nginx=$!
  for _ in {1..50}; do
    if curl --silent --cacert "$folder/fullchain.pem" --resolve "raxx.app:$outer:127.0.0.1" --output /dev/null \
      "https://raxx.app:$outer/healthz"; then
      processes+=("$nginx")
      return
    fi
    kill -0 "$nginx" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}
start_nginx || start_nginx || start_nginx || { cat "$folder"/nginx/*.log >&2; exit 1; }

# ask STATUS PATH ARGUMENT…: sends a request through nginx, like an external client, and requires a status.
ask() {
  local status=$1 path=$2
  shift 2
  [[ $(curl --silent --cacert "$folder/fullchain.pem" --resolve "raxx.app:$outer:127.0.0.1" --output "$folder/answer" \
    --write-out '%{http_code}' "$@" "https://raxx.app:$outer$path") == "$status" ]]
}

json=(--header 'content-type: application/json')
tell "the server answers through nginx" ask 200 /readyz
tell "sign-in options are served" ask 200 /api/auth/login/options "${json[@]}" --data '{"email": "ada@raxx.app"}'
tell "the pages are served" ask 200 /
tell "a request without a session gets 401" ask 401 /api/auth/me
tell "metrics are not served through nginx" ask 404 /metrics
tell "metrics are served locally" curl --silent --fail --output /dev/null "http://$inner/metrics"
head -c 70000 /dev/zero | tr '\0' x >"$folder/large"
tell "a body that is too large is refused" ask 413 /api/auth/login/options "${json[@]}" --data-binary "@$folder/large"
tell "a client cannot set X-Forwarded-For" ask 200 /healthz --header 'x-forwarded-for: 203.0.113.9'
tell "the log has the address that nginx saw" waits_for '"client":"127.0.0.1"' "$folder/access.log"
if grep -q 203.0.113.9 "$folder/access.log"; then
  tell "the log has no other address" false
else
  tell "the log has no other address" true
fi

# The unit's reload command, for this server without a certificate and for one with a certificate.
reload=$(sed -n 's/^ExecReload=//p' Examples/deployment/passkey-server.service)
tell "the unit has a reload command" test -n "$reload"
MAINPID=$plain bash -c "$reload"
tell "a reload without a certificate is reported" waits_for 'no certificate to reload' "$folder/server.log"
tell "the server keeps serving" ask 200 /readyz

cp "$folder/fullchain.pem" "$folder/live.pem"
cp "$folder/key.pem" "$folder/live-key.pem"
"$server" --config "$folder/passkey-server.json" --database "$folder/tls.sqlite" --secret "$folder/tls.secret" \
  --access-log "$folder/tls-access.log" --tls-certificate "$folder/live.pem" --tls-key "$folder/live-key.pem" \
  2>"$folder/tls.log" &
encrypted=$!
processes+=("$encrypted")
waits_for 'serving raxx.app at' "$folder/tls.log" || { cat "$folder/tls.log" >&2; exit 1; }
port=$(sed -n 's|.*https://.*:||p' "$folder/tls.log" | head -n 1)
# trusts CERTIFICATE: succeeds if a client that trusts only this certificate gets a response.
trusts() {
  curl --silent --fail --output /dev/null --cacert "$1" --resolve "raxx.app:$port:127.0.0.1" "https://raxx.app:$port/healthz"
}
make_certificate "$folder/next-key.pem" "$folder/next.pem"
cp "$folder/next.pem" "$folder/live.pem"
MAINPID=$encrypted bash -c "$reload"
tell "a certificate without its key is reported" waits_for 'still using the old certificate' "$folder/tls.log"
tell "the server keeps the old certificate" trusts "$folder/fullchain.pem"
cp "$folder/next-key.pem" "$folder/live-key.pem"
MAINPID=$encrypted bash -c "$reload"
tell "a renewed certificate is read" waits_for 'now using the certificate in' "$folder/tls.log"
tell "the server presents the renewed certificate" trusts "$folder/next.pem"

# systemd checks that the program of the unit exists.
sed "s|/usr/local/bin/passkey-server|$server|" Examples/deployment/passkey-server.service >"$folder/passkey-server.service"
systemd-analyze verify "$folder/passkey-server.service" >"$folder/unit.log" 2>&1 || true
if grep -q 'passkey-server.service' "$folder/unit.log"; then
  cat "$folder/unit.log"
  tell "systemd reports no problem in the unit" false
else
  tell "systemd reports no problem in the unit" true
fi

# The page for a site follows.
if Scripts/lib/try/site.bash; then
  tell "the page for a site works" true
else
  tell "the page for a site works" false
fi

finish
