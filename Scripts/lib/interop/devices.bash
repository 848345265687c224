#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests `passkey authenticator` with other projects' programs: libfido2's tools, ssh-keygen, pam-u2f and nitropy. They see a
# USB key: the preloaded Tests/Interop/hidraw_socket.c presents a hidraw device whose reports travel over a Unix socket.
# The last line is "N passed, N failed".
#
#   Scripts/interop devices [--short]
#   --short    only ES256 and EdDSA, and fewer combinations of options
# Each step prints a line, and a failed one the program's output. A program that cannot be installed is an error; nothing
# is skipped.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

short=false
case ${1:-} in
'') ;;
--short) short=true ;;
*) refuse "unknown argument $1" ;;
esac

Scripts/setup fido2-tools openssh-client pamtester libpam-u2f pamu2fcfg gcc util-linux python3-venv >/dev/null
# shellcheck source=Scripts/lib/interop/environment.bash
source Scripts/lib/interop/environment.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash

shim=$scratch/hidraw_socket.so
cc -Wall -Wextra -Werror -O1 -shared -fPIC -o "$shim" Tests/Interop/hidraw_socket.c -ldl
# nitropy, Nitrokey's program, with the library versions that it requires.
nitropy_version=0.14.1
if [[ $(cat "$folder/nitropy/installed" 2>/dev/null) != "$nitropy_version" ]]; then
  rm -rf "$folder/nitropy"
  python3 -m venv "$folder/nitropy"
  "$folder/nitropy/bin/python" -m pip --quiet --disable-pip-version-check install "pynitrokey==$nitropy_version"
  echo "$nitropy_version" >"$folder/nitropy/installed"
fi

node=/dev/hidraw-passkey
pin=123456
device_process=

# MARK: The key

# plug_in: starts a new key in factory state, whose user confirms every touch.
plug_in() {
  pull_out
  rm -f "$scratch"/vault* "$scratch/told"
  export PASSKEY_HID_SOCKET=$scratch/key
  "$passkey" authenticator --unix "$PASSKEY_HID_SOCKET" --hid --yes --no-passphrase --vault "$scratch/vault" \
    --vault-cost test >"$scratch/told" 2>&1 &
  device_process=$!
  for _ in {1..600}; do
    if grep -qs listening "$scratch/told"; then return; fi
    kill -0 "$device_process" 2>/dev/null || break
    sleep 0.1
  done
  cat "$scratch/told" >&2
  echo "interop-devices: error: cannot start the key" >&2
  exit 1
}

pull_out() {
  if [[ -z $device_process ]]; then return; fi
  kill "$device_process" 2>/dev/null || true
  wait "$device_process" 2>/dev/null || true
  device_process=
}
trap 'pull_out; rm -rf "$scratch"' EXIT

# with_key COMMAND…: without a terminal, so that PINs are read from standard input.
with_key() {
  LD_PRELOAD=$shim timeout 120 setsid -w "$@"
}

# with_pin PIN COMMAND…: the same, with the PIN on standard input for each possible prompt.
with_pin() {
  local typed=$1
  shift
  with_key "$@" < <(printf '%s\n%s\n%s\n' "$typed" "$typed" "$typed")
}

# MARK: Steps

report() {
  local outcome=$1 name=$2
  echo "$outcome  $name"
  if [[ $outcome == passed ]]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    sed 's/^/        /' "$scratch/log" | tail -n 20
  fi
}

# check NAME COMMAND…: the command succeeds.
check() {
  local name=$1 outcome=passed
  shift
  "$@" >"$scratch/log" 2>&1 </dev/null || outcome=FAILED
  report "$outcome" "$name"
}

# refuse NAME COMMAND…: the command fails.
refuse() {
  local name=$1 outcome=passed
  shift
  if "$@" >"$scratch/log" 2>&1 </dev/null; then outcome=FAILED; fi
  report "$outcome" "$name"
}

# prints NAME TEXT COMMAND…: the command succeeds and prints the text.
prints() {
  local name=$1 text=$2 outcome=passed
  shift 2
  "$@" >"$scratch/log" 2>&1 </dev/null || outcome=FAILED
  grep -qF -- "$text" "$scratch/log" || outcome=FAILED
  report "$outcome" "$name"
}

# MARK: libfido2's tools

random_line() { head -c "${1:-32}" /dev/urandom | base64 -w 0; echo; }

# make NAME TYPE OPTIONS [PIN]: makes a credential in $scratch/NAME.
make() {
  local name=$1 type=$2 options=$3 typed=${4:-}
  { random_line; echo "$name.example"; echo "$name"; random_line 16; } >"$scratch/$name.in"
  # shellcheck disable=SC2086  # The options are several words.
  with_pin "$typed" fido2-cred -M $options -i "$scratch/$name.in" -o "$scratch/$name.made" "$node" "$type"
}

# verify NAME TYPE OPTIONS: verifies its attestation, and keeps its public key and its id.
verify() {
  local name=$1 type=$2 options=$3
  # shellcheck disable=SC2086
  fido2-cred -V $options -i "$scratch/$name.made" -o "$scratch/$name.out" "$type"
  head -n 1 "$scratch/$name.out" >"$scratch/$name.id"
  tail -n +2 "$scratch/$name.out" >"$scratch/$name.pem"
}

# sign NAME TYPE OPTIONS [PIN]: gets an assertion and verifies it.
sign() {
  local name=$1 type=$2 options=$3 typed=${4:-} judged=''
  {
    random_line
    echo "$name.example"
    if [[ " $options " != *" -r "* ]]; then cat "$scratch/$name.id"; fi
    if [[ " $options " == *" -h "* ]]; then random_line; fi
  } >"$scratch/$name.request"
  # shellcheck disable=SC2086
  with_pin "$typed" fido2-assert -G $options -i "$scratch/$name.request" -o "$scratch/$name.signed" "$node" || return
  for option in -h -p -v; do
    if [[ " $options " == *" $option "* ]]; then judged+=" $option"; fi
  done
  # shellcheck disable=SC2086
  fido2-assert -V $judged -i "$scratch/$name.signed" "$scratch/$name.pem" "$type"
}

# ceremonies TYPE MAKE-OPTIONS [PIN]: makes a credential, and every kind of assertion with it.
ceremonies() {
  local type=$1 options=$2 typed=${3:-} name judged='' label option
  name=c$((passed + failed))
  label="libfido2, $type, made with${options:+ $options}${typed:+ and the PIN}"
  for option in -h -v; do
    if [[ " $options " == *" $option "* ]]; then judged+=" $option"; fi
  done
  if [[ $options == *-c\ * ]]; then judged+=" -c ${options##*-c }"; fi
  check "$label" make "$name" "$type" "$options" "$typed"
  check "$label: its attestation verifies" verify "$name" "$type" "$judged"
  local assertions=('' '-p' '-p -h')
  if [[ " $options " == *" -r "* ]]; then assertions+=('-r -p' '-r -p -h'); fi
  if [[ -n $typed ]]; then assertions+=('-v' '-v -p -h'); fi
  # credProtect level 3 requires user verification (CTAP 2.3 §12.1).
  if [[ $options == *'-c 3'* ]]; then assertions=('-v' '-v -p -h'); fi
  if [[ $options == *'-u'* ]]; then assertions=('-u' '-u -p'); fi
  for option in "${assertions[@]}"; do
    check "$label: asserts with ${option:-no option}" sign "$name" "$type" "$option" "$typed"
  done
}

types=(es256 eddsa rs256)
plain=('' '-r' '-h' '-r -h' '-c 1' '-c 2')
verified=('-v' '-r -v' '-h -v' '-r -h -v' '-v -c 2' '-v -c 3' '-r -v -c 3')
if $short; then
  types=(es256 eddsa)
  plain=('' '-r -h')
  verified=('-v' '-r -h -v' '-v -c 3')
fi

libfido2() {
  local type options
  plug_in
  prints "fido2-token lists the key" "$node: vendor=0x1209" with_key fido2-token -L
  prints "fido2-token -I reports the prototype commands" 'FIDO_2_1_PRE' with_key fido2-token -I "$node"
  for type in "${types[@]}"; do
    for options in "${plain[@]}"; do ceremonies "$type" "$options"; done
  done
  ceremonies es256 -u

  check "fido2-token -S sets a PIN" with_pin "$pin" fido2-token -S "$node"
  refuse "fido2-token -L -r rejects a wrong PIN" with_pin 654321 fido2-token -L -r "$node"
  for type in "${types[@]}"; do
    for options in "${verified[@]}"; do ceremonies "$type" "$options" "$pin"; done
  done
}

management() {
  local id hash user
  check "fido2-cred makes a discoverable credential" make kept es256 '-r -v' "$pin"
  check "its attestation verifies" verify kept es256 -v
  prints "fido2-token -L -r lists relying parties" kept.example with_pin "$pin" fido2-token -L -r "$node"
  prints "fido2-token -L -k lists the credentials" "$(cat "$scratch/kept.id")" \
    with_pin "$pin" fido2-token -L -k kept.example "$node"
  prints "fido2-token -I -c reports their number" 'existing rk(s): ' with_pin "$pin" fido2-token -I -c "$node"
  id=$(cat "$scratch/kept.id")
  user=$(sed -n 4p "$scratch/kept.in")
  prints "fido2-token -I -k -i prints one credential's key" 'BEGIN PUBLIC KEY' \
    with_pin "$pin" fido2-token -I -k kept.example -i "$id" "$node"
  check "fido2-token -S -c renames its user" \
    with_pin "$pin" fido2-token -S -c -i "$id" -k "$user" -n renamed -p Renamed "$node"
  prints "fido2-token -L -k prints the new name" 'Renamed' with_pin "$pin" fido2-token -L -k kept.example "$node"

  # Large blobs.
  check "fido2-cred makes a credential with a large-blob key" make blob es256 '-r -v -b' "$pin"
  check "its attestation verifies" verify blob es256 -v
  hash=$(cat "$scratch/blob.id")
  head -c 3000 /dev/urandom >"$scratch/large"
  check "fido2-token -S -b writes a large blob" \
    with_pin "$pin" fido2-token -S -b -n blob.example -i "$hash" "$scratch/large" "$node"
  # libfido2 1.12 cannot name the owner of blobs that it compressed itself.
  prints "fido2-token -L -b lists it" '00: ' with_pin "$pin" fido2-token -L -b "$node"
  check "fido2-token -G -b reads it" \
    with_pin "$pin" fido2-token -G -b -n blob.example -i "$hash" "$scratch/read" "$node"
  check "the blob is unchanged" cmp "$scratch/large" "$scratch/read"
  check "fido2-token -D -b deletes it" with_pin "$pin" fido2-token -D -b -n blob.example -i "$hash" "$node"
  refuse "fido2-token -G -b does not find it" \
    with_pin "$pin" fido2-token -G -b -n blob.example -i "$hash" "$scratch/gone" "$node"

  # Fingers.
  check "fido2-token -S -e enrolls a finger" with_pin "$pin" fido2-token -S -e "$node"
  prints "fido2-token -L -e lists it" '00: ' with_pin "$pin" fido2-token -L -e "$node"
  id=$(sed -n 's/.*00: \([^ ]*\).*/\1/p' "$scratch/log")
  check "fido2-token -S -e names it" with_pin "$pin" fido2-token -S -e -i "$id" -n thumb "$node"
  prints "fido2-token -L -e prints its name" 'thumb' with_pin "$pin" fido2-token -L -e "$node"
  check "fido2-token -D -e removes it" with_pin "$pin" fido2-token -D -e -i "$id" "$node"

  # Settings.
  check "fido2-token -S -u enables alwaysUv" with_pin "$pin" fido2-token -S -u "$node"
  prints "fido2-token -I reports it" ' alwaysUv' with_key fido2-token -I "$node"
  check "fido2-token -D -u disables alwaysUv" with_pin "$pin" fido2-token -D -u "$node"
  check "fido2-token -S -a enables enterprise attestation" with_pin "$pin" fido2-token -S -a "$node"
  check "fido2-token -S -l sets the minimum PIN length" with_pin "$pin" fido2-token -S -l 6 "$node"
  check "fido2-token -D -i deletes a credential" with_pin "$pin" fido2-token -D -i "$(cat "$scratch/kept.id")" "$node"
  refuse "the deleted credential does not sign" sign kept es256 '-r -p' "$pin"
  check "fido2-token -S -f forces a PIN change" with_pin "$pin" fido2-token -S -f "$node"
  refuse "fido2-token -L -r rejects the old PIN" with_pin "$pin" fido2-token -L -r "$node"
  check "fido2-token -C changes the PIN" change_pin "$pin" 2468135
  check "fido2-token -L -r accepts the new PIN" with_pin 2468135 fido2-token -L -r "$node"
  check "fido2-token -R resets the key" with_key fido2-token -R "$node"
  prints "the key has no PIN after a reset" 'noclientPin' with_key fido2-token -I "$node"
}

change_pin() { with_key fido2-token -C "$node" < <(printf '%s\n%s\n%s\n' "$1" "$2" "$2"); }

# MARK: OpenSSH

# ssh TYPE [OPTION…]: makes a key of this type in $scratch/ssh.
generate() {
  local type=$1
  shift
  rm -f "$scratch/ssh" "$scratch/ssh.pub"
  with_key ssh-keygen -q -t "$type" -N '' -f "$scratch/ssh" -w internal "$@"
}

sign_file() {
  echo text >"$scratch/text"
  rm -f "$scratch/text.sig"
  with_key ssh-keygen -q -Y sign -f "$scratch/ssh" -n interop -w internal "$scratch/text"
  echo "signer $(cut -d ' ' -f 1,2 "$scratch/ssh.pub")" >"$scratch/signers"
  ssh-keygen -q -Y verify -f "$scratch/signers" -I signer -n interop -s "$scratch/text.sig" <"$scratch/text"
}

openssh() {
  local kinds=(ecdsa-sk ed25519-sk) kind
  # ssh-keygen asks for PINs through this program.
  printf '#!/bin/sh\necho %s\n' "$pin" >"$scratch/askpass"
  chmod +x "$scratch/askpass"
  export SSH_ASKPASS=$scratch/askpass SSH_ASKPASS_REQUIRE=force
  plug_in
  for kind in "${kinds[@]}"; do
    check "ssh-keygen makes $kind" generate "$kind"
    check "it signs" sign_file
    check "ssh-keygen makes $kind without touch" generate "$kind" -O no-touch-required
    check "it signs" sign_file
  done
  check "fido2-token -S sets a PIN" with_pin "$pin" fido2-token -S "$node"
  for kind in "${kinds[@]}"; do
    check "ssh-keygen makes resident $kind" generate "$kind" -O resident -O application="ssh:$kind"
    check "it signs" sign_file
    check "ssh-keygen makes $kind with verify-required" generate "$kind" -O verify-required
    check "it signs" sign_file
  done
  mkdir "$scratch/downloaded"
  check "ssh-keygen -K downloads resident keys" download
  check "both keys were downloaded" test "$(find "$scratch/downloaded" -name '*.pub' | wc -l)" = 2
  for key in "$scratch"/downloaded/*.pub; do
    [[ -e $key ]] || continue
    cp "$key" "$scratch/ssh.pub"
    cp "${key%.pub}" "$scratch/ssh"
    check "$(basename "${key%.pub}") signs" sign_file
  done
  unset SSH_ASKPASS SSH_ASKPASS_REQUIRE
}

download() { (cd "$scratch/downloaded" && with_key ssh-keygen -q -K -N '' -w internal); }

# MARK: pam-u2f

pam() {
  local service=$1
  mkdir -p "$scratch/pam.d"
  echo "auth required pam_u2f.so authfile=$scratch/mappings cue origin=pam://interop appid=pam://interop $2" \
    >"$scratch/pam.d/$service"
  # Mounts the configuration over the system's folder in a private namespace; pamtester has no option for another folder.
  # shellcheck disable=SC2016  # The inner shell expands it.
  LD_PRELOAD='' unshare --mount --map-root-user bash -c \
    'mount --bind "$1/pam.d" /etc/pam.d && LD_PRELOAD=$2 timeout 120 setsid -w pamtester "$3" "$4" authenticate' \
    _ "$scratch" "$shim" "$service" "$USER_NAME" < <(printf '%s\n' "$pin")
}

pam_u2f() {
  export USER_NAME=root
  plug_in
  check "pamu2fcfg registers" register_for_pam
  check "pam_u2f authenticates the user" pam interop ''
  check "pamu2fcfg registers a resident key" register_for_pam -r
  check "pam_u2f authenticates the user" pam interop ''
  check "fido2-token -S sets a PIN" with_pin "$pin" fido2-token -S "$node"
  check "pamu2fcfg registers with the PIN" register_for_pam -N
  check "pam_u2f asks for the PIN and authenticates the user" pam interop 'pinverification=1'
  plug_in
  refuse "pam_u2f refuses a key that was not registered" pam interop ''
}

register_for_pam() {
  with_pin "$pin" pamu2fcfg -u "$USER_NAME" -o pam://interop -i pam://interop "$@" >"$scratch/mappings"
  test -s "$scratch/mappings"
}

# MARK: nitropy

nitropy() { with_pin "$pin" "$folder/nitropy/bin/nitropy" fido2 "$@" 2>&1; }

# make_with_nitropy FILE [OPTION…]: writes the new credential's id to the file.
make_with_nitropy() {
  local file=$1
  shift
  nitropy make-credential "$@" | tee "$scratch/printed"
  grep -oE '^[0-9a-f]{60,}$' "$scratch/printed" >"$file"
}

respond_with_nitropy() {
  nitropy challenge-response "$(cat "$scratch/nitropy.id")" "$2" | tee "$scratch/printed"
  grep -oE '^[0-9a-f]{64}$' "$scratch/printed" >"$1"
}

nitropy_too() {
  # nitropy accepts only keys of its manufacturer.
  export PASSKEY_HID_ID=20a0:42b1 ALLOW_ROOT=1
  plug_in
  prints "nitropy lists the key" 'passkey authenticator' nitropy list
  prints "nitropy reads the versions" FIDO_2_3 nitropy get-info
  check "nitropy makes the key wink" nitropy wink
  check "fido2-token -S sets a PIN" with_pin "$pin" fido2-token -S "$node"
  check "nitropy makes a credential" make_with_nitropy "$scratch/nitropy.id"
  check "nitropy computes an HMAC for a challenge" respond_with_nitropy "$scratch/first" hello
  check "nitropy computes it again" respond_with_nitropy "$scratch/second" hello
  check "both results are equal" cmp "$scratch/first" "$scratch/second"
  check "nitropy makes a resident credential" make_with_nitropy "$scratch/nitropy.id" --resident-key required
  prints "nitropy lists it" 'There are 1 registered credentials' nitropy list-credentials --pin "$pin"
  check "nitropy deletes it" nitropy delete-credential --pin "$pin" --cred-id "$(cat "$scratch/nitropy.id")"
  prints "nitropy lists none" 'no registered credentials' nitropy list-credentials --pin "$pin"
  check "nitropy resets the key" nitropy reset -y
  unset PASSKEY_HID_ID ALLOW_ROOT
}

# MARK: Run

libfido2
management
openssh
pam_u2f
nitropy_too

pull_out
refuse "the socket is gone with the key" test -e "$scratch/key"

finish
