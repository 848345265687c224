#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries the Debian packages of a release in a bare Debian 12: installs them, signs in at the configured server, upgrades,
# removes, installs again and purges them, and follows Documentation/Site.md in another. Needs root. Prints one line for each
# test; the last line is "N passed, N failed".
#
#   Scripts/try packages [FOLDER]     the files of Scripts/release in FOLDER, or new ones of this checkout

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash
# shellcheck source=Scripts/lib/try/page.bash
source Scripts/lib/try/page.bash
# shellcheck source=Scripts/lib/debian.bash
source Scripts/lib/debian.bash

(($# <= 1)) || refuse "more than one folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
Scripts/setup lintian systemd python3 iproute2 >&2
if (($# == 1)); then
  release=$(cd "$caller" && realpath "$1")
else
  release=$work/release
  ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/key"
  Scripts/release --unreleased --sign-with "$work/key" "$release" >&2
fi
archive=$(basename "$release"/passkey-*-linux-*.tar.gz .tar.gz)
version=${archive#passkey-} version=${version%%-*}
architecture=$(dpkg --print-architecture)
names=(passkey passkey-server passkey-lab)

# The next version, with the same programs.
next=${version%.*}.$((${version##*.} + 1))
mkdir "$work/next"
tar --extract --gzip --file "$release/$archive.tar.gz" --directory "$work"
SOURCE_DATE_EPOCH=$(git show --no-patch --format=%ct HEAD) \
  Scripts/lib/release/packages.bash "$next" "$work/$archive" "$work/next"

root=$work/root
make_debian "$root"
cp --archive "$root" "$work/site"
cp "$release"/*.deb "$work/next"/*.deb "$root/tmp/"
inside() { in_debian "$root" "$@"; }

# install VERSION NAME…: installs packages as a user does.
install() {
  local files=("${@:2}")
  files=("${files[@]/#//tmp/}")
  apt_in_debian "$root" install "${files[@]/%/_$1_$architecture.deb}"
}

is_file() { local file; for file; do [[ -s $root$file ]] || { echo "no $file"; return 1; }; done; }

# contents: the files of the Debian with their owners and modes, and its users, without caches, logs and dpkg's lists.
contents() {
  (cd "$root" && find . \( -path ./proc -o -path ./tmp -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/dpkg \
    -o -path ./var/lib/apt -o -path ./root -o -name '*-' \) -prune -o -printf '%p %y %m %U:%G\n' | sort
  sort etc/passwd etc/group etc/shadow etc/gshadow)
}

# A port that is free now.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
configuration=/etc/passkey-server.json unit=passkey-server.service state=/var/lib/passkey-server

# with_server COMMAND: runs a shell command inside while the server runs as its unit says, but without systemd.
cat >"$root/tmp/with-server" <<'GUEST'
set -eu
export PASSKEY_SERVER=http://127.0.0.1:$1 PASSKEY_ORIGIN=https://example.org PASSKEY_VAULT=/tmp/ada/vault
export PASSKEY_PASSPHRASE="only a test" HOME=/tmp/ada PASSKEY_USER=ada@example.org
mkdir -p /tmp/ada
as_server="setpriv --reuid passkey-server --regid passkey-server --clear-groups"
start=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/passkey-server.service)
$as_server $start >/tmp/server.log 2>&1 &
server=$!
ready() { passkey-server ready --config /etc/passkey-server.json >/dev/null 2>&1; }
for _ in $(seq 100); do
  if ready || ! kill -0 "$server" 2>/dev/null; then break; fi
  sleep 0.1
done
ready || { cat /tmp/server.log; exit 1; }
sh -euc "$2"
kill "$server"
wait "$server"
GUEST
with_server() { inside sh /tmp/with-server "$port" "$1"; }

# verify: the steps of Documentation/Operation.md.
verify() (
  cd "$release"
  printf 'passkey %s\n' "$(cat "$work/key.pub")" >"$work/signers"
  ssh-keygen -Y verify -f "$work/signers" -I passkey -n file -s SHA256SUMS.sig <SHA256SUMS && sha256sum --check SHA256SUMS
)
if [[ -e $work/key ]]; then tell "the signature and the sums are valid" verify; fi
tell "each file has a sum" equals "$(cut -c 67- "$release/SHA256SUMS" | sort)" \
  "$(find "$release" -type f ! -name 'SHA256SUMS*' -printf '%f\n' | sort)"
for name in "${names[@]}"; do
  file=$release/${name}_${version}_$architecture.deb
  tell "lintian has nothing to say about $name" lintian --allow-root --fail-on error,warning "$file"
  tell "$name says what it is" equals "$(dpkg-deb --show --showformat '${Package} ${Version}' "$file")" "$name $version"
done

# What the packages need is there before, so that the comparison shows only what they leave.
for name in passkey passkey-server; do
  apt_in_debian "$root" satisfy "$(dpkg-deb --field "$release/${name}_${version}_$architecture.deb" Depends)"
done
inside dpkg-query --show --showformat '${Package}\n' | sort >"$work/packages-before"
contents >"$work/before"

tell "the packages are installed" install "$version" "${names[@]}"
for name in "${names[@]}"; do
  tell "$name runs" equals "$(inside "$name" --version)" "$name $version"
  tell "each library of $name is there" isnt grep "not found" <(inside ldd "/usr/bin/$name")
  tell "$name has a manual and completions" is_file "/usr/share/man/man1/$name.1.gz" \
    "/usr/share/bash-completion/completions/$name" "/usr/share/zsh/vendor-completions/_$name" \
    "/usr/share/fish/vendor_completions.d/$name.fish"
  tell "bash reads the completions of $name" inside bash -n "/usr/share/bash-completion/completions/$name"
done
tell "dpkg knows each file as it is" equals "$(inside dpkg --verify "${names[@]}" | grep -v /usr/share/)" ""
tell "only the packages came" equals \
  "$(inside dpkg-query --show --showformat '${Package}\n' | sort | comm -13 "$work/packages-before" - | paste --serial --delimiters ' ')" \
  "passkey passkey-lab passkey-server"
tell "the files of Documentation/Site.md are where it says" diff --recursive "$work/$archive/share/doc/Examples/site" \
  "$root$(sed -n 's/^cd //p' Documentation/Site.md)"
tell "the state belongs to the server's user alone" equals \
  "$(inside stat --format '%U:%G %a' "$state")" "passkey-server:passkey-server 700"
tell "the rule for /dev/uhid names a group that exists" inside getent group \
  "$(sed -n 's/.*GROUP="\([^"]*\)".*/\1/p' "$root/lib/udev/rules.d/60-passkey.rules")"
tell "Documentation/VirtualUSBKey.md shows that rule" grep --quiet --line-regexp --fixed-strings \
  "$(tail -n 1 "$root/lib/udev/rules.d/60-passkey.rules")" Documentation/VirtualUSBKey.md
# systemd checks that the program of the unit exists: here, in the archive.
sed "s|/usr/bin/passkey-server|$work/$archive/bin/passkey-server|" "$root/lib/systemd/system/$unit" >"$work/$unit"
tell "systemd reports no problem in the unit" isnt grep "$unit" <(systemd-analyze verify --man=no "$work/$unit" 2>&1)
tell "the unit is confined" systemd-analyze security --offline=true --threshold=20 --root="$root" "$unit"
tell "the settings are a configuration file of the package" equals \
  "$(inside dpkg-query --show --showformat '${Conffiles}' passkey-server | awk '{ print $1 }' | paste --serial)" "$configuration"
tell "the settings are valid" inside passkey-server config check --config "$configuration"

# Documentation/Site.md. apt downloads its packages before, because there is no other network then than loopback.
site=$work/site
cp --parents Documentation/Site.md Scripts/lib/counts.bash Scripts/lib/try/{packages-site,tell,nginx,page}.bash "$site/srv/"
cp "$release"/passkey{,-server}_*.deb "$site/srv/"
echo '127.0.0.1 garden.example' >>"$site/etc/hosts"
page_commands Documentation/Site.md
started=$SECONDS
in_debian "$site" sh -euc "cd /srv; ${blocks[0]/#apt/apt-get -qq --yes --download-only} ./passkey_*.deb curl" \
  >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; stop "apt-get downloads nothing"; }
echo "apt-get downloaded the packages of the page in $((SECONDS - started)) s"
status=0
unshare --net bash -euc 'source Scripts/lib/debian.bash; ip link set lo up; in_debian "$@"' bash \
  "$site" bash /srv/Scripts/lib/try/packages-site.bash 2>&1 | tee "$work/site.log" || status=$?
add "the page for a site" "$status" "$work/site.log"
rm -rf "$site"

# The operator's part.
sed --in-place "s/127.0.0.1:8080/127.0.0.1:$port/" "$root$configuration"
sum=$(sha256sum <"$root$configuration")
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln --symbolic "/lib/systemd/system/$unit" "$root/etc/systemd/system/multi-user.target.wants/$unit"
code=$(inside setpriv --reuid passkey-server --regid passkey-server --clear-groups \
  passkey-server init --json --config "$configuration" ada@example.org 2>"$work/told" |
  sed 's/.*"oneTimeCode":"\([^"]*\)".*/\1/') || cat "$work/told"
tell "the administrator registers and signs in" with_server "passkey register --code '$code' --yes && passkey sign-in --yes && passkey whoami"

tell "the packages are upgraded" install "$next" "${names[@]}"
tell "the new version is installed" equals "$(inside dpkg-query --show --showformat '${Version}' passkey-server)" "$next"
tell "an upgrade keeps the settings" equals "$(sha256sum <"$root$configuration")" "$sum"
tell "the administrator signs in after the upgrade" with_server "passkey sign-in --yes"
tell "an installation can be repeated" inside dpkg-reconfigure passkey passkey-server

tell "the packages are removed" apt_in_debian "$root" remove "${names[@]}"
tell "no program is left" isnt is_file /usr/bin/passkey-server
tell "a removal keeps settings and state" is_file "$configuration" "$state/passkey.sqlite" "$state/passkey.secret"
tell "a removed server can be installed again" install "$next" "${names[@]}"
tell "its administrator can still sign in" with_server "passkey sign-in --yes"

# A log and a private key, as the unit and its comment make them.
inside install -D -m 0640 -g passkey-server /dev/null /etc/passkey-server/privkey.pem
inside install -D -m 0640 -o passkey-server /dev/null /var/log/passkey-server/audit.log
tell "the packages are purged" apt_in_debian "$root" purge "${names[@]}"
contents >"$work/after"
tell "nothing is left behind" diff "$work/before" "$work/after"
tell "no log is left behind" isnt test -e "$root/var/log/passkey-server"
tell "the packages of the first version are installed again" install "$version" "${names[@]}"
tell "and purged" apt_in_debian "$root" purge "${names[@]}"
for name in "${names[@]}"; do
  printf '%s: %s bytes\n' "$name" "$(stat --format %s "$release/${name}_${version}_$architecture.deb")"
done

finish
