#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the Debian packages of a release from its archive's folder: passkey, passkey-server and passkey-lab.
#
#   Scripts/lib/release/packages.bash VERSION TREE FOLDER
#
# TREE has bin, share/completions and share/doc. SOURCE_DATE_EPOCH is the time of every file.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$1 tree=$(realpath "$2") folder=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
architecture=$(dpkg --print-architecture)
maintainer=$(git -C "$here" show --no-patch --format='%an <%ae>' HEAD)

# libraries PROGRAM: prints the packages of the libraries that the program needs, with the oldest versions that have its symbols.
mkdir -p "$work/libraries/debian"
printf 'Source: passkey\n' >"$work/libraries/debian/control"
libraries() {
  (cd "$work/libraries" && dpkg-shlibdeps -O --warnings=0 -e "$1" 2>"$work/shlibdeps.log") | sed 's/^shlibs:Depends=//' ||
    { cat "$work/shlibdeps.log" >&2; return 1; }
}

# begin NAME: begins a package with a program, its pages, its completions, and what Debian's policy demands.
begin() {
  package=$1 root=$work/$1
  local documents=$root/usr/share/doc/$1
  mkdir -p "$root"/{DEBIAN,usr/bin} "$root/usr/share"/{man/man1,bash-completion/completions} \
    "$root/usr/share"/{zsh/vendor-completions,fish/vendor_completions.d,lintian/overrides} "$documents"
  cp "$tree/bin/$1" "$root/usr/bin/$1"
  "$tree/bin/$1" manual --output "$root/usr/share/man/man1" >/dev/null
  cp "$tree/share/completions/$1.bash" "$root/usr/share/bash-completion/completions/$1"
  cp "$tree/share/completions/$1.zsh" "$root/usr/share/zsh/vendor-completions/_$1"
  cp "$tree/share/completions/$1.fish" "$root/usr/share/fish/vendor_completions.d/$1.fish"
  cp "$here/debian/copyright" "$documents/copyright"
  cat >"$documents/changelog" <<CHANGELOG
$1 ($version) bookworm; urgency=medium

  * Version $version. CHANGELOG.md in the package passkey lists the changes.

 -- $maintainer  $(LC_ALL=C date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)
CHANGELOG
  for file in "$here/debian/$1".{preinst,postinst,prerm,postrm}; do
    if [[ -e $file ]]; then install --mode=755 "$file" "$root/DEBIAN/${file##*.}"; fi
  done
  if [[ -e $here/debian/$1.lintian-overrides ]]; then
    cp "$here/debian/$1.lintian-overrides" "$root/usr/share/lintian/overrides/$1"
  fi
}

# finish DEPENDS FIELD…: compresses the pages, writes the control files and builds the package. The fields are lines of the
# control file, the description last.
finish() {
  local depends=$1
  shift
  find "$root/usr/share/man" "$root/usr/share/doc/$package/changelog" -type f -exec gzip --no-name --best {} +
  find "$root" -depth -type d -empty -not -name DEBIAN -delete
  {
    printf '%s\n' "Package: $package" "Version: $version" "Architecture: $architecture" "Maintainer: $maintainer" \
      "Installed-Size: $(find "$root" -path "$root/DEBIAN" -prune -o -type f -printf '%s\n' -o -printf '1\n' |
        awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')" \
      "Depends: $(libraries "$tree/bin/$package")${depends:+, $depends}" \
      "Section: net" "Priority: optional" "$@"
  } >"$root/DEBIAN/control"
  if [[ -d $root/etc ]]; then (cd "$root" && find etc -type f -printf '/%p\n' | sort >DEBIAN/conffiles); fi
  (cd "$root" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod -R u=rwX,go=rX "$root"
  find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --build --root-owner-group -Zxz --threads-max=1 "$root" "$folder/${package}_${version}_$architecture.deb" >/dev/null
}

users='systemd-standalone-sysusers | systemd'

begin passkey
cp -r "$tree/share/doc/." "$root/usr/share/doc/passkey/"
rm "$root/usr/share/doc/passkey/LICENSE"
mkdir -p "$root"/{usr/lib/sysusers.d,lib/udev/rules.d}
cp "$here/debian/passkey.sysusers" "$root/usr/lib/sysusers.d/passkey.conf"
cp "$here/debian/passkey.udev" "$root/lib/udev/rules.d/60-passkey.rules"
finish "$users" "Suggests: passkey-lab, passkey-server" \
  "Description: passkeys from a shell
 Performs registration and sign-in with passkeys (WebAuthn) at a live server,
 keeps passkeys in an encrypted vault, is a security key for other programs over
 a pipe, a socket or a virtual USB connection, decodes and verifies WebAuthn
 data, and diagnoses a sign-in that fails.
 .
 The package has the documentation of all programs."

begin passkey-server
mkdir -p "$root"/{etc,lib/systemd/system,usr/lib/sysusers.d} "$root/usr/share/doc/passkey-server/examples"
sed -e 's/raxx\.app/example.org/g; s/"Raxx"/"Example"/' "$tree/share/doc/Examples/deployment/passkey-server.json" \
  >"$root/etc/passkey-server.json"
# Without the comment about an installation by hand.
sed -e '2,/^$/d; s|/usr/local/bin/|/usr/bin/|' "$tree/share/doc/Examples/deployment/passkey-server.service" \
  >"$root/lib/systemd/system/passkey-server.service"
cp "$tree/share/doc/Examples/deployment/nginx.conf" "$root/usr/share/doc/passkey-server/examples/"
# Documentation/Site.md copies them from there.
cp -r "$tree/share/doc/Examples/site" "$root/usr/share/doc/passkey-server/examples/"
cp "$here/debian/passkey-server.sysusers" "$root/usr/lib/sysusers.d/passkey-server.conf"
finish "$users" "Recommends: ca-certificates, passkey, tzdata" "Suggests: nginx | httpd" \
  "Description: sign-in server for passkeys
 Keeps accounts, sessions, step-up confirmations and an audit trail for sites
 whose users sign in with passkeys (WebAuthn), in SQLite or PostgreSQL. It
 serves pages and an API, and sends mail.
 .
 The service is not started before /etc/passkey-server.json names the domain."

begin passkey-lab
# Those of passkey describe the commands that both programs have.
for page in "$work"/passkey/usr/share/man/man1/*; do rm -f "$root/usr/share/man/man1/$(basename "$page" .gz)"; done
finish "passkey (= $version)" "Suggests: chromium" \
  "Description: laboratory for passkeys
 Audits the passkey endpoints of a live server, measures it under load, makes
 the network fail by rules, answers a Chromium with the passkeys of a vault, and
 compares implementations over the same test vectors. The program passkey runs
 it for some of its commands."
