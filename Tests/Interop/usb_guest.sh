#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs in the virtual machine of Scripts/try uhid: tries the virtual USB key with stock programs.
#
#   usb_guest.sh PASSKEY BROWSER

set -uo pipefail
passkey=$1 browser=$2
here=$(dirname "${BASH_SOURCE[0]}")
pin=123456
node=/dev/hidraw0
cd "$HOME" || exit 1
export SSH_ASKPASS=$PWD/askpass SSH_ASKPASS_REQUIRE=force USER=root

# check NAME TEXT COMMAND…: the command succeeds and prints the text, unless it is empty.
check() {
  local name=$1 text=$2 outcome=passed
  shift 2
  timeout 600 "$@" >log 2>&1 </dev/null || outcome=FAILED
  if [[ -n $text ]]; then grep -qF -- "$text" log || outcome=FAILED; fi
  echo "$outcome  $name"
  if [[ $outcome == FAILED ]]; then sed 's/^/        /' log | tail -n 20; fi
}

with_pin() { setsid -w "$@" < <(printf '%s\n%s\n' "$pin" "$pin"); }
export -f with_pin
export pin

# appears PATH / gone PATH: waits until the file exists, or does not.
appears() { for _ in {1..600}; do if [[ -e $1 ]]; then return; fi; sleep 0.1; done; return 1; }
gone() { for _ in {1..600}; do if [[ ! -e $1 ]]; then return; fi; sleep 0.1; done; return 1; }

printf '#!/bin/sh\necho %s\n' "$pin" >askpass
chmod +x askpass

check "--check finds the kernel's device" 'can be plugged in' "$passkey" authenticator --uhid --check
"$passkey" authenticator --uhid --memory --yes >told 2>&1 &
key=$!
if appears "$node"; then echo 'passed  the kernel shows a hidraw device'; else
  echo 'FAILED  the kernel shows a hidraw device'
  cat told
fi
check "fido2-token lists the key" "$node: vendor=0x1209, product=0x0001" fido2-token -L
check "fido2-token reports its versions" FIDO_2_1 fido2-token -I "$node"
check "fido2-token sets a PIN" '' bash -c "with_pin fido2-token -S $node"
for kind in ecdsa-sk ed25519-sk; do
  check "ssh-keygen makes resident $kind" '' \
    ssh-keygen -q -t "$kind" -N '' -f "$kind" -O resident -O "application=ssh:$kind"
  echo text >text
  check "it signs" '' ssh-keygen -q -Y sign -f "$kind" -n test text
  echo "signer $(cut -d ' ' -f 1,2 "$kind.pub")" >signers
  check "its signature verifies" Good bash -c 'ssh-keygen -Y verify -f signers -I signer -n test -s text.sig <text'
  rm -f text.sig
done
mkdir downloaded
check "ssh-keygen -K downloads the keys" '' bash -c 'cd downloaded && ssh-keygen -q -K -N ""'
check "both keys are there" 2 bash -c 'ls downloaded/*.pub | wc -l'
check "pamu2fcfg registers the user" root: bash -c \
  'setsid -w pamu2fcfg --username root --origin pam://test --appid pam://test >mappings && cat mappings'
mkdir pam.d
echo "auth required pam_u2f.so authfile=$PWD/mappings origin=pam://test appid=pam://test" >pam.d/test
mount --bind pam.d /etc/pam.d
check "pam-u2f signs the user in" 'successfully authenticated' pamtester test root authenticate
umount /etc/pam.d

if $browser; then
  check "Chromium registers and signs in" 'signed in with the USB key' \
    python3 "$here/usb_page.py" "$passkey"
fi

kill "$key"
if gone "$node"; then echo 'passed  the end of the program unplugs the key'; else
  echo 'FAILED  the end of the program unplugs the key'
fi
echo 'the guest is done'
