#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries the OCI image of a release: skopeo reads it, umoci unpacks it, and crun runs it on its read-only root as the image's
# user without capabilities, where only the volume is writable. podman loads it and runs it too. Needs root. Prints one line
# for each test; the last line is "N passed, N failed".
#
#   Scripts/try image [FOLDER]     the files of Scripts/release in FOLDER, or new ones of this checkout

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash

(($# <= 1)) || refuse "more than one folder"
((EUID == 0)) || stop "the container needs root"
# The mounts of this script, and of the container engines, end with it.
if [[ -z ${TRY_HAS_MOUNTS:-} ]]; then
  cd "$caller"
  TRY_HAS_MOUNTS=1 exec unshare --mount --propagation private "$script_file" "$@"
fi
work=$(mktemp -d)
container='' podman=''
end() {
  if [[ -n $container ]]; then crun delete --force "$container" 2>/dev/null || true; fi
  if [[ -n $podman ]]; then podman rm --all --force >/dev/null 2>&1 || true; fi
  umount --recursive --quiet "$work/podman" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM
Scripts/setup skopeo umoci crun podman jq python3 >&2
release=${1:+$(cd "$caller" && realpath "$1")}
if [[ -z $release ]]; then
  release=$work/release
  Scripts/release --unreleased "$release" >&2
fi
image=$(echo "$release"/*.oci.tar)
tar --extract --gzip --file "$(echo "$release"/passkey-*-linux-*.tar.gz)" --directory "$work"
PATH=$(echo "$work"/passkey-*/bin):$PATH
version=$(passkey-server --version) version=${version#* }
# crun wants one hierarchy of control groups, or none.
umount --recursive --lazy /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup

# At most 60 MB, compressed.
limit=60000000
tell "the image is at most $limit bytes" test "$(stat --format %s "$image")" -le "$limit"
tell "skopeo reads it" skopeo inspect --config "oci-archive:$image"
# With the health check, which OCI's tools leave out.
config=$(skopeo inspect --raw "oci-archive:$image" | jq --raw-output '.config.digest | sub(":"; "/")')
tar --extract --to-stdout --file "$image" "blobs/$config" >"$work/config.json"
setting() { jq --raw-output "$1" "$work/config.json"; }
tell "its user is not root" equals "$(setting .config.User)" 65532:65532
tell "its state is a volume" equals "$(setting '.config.Volumes | keys[]')" /var/lib/passkey-server
tell "its labels name version and commit" equals "$(setting '.config.Labels | ."org.opencontainers.image.version" + " " + ."org.opencontainers.image.revision"')" \
  "$version $(git rev-parse HEAD)"
skopeo --insecure-policy copy --quiet "oci-archive:$image" "oci:$work/layout:$version"
tell "umoci unpacks it" umoci unpack --image "$work/layout:$version" "$work/bundle"
root=$work/bundle/rootfs
tell "it has no shell" isnt test -e "$root/bin/sh"
tell "it has the time zones of the mails" test -s "$root/usr/share/zoneinfo/Europe/Berlin"
tell "no program in it changes the user" equals "$(find "$root" -type f -perm /6000)" ""

# run_image NAME ARGUMENT…: runs the image's entry point with these arguments.
state=$work/state
command install --directory --owner=65532 --group=65532 --mode=700 "$state"
cp "$work/bundle/config.json" "$work/unpacked.json"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
run_image() {
  container=$1
  shift
  jq --arg state "$state" --arg listen "PASSKEY_LISTEN=127.0.0.1:$port" --slurpfile image "$work/config.json" '
    .root.readonly = true | .process.terminal = false | .process.capabilities = {} | .process.noNewPrivileges = true
    | .process.args = $image[0].config.Entrypoint + $ARGS.positional
    | .process.env += [$listen, "PASSKEY_RP_ID=example.org", "PASSKEY_ORIGIN=https://example.org", "PASSKEY_TRUSTED_PROXY=127.0.0.1"]
    | .mounts += [{destination: "/var/lib/passkey-server", type: "bind", source: $state, options: ["bind", "rw"]}]
    | .linux.namespaces |= map(select(.type != "network"))' --args "$@" <"$work/unpacked.json" >"$work/bundle/config.json"
  crun --cgroup-manager=disabled run --bundle "$work/bundle" "$container"
}
mapfile -t health < <(setting '.config.Healthcheck.Test[1:][]')
is_ready() { crun --cgroup-manager=disabled exec "$container" "${health[@]}"; }

code=$(run_image "passkey-init-$port" init ada@example.org 2>"$work/init.log") || cat "$work/init.log"
run_image "passkey-serve-$port" serve >"$work/server.log" 2>&1 &
server=$!
container=passkey-serve-$port
for _ in {1..100}; do
  if is_ready 2>/dev/null || ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 0.1
done
tell "its health check succeeds" is_ready
export PASSKEY_SERVER=http://127.0.0.1:$port PASSKEY_ORIGIN=https://example.org PASSKEY_VAULT=$work/vault
export PASSKEY_PASSPHRASE="only a test" PASSKEY_USER=ada@example.org XDG_STATE_HOME=$work/sessions
tell "the administrator of its init registers" passkey register --code "$code" --yes
tell "and signs in" passkey sign-in --yes
tell "the accounts are in the volume" test -s "$state/passkey.sqlite"
crun kill "$container" TERM
status=0
wait "$server" || status=$?
tell "SIGTERM stops it" equals "$status" 0
tell "its log names no fault" isnt grep --ignore-case error "$work/server.log"

# The same with podman, within the limits of any machine.
podman=1
podman() {
  command podman --root "$work/podman/storage" --runroot "$work/podman/run" --storage-driver vfs --cgroup-manager cgroupfs "$@"
}
tell "podman loads it" podman load --quiet --input "$image"
tell "podman knows it by its name" equals "$(podman images --format '{{.Repository}}:{{.Tag}}')" "localhost/passkey-server:$version"
tell "podman runs it on a read-only root" equals "$(podman run --rm --read-only --network none --cgroups disabled \
  --cap-drop all --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "localhost/passkey-server:$version" --version 2>"$work/podman.log" || cat "$work/podman.log")" \
  "passkey-server $version"
echo "the image has $(stat --format %s "$image") bytes, its files $(du --summarize --bytes "$root" | cut -f 1)"
finish
