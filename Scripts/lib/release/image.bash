#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the OCI image of passkey-server: the program, the libraries that it loads, from Debian's packages of today, the
# certificate authorities and the time zones. It has no shell and no package manager.
#
#   Scripts/lib/release/image.bash VERSION TREE FOLDER LIST
#
# Writes the packages, a line of name and version each, to the file LIST. SOURCE_DATE_EPOCH is the time of every file.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$1 tree=$(realpath "$2") folder=$(realpath "$3") list=$(realpath "$4")
program=$tree/bin/passkey-server
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

stop() {
  printf 'image: error: %s\n' "$1" >&2
  exit 1
}

# owner FILE: prints the package of a file. dpkg knows files by their path before or after /usr was merged.
owner() {
  local path
  for path in "$1" "$(realpath "$1")" "${1#/usr}"; do
    if dpkg-query --search "$path" 2>/dev/null | cut -d : -f 1; then return; fi
  done
  stop "no package has $1"
}

mapfile -t libraries < <(ldd "$program" | grep -oE '/[^ ]+' | sort -u)
mapfile -t packages < <({ for library in "${libraries[@]}"; do owner "$library"; done; echo ca-certificates; echo tzdata; } | sort -u)
mkdir "$work/debs" "$work/unpacked"
# unpack PACKAGE…: fetches packages and unpacks them.
unpack() {
  mkdir "$work/fetched"
  (cd "$work/fetched" && apt-get -qq download "$@" 2>"$work/apt.log") ||
    { cat "$work/apt.log" >&2; stop "the packages of the libraries cannot be fetched; try apt-get update"; }
  for package in "$work"/fetched/*.deb; do dpkg-deb --extract "$package" "$work/unpacked"; done
  mv "$work"/fetched/*.deb "$work/debs/"
  rmdir "$work/fetched"
}
unpack "${packages[@]}"
# Some packages have their copyright file in another one.
mapfile -t others < <(find "$work/unpacked/usr/share/doc" -maxdepth 1 -type l -printf '%l\n' | sort -u)
if ((${#others[@]} > 0)); then unpack "${others[@]}"; fi

# The layer of Debian's files.
base=$work/base
mkdir -p "$base"/{usr/lib,usr/lib64,usr/bin,etc/ssl/certs,tmp,var/lib/dpkg/status.d,var/lib/passkey-server}
for link in bin lib lib64; do ln -s "usr/$link" "$base/$link"; done
for package in "$work"/debs/*.deb; do
  name=$(dpkg-deb --field "$package" Package)
  printf '%s %s\n' "$name" "$(dpkg-deb --field "$package" Version)" >>"$list"
  # Scanners find the packages of an image without dpkg here.
  dpkg-deb --field "$package" >"$base/var/lib/dpkg/status.d/$name"
  install -D --mode=644 "$work/unpacked/usr/share/doc/$name/copyright" "$base/usr/share/doc/$name/copyright"
done
for library in "${libraries[@]}"; do
  place=${library#/usr}
  found=$work/unpacked$place
  [[ -e $found ]] || found=$work/unpacked/usr$place
  [[ -e $found ]] || stop "the packages have no $library"
  install -D --mode=755 "$found" "$base/usr$place"
done
cat "$work"/unpacked/usr/share/ca-certificates/mozilla/*.crt >"$base/etc/ssl/certs/ca-certificates.crt"
# The names with a capital are zones.
mkdir "$base/usr/share/zoneinfo"
cp --archive "$work"/unpacked/usr/share/zoneinfo/[A-Z]* "$base/usr/share/zoneinfo/"
cat >"$base/etc/passwd" <<'USERS'
root:x:0:0:root:/:/usr/sbin/nologin
passkey-server:x:65532:65532:passkey-server:/var/lib/passkey-server:/usr/sbin/nologin
USERS
printf 'root:x:0:\npasskey-server:x:65532:\n' >"$base/etc/group"
printf 'hosts: files dns\n' >"$base/etc/nsswitch.conf"

# The layer of the program.
install -D --mode=755 "$program" "$work/program/usr/bin/passkey-server"
install -D --mode=644 "$here/debian/copyright" "$work/program/usr/share/doc/passkey-server/copyright"

python3 "$here/image.py" "$version" "$(git -C "$here" rev-parse HEAD)" "$SOURCE_DATE_EPOCH" \
  "$folder/passkey-server-$version-linux-$(uname -m).oci.tar" "$base" "$work/program"
