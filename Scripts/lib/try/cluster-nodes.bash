# shellcheck shell=bash disable=SC2154  # The script that sources this file sets the variables.
# SPDX-License-Identifier: Apache-2.0
#
# The parts of a cluster: nodes, PostgreSQL with a standby, PgBouncer, servers and HAProxy. Sourced by Scripts/try cluster,
# which sets `folder`, `programs`, `as_owner` and `has_nodes`.
#
# With network namespaces each node has one, joined by a bridge. Without, nodes are addresses of the loopback interface.

declare -A process=()

# address NODE: prints a node's address.
address() {
  local prefix=127.77.0
  if ((has_nodes)); then prefix=10.77.0; fi
  case $1 in
  s*) echo "$prefix.$((10 + ${1#s}))" ;;
  a) echo "$prefix.51" ;;
  b) echo "$prefix.52" ;;
  esac
}

# create_nodes NODE…: creates the network. It ends with the namespace of the script.
create_nodes() {
  ((has_nodes)) || return 0
  local node
  mkdir -p /run/netns
  mount -t tmpfs none /run/netns
  ip link set lo up
  ip link add cluster type bridge
  ip address add 10.77.0.1/24 dev cluster
  ip link set cluster up
  for node in "$@"; do
    ip netns add "$node"
    ip link add "to-$node" type veth peer name eth0 netns "$node"
    ip link set "to-$node" master cluster up
    ip -n "$node" link set lo up
    ip -n "$node" address add "$(address "$node")/24" dev eth0
    ip -n "$node" link set eth0 up
  done
}

# on NODE COMMAND…: runs a command on a node.
on() {
  local node=$1
  shift
  if ((has_nodes)); then ip netns exec "$node" "$@"; else "$@"; fi
}

# begin NAME NODE COMMAND…: starts a process on a node, or for the node '' beside all nodes.
begin() {
  local name=$1 node=$2
  shift 2
  (if [[ -n $node ]] && ((has_nodes)); then exec ip netns exec "$node" "$@"; else exec "$@"; fi) &
  process[$name]=$!
}

# separate NODE NODE: cuts the connection between two nodes. The others reach both.
separate() { for node in "$@"; do bridge link set dev "to-$node" isolated on; done; }
join() { for node in "$@"; do bridge link set dev "to-$node" isolated off; done; }

# unplug NODE: cuts a node off. Packets to it are lost without a notice.
unplug() { ip link set "to-$1" nomaster; }
plug() { ip link set "to-$1" master cluster; }

# wait_until SECONDS COMMAND…: repeats a command until it succeeds.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}

# stop_process NAME [SIGNAL]: ends a process and waits for its end.
stop_process() {
  if kill "-${2:-TERM}" "${process[$1]:-}" 2>/dev/null; then wait "${process[$1]}" 2>/dev/null || true; fi
}

# MARK: PostgreSQL

query() { "$programs/psql" --no-psqlrc --quiet --tuples-only --no-align \
  "postgres://passkey@$(address "$1")/postgres?connect_timeout=2" \
  --command "$2" </dev/null; }

start_database() {
  on "$1" "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/$1" --log "$folder/$1.log" --wait start \
    >/dev/null 2>&1 </dev/null
}

start_pooler() {
  write_pooler "$folder" "pooler-$1" "$(address "$1")" 6432 "$pool_mode" 100 "$(address "$1")" 5432
  begin "pooler-$1" "$1" "${as_owner[@]}" pgbouncer --quiet "$folder/pooler-$1.ini" >>"$folder/poolers.log" 2>&1 </dev/null
}

# start_primary NODE: creates the first database.
start_primary() {
  create_database "$folder/$1" "$(address "$1")" "$folder/initdb.log" || { cat "$folder/initdb.log" >&2; return 1; }
  {
    echo "wal_sender_timeout = 5s"
    echo "wal_receiver_timeout = 5s"
    echo "wal_receiver_status_interval = 1s"
    echo "hot_standby_feedback = on"
  } >>"$folder/$1/postgresql.conf"
  echo "host all,replication all $(address "$1" | sed 's/[0-9]*$/0/')/24 trust" >>"$folder/$1/pg_hba.conf"
  start_database "$1" || { cat "$folder/$1.log" >&2; return 1; }
  start_pooler "$1"
}

# commits_wait NODE [STANDBYS]: lets commits wait for a standby, or with '' for none.
commits_wait() {
  query "$1" "ALTER SYSTEM SET synchronous_standby_names = '$2'"
  query "$1" 'SELECT pg_reload_conf()' >/dev/null
}

is_synchronous() { [[ $(query "$1" "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1 ]]; }

# start_standby NODE PRIMARY [SOURCE]: replaces a node's database by a synchronous standby of the primary.
start_standby() {
  local node=$1 primary=$2 source=${3:-$(address "$2"):5432}
  rm -rf "${folder:?}/$node"
  on "$node" "${as_owner[@]}" "$programs/pg_basebackup" --pgdata "$folder/$node" --write-recovery-conf --no-sync \
    --checkpoint fast --dbname "postgres://passkey@$source/postgres?application_name=$node" \
    >>"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; return 1; }
  # The address of the node, instead of that of the primary.
  echo "listen_addresses = '$(address "$node")'" >>"$folder/$node/postgresql.conf"
  start_database "$node" || { cat "$folder/$node.log" >&2; return 1; }
  if [[ -z ${process[pooler-$node]:-} ]] || ! kill -0 "${process[pooler-$node]}" 2>/dev/null; then start_pooler "$node"; fi
  commits_wait "$primary" '*'
  wait_until 30 is_synchronous "$primary"
}

# kill_machine NODE: ends everything on a database node, as a loss of power does.
kill_machine() {
  stop_process "pooler-$1" KILL
  stop_process "patroni-$1" KILL
  if ((has_nodes)); then
    ip netns pids "$1" | xargs --no-run-if-empty kill -KILL 2>/dev/null || true
  else
    "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/$1" --mode immediate stop >/dev/null 2>&1 || true
  fi
}

# promote NODE: makes the standby the primary, which waits for no standby until it has one.
promote() {
  echo "synchronous_standby_names = ''" >>"$folder/$1/postgresql.auto.conf"
  on "$1" "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/$1" reload >/dev/null
  on "$1" "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/$1" --wait promote >/dev/null
  # PgBouncer remembers that its server was a standby.
  stop_process "pooler-$1" KILL
  start_pooler "$1"
}

# MARK: Servers

# Further options of each server.
server_options=()

# start_server NODE [PROGRAM]: starts a server and waits until it serves.
start_server() {
  local node=$1 program=${2:-passkey-server} try
  for ((try = 1; try <= 60; try++)); do
    : >"$folder/$node.told"
    begin "$node" "$node" "$program" --listen "$(address "$node"):8080" --rp-id raxx.app --database "$database_url" \
      --secret "$folder/secret" --access-log "$folder/$node.access" --trusted-proxy "$(address s1 | sed 's/[0-9]*$/1/')" \
      --trusted-proxy 127.0.0.0/8 --ceremonies-per-minute 1000000 --ceremonies-per-account 1000000 \
      --session-lifetime 2h "${server_options[@]}" >"$folder/$node.told" 2>&1 </dev/null
    if wait_until 30 serves_or_ended "$node" && grep --quiet 'serving raxx.app' "$folder/$node.told"; then return; fi
    stop_process "$node" KILL
    sleep 0.5
  done
  cat "$folder/$node.told" >&2
  return 1
}

serves_or_ended() {
  grep --quiet 'serving raxx.app' "$folder/$1.told" || ! kill -0 "${process[$1]}" 2>/dev/null
}

# MARK: HAProxy

# write_balancer NODE…: configures HAProxy for these servers. Its log is the ledger of acknowledged requests: the end of
# the request in milliseconds, its ID in the audit trail, status, method, path and server.
write_balancer() {
  local node
  {
    cat <<'CONFIGURATION'
global
  log stdout format raw local0
defaults
  mode http
  log global
  option redispatch 1
  retries 2
  retry-on conn-failure
  timeout connect 500ms
  timeout client 30s
  timeout server 15s
  timeout check 2s
frontend passkeys
  bind 127.0.0.1:8080
  unique-id-format %[uuid()]
  unique-id-header X-Request-ID
  log-format "%[date(0,ms)] %ID %ST %HM %HP %s"
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
CONFIGURATION
    for node in "$@"; do echo "  server $node $(address "$node"):8080"; done
  } >"$folder/haproxy.cfg"
}

start_balancer() {
  # HAProxy empties an existing file.
  begin haproxy '' haproxy -db -f "$folder/haproxy.cfg" >"$(mktemp "$folder/requests.XXXXXX")" 2>>"$folder/haproxy.log" </dev/null
  wait_until 10 bash -c ': </dev/tcp/127.0.0.1/8080' && kill -0 "${process[haproxy]}"
}
