#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Follows Documentation/Site.md on loopback ports: runs its commands with other paths, signs in an administrator and an invited
# user with passkey, and asks for a protected application through nginx and through Caddy, also as an attacker.
# Prints one line for each test; the last line is "N passed, N failed".
#
#   Scripts/try site

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
# shellcheck source=Scripts/lib/counts.bash
source Scripts/lib/counts.bash
# shellcheck source=Scripts/lib/try/page.bash
source Scripts/lib/try/page.bash

Scripts/setup nginx-light caddy curl openssl python3-yaml >&2
build passkey passkey-server
programs=$(realpath "$programs")
PATH=$programs:$PATH
page=$PWD/Documentation/Site.md examples=$PWD/Examples/site

work=$(mktemp -d "${TMPDIR:-/tmp}/passkey-site.XXXXXX")
# shellcheck source=Scripts/lib/try/tell.bash
source Scripts/lib/try/tell.bash
# shellcheck source=Scripts/lib/try/nginx.bash
source Scripts/lib/try/nginx.bash
export HOME=$work/home XDG_STATE_HOME=$work/home/state PASSKEY_PASSPHRASE=passphrase
mkdir -p "$HOME" "$work"/{etc/nginx/{sites-enabled,snippets},etc/{caddy,systemd/system},etc/ssl/garden.example,var/lib/passkey-server,var/backups,nginx,caddy}

# waits WORDS COMMAND…: repeats the command until it succeeds, at most ten seconds.
waits() {
  local words=$1
  shift
  for _ in {1..100}; do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  cat "$work"/*.log "$work/nginx"/*.log >&2 2>/dev/null || true
  stop "$words: no answer"
}

# free_port: prints a port that nothing listens at.
free_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
server=$(free_port) application=$(free_port) outer=$(free_port) caddy=$(free_port)
site=https://garden.example

make_certificate garden.example "$work/etc/ssl/garden.example/key.pem" "$work/etc/ssl/garden.example/fullchain.pem"
certificate=$work/etc/ssl/garden.example/fullchain.pem

# The page, command by command. What needs root or the real system is replaced by functions.
runuser() { shift 3 && "$@"; }
apt() { [[ $1 == install ]]; }
systemctl() {
  case "$1 ${*: -1}" in
  "enable passkey-server")
    # A back end of the last part of the page.
    PASSKEY_BACK_END=orders=$(printf %s orders | sha256sum | cut -c -64) passkey-server --config "$work/etc/passkey-server.json" --access-log "$work/access.jsonl" 2>"$work/server.log" &
    processes[server]=$!
    waits "passkey-server" curl --silent --fail "http://127.0.0.1:$server/readyz"
    ;;
  "reload nginx")
    start_nginx "$work/etc/nginx/sites-enabled/garden.example"
    waits nginx curl --silent --fail --cacert "$certificate" --connect-to "garden.example:443:127.0.0.1:$outer" "$site/healthz"
    ;;
  "daemon-reload daemon-reload" | "restart caddy") ;;
  *) return 1 ;;
  esac
}

# moved TEXT: prints commands or settings with paths below the folder, and with the ports of this run.
moved() {
  sed -E -e "s#(^|[ \"'=(])/(etc|var/lib|var/backups)/#\1$work/\2/#g" -e "s#/usr/share/doc/passkey-server/examples/site#$work/examples#g" \
    -e "s#127\.0\.0\.1:8080#127.0.0.1:$server#g" -e "s#127\.0\.0\.1:3000#127.0.0.1:$application#g" <<<"$1"
}

cp -r "$examples" "$work/examples"
# nginx checks the port of the address: the pages' origin is the one without.
for file in "$work/examples"/*.conf "$work/examples"/passkey-server.json "$work/examples/Caddyfile"; do
  moved "$(<"$file")" >"$file.moved" && mv "$file.moved" "$file"
done
# The recent area asks for a role too, so that a user without it shows which requests belong to the area.
sed -i -e 's#max_age=300#max_age=300\&role=admin#' "$work/examples/nginx.conf" "$work/examples/Caddyfile"
# The application shows the fields that it gets.
sed -i -e 's#^\( *\)self.end_headers()#\1seen = ("remote", "x-forwarded-host", "upgrade", "connection")\n\1self.send_header("x-seen", repr([f for f in self.headers.items() if f[0].lower().startswith(seen)]))\n&#' \
  "$work/examples/back_end.py"
sed -i -e "s#listen 443#listen 127.0.0.1:$outer#" -e 's# http2;#;#' "$work/examples/nginx.conf"
# shellcheck disable=SC2016  # nginx's variables.
sed -i -e 's#\$http_host#$host#' "$work/examples/passkey-question.conf"
sed -i -e "s#\"profile\"#\"listen\": \"127.0.0.1:$server\", \"profile\"#" "$work/examples/passkey-server.json"

# The blocks of the page, one after another. The question of a back end at its end needs a session.
page_commands "$page"
# shellcheck disable=SC2016  # Markdown.
shown=$(sed -n '/^```json$/,/^```$/{//!p}' "$page")
tell "the page shows the settings of the example" test "$shown" == "$(<Examples/site/passkey-server.json)"
here=$PWD
for number in "${!blocks[@]}"; do
  commands=$(moved "${blocks[number]}")
  case $commands in
  *"/api/auth/introspect"*)
    question=${commands/curl /curl --silent --cacert $certificate --connect-to garden.example:443:127.0.0.1:$outer }
    continue
    ;;
  esac
  # Each command has to succeed. -e would end this script, and does not hold in a condition.
  status=0
  trap 'status=1' ERR
  set +e
  eval "$commands" >"$work/block-$number.log" 2>&1
  set -e
  trap - ERR
  if ((status != 0)); then cat "$work/block-$number.log"; fi
  tell "block $((number + 1)) of the page works" test "$status" == 0
done
cd "$here"
invitation=$(grep --no-filename --only-matching --extended-regexp '\b([0-9A-Z]{4,6}-){3,}[0-9A-Z]{4,6}\b' "$work"/block-*.log | head -n 2)
read -r -d '' first second <<<"$invitation" || true
tell "init and the invitation print codes" test -n "$first" -a -n "$second"

# The application, which verifies the signed token.
python3 "$work/examples/back_end.py" "$application" "$site" members "http://127.0.0.1:$server/.well-known/jwks.json" \
  2>"$work/application.log" &
processes[application]=$!
waits "the application" curl --silent --output /dev/null "http://127.0.0.1:$application/"

# Caddy, with its own certificate, and with the environment of the page's drop-in.
export "$(sed -n 's/^Environment=//p' "$work/etc/systemd/system/caddy.service.d/passkey.conf")"
tell "only root reads Caddy's secret" equals "$(stat --format %a "$work/etc/systemd/system/caddy.service.d/passkey.conf")" 600
sed -e "s#^garden.example {#https://garden.example:$caddy {\n\ttls $certificate $work/etc/ssl/garden.example/key.pem#" \
  "$work/etc/caddy/Caddyfile" >"$work/caddy/Caddyfile"
sed -i "1i {\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n" "$work/caddy/Caddyfile"
XDG_DATA_HOME=$work/caddy/data XDG_CONFIG_HOME=$work/caddy/config caddy run --config "$work/caddy/Caddyfile" \
  --adapter caddyfile 2>"$work/caddy.log" &
processes[caddy]=$!
waits caddy curl --silent --fail --cacert "$certificate" --connect-to "garden.example:443:127.0.0.1:$caddy" \
  --connect-to "garden.example:$caddy:127.0.0.1:$caddy" "$site:$caddy/healthz"

# Ada creates her passkey with the code of init, Bob with his invitation.
passkey_of() {
  local user=$1 command=$2
  shift 2
  passkey "$command" --server "$site" --cacert "$certificate" --connect-to "garden.example:443:127.0.0.1:$outer" \
    --user "$user@garden.example" "$@" >"$work/$user.log" 2>&1 || { cat "$work/$user.log"; return 1; }
}
tell "the first administrator registers with the code of init" passkey_of ada register --code "$first" --vault "$HOME/ada.vault" --yes
tell "the invited user registers with the invitation" passkey_of bob register --code "$second" --vault "$HOME/bob.vault" --yes

# token USER: prints the session token that passkey keeps.
token() {
  python3 - "$XDG_STATE_HOME/passkey" "$1@garden.example" <<'PYTHON'
import json, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*"):
    if not path.is_file():
        continue
    try:
        session = json.loads(path.read_text())
    except ValueError:
        continue
    text = json.dumps(session)
    if sys.argv[2] in text and isinstance(session, dict) and "token" in session:
        print(session["token"])
PYTHON
}
ada=$(token ada) bob=$(token bob)
tell "both have a session" test -n "$ada" -a -n "$bob"

# introspect TOKEN: asks as the page does.
# shellcheck disable=SC2034  # The page's command uses them.
introspect() { (token=$1 secret=orders && eval "$question"); }
tell "a back end learns whose a session is" test "$(introspect "$bob" | grep -c '"username":"bob@garden.example"')" == 1

# ask STATUS PROXY PATH ARGUMENT…: sends a request through a proxy and requires a status.
ask() {
  local status=$1 port=$2 address=$site path=$3
  shift 3
  if [[ $port == "$caddy" ]]; then address=$site:$caddy; fi
  : >"$work/answer"
  local found
  found=$(curl --silent --cacert "$certificate" --connect-to "garden.example::127.0.0.1:$port" --output "$work/answer" \
    --dump-header "$work/head" --write-out '%{http_code}' "$@" "$address$path")
  [[ $found == "$status" ]] || { echo "status $found"; return 1; }
}
header() { tr -d '\r' <"$work/head" | sed -n "s/^$1: //Ip"; }
says() { grep -q -- "$1" "$work/answer"; }
cookie() { printf 'cookie: __Host-garden.session=%s' "$1"; }
spoofed=(-H 'remote-user: root' -H 'remote_user: root' -H 'remote-name: root' -H 'remote-groups: admin' -H 'remote-email: root@garden.example')
browser=(-H 'accept: text/html' -H 'sec-fetch-mode: navigate')

for proxy in nginx caddy; do
  port=${!proxy:-$outer}
  [[ $proxy == nginx ]] && port=$outer
  origin=$site
  [[ $proxy == caddy ]] && origin=$site:$caddy
  tell "$proxy: the pages are served" ask 200 "$port" /
  tell "$proxy: the title has the name of the site" says '· Garden</title>'
  tell "$proxy: a visitor without a session is sent to the sign-in" ask 302 "$port" '/members/list?page=2' "${browser[@]}"
  if [[ $proxy == nginx ]]; then
    tell "$proxy: the sign-in leads back" test "$(header location)" == \
      "$site/?next=https%3A%2F%2Fgarden.example%2Fmembers%2Flist%3Fpage%3D2"
  else
    # The address of this run has a port, which no setting allows.
    tell "$proxy: a page that is no target is no way back" test "$(header location)" == "$site/"
  fi
  tell "$proxy: identity fields of a client do not help" ask 302 "$port" /members/ "${browser[@]}" "${spoofed[@]}"
  tell "$proxy: a made-up session does not help" ask 302 "$port" /members/ "${browser[@]}" -H "$(cookie "${ada//A/B}x")"
  tell "$proxy: a user reaches the application" ask 200 "$port" /members/ -H "$(cookie "$bob")"
  tell "$proxy: the application verified the token" says 'bob@garden.example'
  tell "$proxy: a bearer token works too" ask 200 "$port" /members/ -H "authorization: Bearer $bob"
  tell "$proxy: identity fields of a user are replaced" ask 200 "$port" /members/ -H "$(cookie "$bob")" "${spoofed[@]}"
  tell "$proxy: the application sees no administrator" test "$(grep -c 'root\|admin' "$work/answer")" == 0
  tell "$proxy: the application gets no fields that the user lacks" equals \
    "$(header x-seen | grep --only-matching --ignore-case '(.remote[-_][a-z]*' | tr -d "('" | sort | paste --serial --delimiters ' ')" \
    "Remote-Name Remote-Token Remote-User"
  tell "$proxy: a script without a session gets 401" ask 401 "$port" /members/ -H 'sec-fetch-mode: cors'
  tell "$proxy: a WebSocket reaches the application" ask 200 "$port" /members/ --http1.1 -H "$(cookie "$bob")" -H "origin: $origin" \
    -H 'connection: upgrade' -H 'upgrade: websocket' -H 'sec-fetch-site: same-origin' -H 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==' \
    -H 'x-forwarded-host: evil.example'
  tell "$proxy: with the fields that open it" grep --quiet --ignore-case "'connection', 'upgrade'.*'upgrade', 'websocket'\|'upgrade', 'websocket'.*'connection', 'upgrade'" "$work/head"
  tell "$proxy: the application learns the host from the proxy" isnt grep evil "$work/head"
  tell "$proxy: an administrator keeps the role" ask 200 "$port" /members/ -H "$(cookie "$ada")"
  tell "$proxy: the application sees the role" says admin
  tell "$proxy: a recent sign-in opens the settings" ask 200 "$port" /members/settings/ -H "$(cookie "$ada")"
  tell "$proxy: the settings have a rule of their own" ask 403 "$port" /members/settings/ -H "$(cookie "$bob")"
  # nginx adds the slash, Caddy asks.
  status=403
  [[ $proxy == nginx ]] && status=301
  tell "$proxy: also without the slash" ask "$status" "$port" /members/settings -H "$(cookie "$bob")"
  tell "$proxy: a client cannot ask whose a request is" ask 403 "$port" /api/auth/forward -H "$(cookie "$bob")" \
    -H 'passkey-proxy-secret: SECRET'
  tell "$proxy: a page of another site changes nothing" ask 403 "$port" /members/ -X POST -d a=b -H "$(cookie "$bob")" \
    -H 'origin: https://evil.example' -H 'sec-fetch-site: cross-site'
  tell "$proxy: a page of the site may" ask 200 "$port" /members/ -X POST -d a=b -H "$(cookie "$bob")" \
    -H "origin: $origin" -H 'sec-fetch-site: same-origin'
done
tell "a token of another program is refused by the application" test \
  "$(curl --silent -H "remote-token: $bob" "http://127.0.0.1:$application/")" == 'refused: form'

ask 200 "$outer" /api/auth/token -H "authorization: Bearer $bob" -H 'content-type: application/json' --data '{"audience":"members"}'
signed=$(sed 's/.*"token":"\([^"]*\)".*/\1/' "$work/answer")
tell "the application reads names in UTF-8" grep --quiet Zoë <(curl --silent -H "remote-token: $signed" -H 'remote-name: Zoë' \
  "http://127.0.0.1:$application/")

# After the sign-out nothing is open.
passkey_of bob sign-out
tell "a back end learns that the session has ended" test "$(introspect "$bob")" == '{"active":false}'
tell "nginx: a session that has ended is refused" ask 302 "$outer" /members/ -H "$(cookie "$bob")"

# Traefik is not in Debian: the form of its example, and the names in it.
tell "Traefik's example names what exists" python3 - "$examples" <<'PYTHON'
import pathlib, re, sys, yaml
folder = pathlib.Path(sys.argv[1])
http = yaml.safe_load((folder / "traefik.yml").read_text())["http"]
assert set(http) == {"routers", "middlewares", "services"}
for router in http["routers"].values():
    assert set(router) <= {"rule", "entryPoints", "middlewares", "service", "tls"}
    assert router["service"] in http["services"] and set(router.get("middlewares", [])) <= set(http["middlewares"])
    assert re.fullmatch(r"Host\(`garden\.example`\)( && PathPrefix\(`/[a-z/]+`\))?", router["rule"])
fields = set(re.findall(r"Remote-\w+", (folder / "passkey-user.conf").read_text()))
removed = http["middlewares"]["passkey-secret"]["headers"]["customRequestHeaders"]
assert {name for name, value in removed.items() if value == ""} == fields | {name.replace("-", "_") for name in fields}
questions = {re.search(r"/api/auth/forward\?[^;\s]+", line)[0] for line in (folder / "Caddyfile").read_text().splitlines() if "forward?" in line}
asked = set()
for middleware in http["middlewares"].values():
    if "forwardAuth" in middleware:
        asked.add(middleware["forwardAuth"]["address"].removeprefix("http://127.0.0.1:8080"))
        assert set(middleware["forwardAuth"]["authResponseHeaders"]) == fields
assert asked == questions, (asked, questions)
PYTHON

finish
