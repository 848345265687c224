# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by scripts that try programs in a bare Debian 12, which lies in a folder. They need root.

# make_debian FOLDER: makes a Debian with the required packages and apt. The first one of a day is kept in .build/debian.
make_debian() {
  ((EUID == 0)) || stop "a Debian in a folder needs root"
  Scripts/setup debootstrap >/dev/null
  local kept
  kept=.build/debian/bookworm-$(dpkg --print-architecture)-$(date +%F).tar
  if [[ ! -e $kept ]]; then
    rm -rf .build/debian
    mkdir -p .build/debian
    debootstrap --variant=minbase bookworm .build/debian/root >.build/debian/log 2>&1 ||
      { tail -n 5 .build/debian/log >&2; stop "debootstrap failed"; }
    tar --create --directory .build/debian/root --file "$kept" .
    rm -rf .build/debian/root
  fi
  mkdir -p "$1"
  tar --extract --directory "$1" --file "$kept"
  cp /etc/resolv.conf /etc/hosts "$1/etc/"
  if ! in_debian "$1" apt-get -qq update >"$1/tmp/apt.log" 2>&1; then
    cat "$1/tmp/apt.log" >&2
    stop "apt-get update failed in the Debian of the test"
  fi
}

# in_debian FOLDER COMMAND…: runs a command there as root, with /proc. Its processes end with it.
in_debian() {
  local root=$1
  shift
  env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    unshare --mount --pid --fork --kill-child --root "$root" --wd / --mount-proc -- "$@" </dev/null
}

# apt_in_debian FOLDER ARGUMENT…: runs apt-get there, without recommended packages. Prints nothing unless it fails.
apt_in_debian() {
  local root=$1 log
  shift
  log=$(in_debian "$root" apt-get -qq --yes --no-install-recommends "$@" 2>&1) || { printf '%s\n' "$log" >&2; return 1; }
}
