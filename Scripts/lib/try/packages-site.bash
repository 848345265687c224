#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Types the commands of Documentation/Site.md as they stand there, in the Debian of Scripts/try packages: without systemd, with a
# network of its own, and with the page, the packages and the scripts in /srv. Signs in an administrator and an invited user.
# Prints one line for each test and the time; the last line is "N passed, N failed".

set -euo pipefail
cd /srv
work=$(mktemp -d)
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash
# shellcheck source=Scripts/lib/try/nginx.bash
source Scripts/lib/try/nginx.bash
# shellcheck source=Scripts/lib/try/page.bash
source Scripts/lib/try/page.bash
site=https://garden.example
export PASSKEY_SERVER=$site PASSKEY_PASSPHRASE="only a test"

# systemctl: what systemd does for the page.
systemctl() {
  case $* in
  "enable --now passkey-server")
    # shellcheck disable=SC2046  # Words of the unit.
    runuser -u passkey-server -- $(sed -n 's/^ExecStart=//p' /lib/systemd/system/passkey-server.service) >>server.log 2>&1 &
    ;;
  "reload nginx") nginx -s reload ;;
  *) return 1 ;;
  esac
}
export -f systemctl

microseconds=0
# typed WORDS COMMAND…: a test whose time counts. It answers yes to every question.
typed() {
  local started=${EPOCHREALTIME/[.,]/}
  tell "$@" < <(yes)
  microseconds=$((microseconds + ${EPOCHREALTIME/[.,]/} - started))
}

# signs_up USER: creates a passkey with the code of the link that the last block printed, and signs in with it.
signs_up() {
  local code
  code=$(sed -n "s|^$site/#create?email=$1%40garden.example&code=||p" <<<"$printed")
  if [[ -z $code ]]; then echo "no link: $printed"; fi
  typed "$1 creates a passkey with the code" passkey register --user "$1@garden.example" --code "$code" --vault "$1.vault" --yes
  typed "$1 signs in" passkey sign-in --user "$1@garden.example" --vault "$1.vault" --yes
}

page_commands Documentation/Site.md
for block in "${blocks[@]}"; do
  # Another proxy, and a back end that the page does not have.
  case $block in *caddy* | *introspect*) continue ;; esac
  typed "the page's block works: ${block%%$'\n'*}" bash -euc "$block"
  printed=$(<"$work/told")
  case $block in
  apt*)
    # What the page leaves to the reader: a certificate, and an application, which shows what it learns. systemd has started nginx.
    mkdir /etc/ssl/garden.example
    make_certificate garden.example /etc/ssl/garden.example/{key,fullchain}.pem
    cp /etc/ssl/garden.example/fullchain.pem /usr/local/share/ca-certificates/garden.crt
    update-ca-certificates >/dev/null 2>&1
    echo 'server { listen 127.0.0.1:3000; location / { return 200 "$http_remote_name $http_remote_groups"; } }' \
      >/etc/nginx/sites-enabled/application
    nginx
    # The users' devices.
    apt-get -qq --yes install ./passkey_*.deb curl >/dev/null 2>&1
    ;;
  *" init "*)
    tell "the site is ready" curl --silent --fail --retry 20 --retry-all-errors --retry-delay 1 "$site/readyz"
    tell "a visitor is sent to the sign-in" equals \
      "$(curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}' "$site/members/")" \
      "302 $site/?next=https%3A%2F%2Fgarden.example%2Fmembers%2F"
    signs_up ada
    ;;
  *" user invite "*) signs_up bob ;;
  *" backup "*)
    tell "the copies have both accounts" equals "$(passkey-server user list --config /var/backups/passkey-server.json \
      --secret /var/backups/passkey.secret --database /var/lib/passkey-server/backup-*.sqlite | grep --count '@garden.example')" 2
    ;;
  esac
done
tell "the application learns who the administrator is" equals "$(passkey request GET /members/ --user ada@garden.example)" \
  "ada@garden.example admin"
tell "and who the invited user is" equals "$(passkey request GET /members/ --user bob@garden.example)" "bob@garden.example "
echo "the commands of the page and of its users took $((microseconds / 1000000)) s; 300 s is the goal"

finish
