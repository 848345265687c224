#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rehearses the migration of a relying party from ES256 to ML-DSA, as in Documentation/PostQuantum.md: `passkey-server` on a
# local port, and devices of `passkey`. Prints each command, and at the end the sizes of each algorithm.
#
#   Scripts/demo --post-quantum [--no-build]
#
#   --no-build    run the existing build

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

(($# == 0)) || [[ $# == 1 && $1 == --no-build ]] || refuse "unknown argument $1"
if (($# == 0)); then
  Scripts/setup curl python3
  build passkey passkey-server
fi
PATH=$PWD/$builds/debug:$PATH

# All files are in one folder, which is deleted on every exit.
place=$(mktemp -d)
server=
end_server() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  [[ -z $server ]] || wait "$server" 2>/dev/null || true
  server=
}
trap 'end_server; rm -rf "$place"' EXIT
cd "$place"

# serve ALGORITHM…: starts the server on the same database. Without algorithms, it requests its default ones.
serve() {
  end_server
  : >server.log
  passkey-server --listen 127.0.0.1:0 --access-log access.log --ceremonies-per-minute 1000 --ceremonies-per-account 1000 \
    "${@/#/--algorithm=}" >server.log 2>&1 &
  server=$!
  for _ in {1..600}; do
    grep --quiet "serving raxx.app at" server.log && break
    kill -0 "$server" 2>/dev/null || stop "the server did not start: $(tail -n 3 server.log)"
    sleep 0.1
  done
  PASSKEY_SERVER=http://127.0.0.1:$(sed -n 's/.*serving raxx.app at .*://p' server.log)
  export PASSKEY_SERVER
  printf '\n== passkey-server %s\n' "${*/#/--algorithm }"
}

# show WORDS EXPECTED COMMAND: prints a command and runs it; fails unless its exit code is EXPECTED.
show() {
  local status=0
  printf '\n# %s\n$ %s\n' "$1" "$3"
  bash -c "set -o pipefail; $3" </dev/null 2>&1 || status=$?
  ((status == 0)) || printf '[%s]\n' "$status"
  ((status == $2)) || stop "exit code $status, expected $2"
}

export PASSKEY_ORIGIN=https://raxx.app PASSKEY_PASSPHRASE="only a rehearsal" XDG_STATE_HOME=$place/state
new="--yes --vault-cost test"

serve
show "Ada has a passkey with ES256" 0 "passkey register --user ada@raxx.app --vault old --algorithm ES256 $new"
show "a device that has only ML-DSA finds no algorithm that it knows, exit code 5" 5 \
  "passkey register --user bob@raxx.app --vault bob --algorithm ML-DSA-65 $new"

serve ML-DSA-65 ML-DSA-87 ML-DSA-44 ES256
show "Ada's passkey still works" 0 "passkey sign-in --user ada@raxx.app --vault old --yes"
show "a device without ML-DSA still registers" 0 "passkey register --user carol@raxx.app --vault carol --algorithm ES256 $new"
show "a device with every algorithm takes the first one" 0 \
  "passkey register --user bob@raxx.app --vault bob $new && passkey keys list --vault bob | grep ML-DSA-65"

# ES256 is added like the others, to compare the sizes.
for algorithm in ES256 ML-DSA-44 ML-DSA-65 ML-DSA-87; do
  show "Ada adds a passkey with $algorithm, which the old one confirms" 0 \
    "passkey sign-in --user ada@raxx.app --vault old --yes >/dev/null &&
  passkey request POST /api/auth/add-passkey/options --vault old --yes >options &&
  passkey create --vault $algorithm --algorithm $algorithm --origin $PASSKEY_ORIGIN $new options >registration-$algorithm &&
  passkey request POST /api/auth/add-passkey/verify --data @registration-$algorithm >added-$algorithm"
  show "sign in with it" 0 "passkey sign-in --user ada@raxx.app --vault $algorithm --yes"
  # The same exchange in a file, to count its bytes.
  curl --silent --fail --json '{}' "$PASSKEY_SERVER/api/auth/login/options" >options
  passkey get --vault "$algorithm" --origin "$PASSKEY_ORIGIN" --yes options >sign-in-$algorithm
done

old=$(passkey keys list --vault old --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["id"])')
show "Ada deletes the old passkey, confirmed with a new one" 0 \
  "passkey request DELETE /api/auth/credentials/$old --vault ML-DSA-65 --yes"
show "the list of passkeys has the signal for the providers" 0 "passkey request GET /api/auth/credentials --vault ML-DSA-65 |
  python3 -c 'import json, sys; print(len(json.load(sys.stdin)[\"signal\"][\"allAcceptedCredentialIds\"]), \"passkeys accepted\")'"
show "the old passkey is refused, exit code 4" 4 "passkey sign-in --vault old --yes"

serve ML-DSA-65 ML-DSA-87 ML-DSA-44
show "passkeys with ES256 still work" 0 "passkey sign-in --user carol@raxx.app --vault carol --yes"
show "but new ones are not accepted, exit code 5" 5 \
  "passkey register --user dan@raxx.app --vault dan --algorithm ES256 $new"
end_server

printf '\n== sizes in bytes\n'
python3 - <<'PYTHON'
import base64
import json
import sqlite3

database = sqlite3.connect("passkey.sqlite")
print(f"{'':10} {'public key':>11} {'registration':>13} {'signature':>10} {'sign-in':>8} {'in SQLite':>10}")
for algorithm in ("ES256", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"):
    registration = open(f"registration-{algorithm}", "rb").read().strip()
    sign_in = open(f"sign-in-{algorithm}", "rb").read().strip()
    decode = lambda text: base64.urlsafe_b64decode(text + "==")
    identifier = decode(json.loads(registration)["id"])
    row = database.execute("SELECT * FROM passkeys WHERE id = ?", (identifier,)).fetchone()
    stored = sum(len(value) if isinstance(value, (bytes, str)) else 8 for value in row if value is not None)
    # Behind the RP ID's hash, flags, counter, AAGUID and the id of the credential.
    data = decode(json.loads(registration)["response"]["authenticatorData"])
    key = len(data) - 55 - len(identifier)
    signature = len(decode(json.loads(sign_in)["response"]["signature"]))
    print(f"{algorithm:10} {key:11,} {len(registration):13,} {signature:10,} {len(sign_in):8,} {stored:10,}")
PYTHON
printf '\npost-quantum: done in %s s\n' "$SECONDS"
