#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Audits servers of other projects on this machine, each with its profile in Examples/Profiles, and prints the failed checks.
# Lab/Documentation/Audit/Findings.md explains them. Installs the servers below .build/audit-foreign, on ports 18081 to 18084,
# and stops them at the end.
#
#   Scripts/audit foreign [SERVER…]   shop, python-fido2-example, django-otp-webauthn, django-allauth (all)
#
# The reports are written to .build/audit-foreign/reports. The last line is "N passed, N failed": N servers were audited, and N
# could not be started or judged.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
folder=$PWD/.build/audit-foreign
python=$folder/python/bin/python
fido2_version=2.2.1
packages=("webauthn==3.0.1" "fido2==$fido2_version" "flask==3.1.3" "django==5.2.19" "django-otp-webauthn==0.10.3"
  "django-allauth[mfa]==65.21.1" "waitress==3.0.2")

# Each profile with the port of its server.
declare -A port=([shop]=18081 [python-fido2-example]=18082 [django-otp-webauthn]=18083 [django-allauth]=18084)
servers=("$@")
if (($# == 0)); then servers=(shop python-fido2-example django-otp-webauthn django-allauth); fi
for server in "${servers[@]}"; do
  [[ -n ${port[$server]:-} ]] || refuse "unknown server $server"
done

Scripts/setup python3-venv >/dev/null
if [[ $(cat "$folder/installed" 2>/dev/null) != "${packages[*]}" ]]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  python3 -m venv "$folder/python"
  install=("$python" -m pip --quiet --disable-pip-version-check)
  "${install[@]}" install "${packages[@]}"
  # The source archive of python-fido2 has its example server.
  "${install[@]}" download --no-deps --no-binary fido2 --dest "$folder" "fido2==$fido2_version"
  tar -xzf "$folder/fido2-$fido2_version.tar.gz" -C "$folder"
  echo "${packages[*]}" >"$folder/installed"
fi
mkdir -p "$folder/reports"
build passkey
passkey=$programs/passkey

process=
trap 'if [[ -n $process ]]; then kill "$process" 2>/dev/null || true; fi' EXIT

# start SERVER: starts it in the background and sets process.
start() {
  local at=${port[$1]} log=$folder/reports/$1.log
  case $1 in
  shop) "$python" Lab/AuditedServers/shop.py "$at" >"$log" 2>&1 </dev/null & ;;
  python-fido2-example)
    PYTHONPATH=$folder/fido2-$fido2_version/examples/server/server "$python" -c \
      "import server; server.app.run(host='localhost', port=$at)" >"$log" 2>&1 </dev/null &
    ;;
  *) "$python" Lab/AuditedServers/django_site.py "${1#django-}" "$at" >"$log" 2>&1 </dev/null & ;;
  esac
  process=$!
  for _ in {1..300}; do
    # Any response shows that the server runs.
    if curl --silent --output /dev/null "http://localhost:$at/"; then return 0; fi
    if ! kill -0 "$process" 2>/dev/null; then break; fi
    sleep 0.1
  done
  echo "$1 did not start:"
  tail -n 5 "$log"
  return 1
}

for server in "${servers[@]}"; do
  report=$folder/reports/$server
  echo "== $server"
  status=0
  if start "$server"; then
    "$passkey" audit --profile "Examples/Profiles/$server.json" --json --html "$report.html" --sarif "$report.sarif" \
      --junit "$report.xml" "http://localhost:${port[$server]}" >"$report.json" 2>"$report.err" </dev/null || status=$?
    "$python" - "$report.json" <<'END'
import json, sys

report = json.load(open(sys.argv[1]))
for finding in report.get("findings", []):
    if finding["verdict"] == "fail":
        print(f"fail ({finding['severity']})  {finding['id']}: {finding['detail']}")
print(", ".join(f"{count} {name}" for name, count in report.get("summary", {}).items()))
END
  else
    status=1
  fi
  if ((status == 0 || status == 7)); then
    passed=$((passed + 1))
  else
    tail -n 2 "$report.err" || true
    failed=$((failed + 1))
  fi
  kill "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || true
  process=
done
finish
