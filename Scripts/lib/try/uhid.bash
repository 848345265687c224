#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plugs `passkey authenticator --uhid` into a virtual machine, and tries it with libfido2's tools, ssh-keygen, pam-u2f and
# Chromium, as Debian has them. The last line is "N passed, N failed".
#
#   Scripts/try uhid [--no-browser]
#
# The machine is QEMU with Debian's kernel, which needs no KVM and no disk: its root folder is this machine's, read-only,
# with one folder in memory, where programs write. Everything is emulated, so it takes minutes.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash

browser=true
case ${1:-} in
'') ;;
--no-browser) browser=false ;;
*) refuse "unknown argument $1" ;;
esac

packages=(qemu-system-x86 busybox-static cpio kmod fido2-tools openssh-client pamtester libpam-u2f pamu2fcfg)
if $browser; then packages+=(chromium python3 openssl); fi
Scripts/setup "${packages[@]}" >/dev/null
folder=$PWD/.build/uhid
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build passkey
passkey=$programs/passkey

# The kernel, without installing it.
package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
version=${package#linux-image-}
if [[ ! -e $folder/$version/ready ]]; then
  rm -rf "${folder:?}/$version"
  mkdir -p "$folder/$version"
  (cd "$folder/$version" && apt-get -qq download "$package" 2>/dev/null && dpkg-deb -x ./*.deb . && rm ./*.deb)
  /sbin/depmod -b "$folder/$version" "$version"
  touch "$folder/$version/ready"
fi

# The first programs of the machine: they load modules and change to this machine's root folder.
first=$scratch/first
mkdir -p "$first"/{bin,proc,sys,dev,modules,host}
cp /bin/busybox "$first/bin/busybox"
number=10
for module in virtio_pci 9pnet_virtio 9p hid_generic uhid; do
  while read -r _ path _; do
    [[ $path == *.ko ]] || continue
    name=$(basename "$path")
    if compgen -G "$first/modules/*-$name" >/dev/null; then continue; fi
    cp "$path" "$first/modules/$number-$name"
    number=$((number + 1))
  done < <(/sbin/modprobe --dirname "$folder/$version" --set-version "$version" --show-depends "$module")
done
cat >"$first/init" <<'INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in /modules/*; do
  $b insmod "$module" || echo "try-uhid: error: cannot load $module"
done
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=262144 host /host || $b poweroff -f
$b mount -t tmpfs none /host/mnt
$b mount --move /proc /host/proc
$b mount --move /sys /host/sys
$b mount --move /dev /host/dev
$b ln -s /proc/self/fd /host/dev/fd
$b mkdir -p /host/dev/shm /host/dev/pts
$b mount -t tmpfs none /host/dev/shm
$b mount -t devpts none /host/dev/pts
$b ip link set lo up
set -- $($b cat /host/proc/cmdline | $b sed 's/.* -- //')
HOME=/mnt TMPDIR=/mnt PATH=/usr/sbin:/usr/bin:/sbin:/bin $b chroot /host /bin/bash "$@" 2>&1
$b poweroff -f
INIT
chmod +x "$first/init"
(cd "$first" && find . | cpio --quiet --create --format newc | gzip -1) >"$scratch/first.cpio.gz"

cp Tests/Interop/usb_guest.sh Tests/Interop/usb_page.py "$folder/"
output=$scratch/output
# A guest that hangs ends after half an hour.
timeout 1800 qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -smp 2 -m 2500 -nodefaults -no-user-config \
  -display none -no-reboot -serial stdio \
  -kernel "$folder/$version/boot/vmlinuz-$version" -initrd "$scratch/first.cpio.gz" \
  -append "console=ttyS0 quiet no_timer_check panic=-1 -- $folder/usb_guest.sh $passkey $browser" \
  -fsdev "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap" \
  -device virtio-9p-pci,fsdev=host,mount_tag=host \
  -object rng-random,id=random,filename=/dev/urandom -device virtio-rng-pci,rng=random </dev/null |
  sed --unbuffered 's/\r$//' | tee "$output"

passed=$(grep -c '^passed  ' "$output" || true)
failed=$(grep -c '^FAILED  ' "$output" || true)
if ! grep -q '^the guest is done$' "$output"; then
  echo "try-uhid: error: the virtual machine stopped early" >&2
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
