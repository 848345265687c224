#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317  # Traps and the run call functions by name.
#
# Runs several servers behind HAProxy on one PostgreSQL with a synchronous standby, each with PgBouncer before it, and
# breaks each part under load. Then checks that nothing is lost that a server acknowledged, and that nothing happened
# twice. Prints the time without service for each fault; the exit code is 7 if something was lost or happened twice.
#
#   Scripts/try cluster [--release] [--servers N] [--rate N] [--quick] [--only PATTERN] [--patroni]
#                       [--upgrade-from-revision REV | --upgrade-from PROGRAM] [--keep FOLDER]
#   Scripts/try cluster --scale [--release] [--latency MS,MS…] [--clients N] [--seconds N] [--mix MIX] [--compare PROGRAM]
#
#   --release                    use release builds
#   --servers N                  servers (3)
#   --rate N                     operations a second (40)
#   --quick                      four faults instead of all, about two minutes
#   --only PATTERN               only the faults whose names match this regular expression
#   --patroni                    let Patroni promote the standby, with other faults (root only)
#   --upgrade-from-revision REV  begin with servers of this revision, which is built once, in .build/revisions, and
#                                replace them one by one. It must have the same schema
#   --upgrade-from PROGRAM       the same with servers of this passkey-server
#   --keep FOLDER                copy the logs and reports to this folder
#   --scale                      measure operations per second of 1, 2 and 4 servers whose commits wait for a distant standby,
#                                while HAProxy probes them and they deliver a webhook for each session
#   --latency MS,MS…             round-trip times to the standby (5,50)
#   --clients N                  clients for each server (1)
#   --seconds N                  duration of a measurement (15)
#   --mix MIX                    operations of the clients and their weights (sign-in=1), as for passkey load
#   --compare PROGRAM            measure this passkey-server in turn with the built one
#
# As root, each node has a network namespace, in a namespace of this script. Otherwise all nodes are on the loopback
# interface, and faults of the network are left out.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# shellcheck source=Scripts/lib/script.bash
source Scripts/lib/script.bash
project=$PWD

configuration=debug servers=3 rate=40 quick=0 scale=0 patroni=0 latencies=5,50 clients=1 seconds=15 mix=sign-in=1 pattern='' kept=''
upgrades=0 revision='' former='' compared='' words=("$@")
while (($# > 0)); do
  case $1 in
  --release) configuration=release ;;
  --servers) shift; servers=${1:-} ;;
  --rate) shift; rate=${1:-} ;;
  --quick) quick=1 ;;
  --scale) scale=1 ;;
  --latency) shift; latencies=${1:-} ;;
  --clients) shift; clients=${1:-} ;;
  --seconds) shift; seconds=${1:-} ;;
  --mix) shift; mix=${1:?} ;;
  --only) shift; pattern=${1:-} ;;
  --patroni) patroni=1 ;;
  --compare) shift; compared=$(realpath "${1:?}") ;;
  --upgrade-from-revision) upgrades=1; shift; revision=${1:?} ;;
  --upgrade-from) upgrades=1; shift; former=$(realpath "${1:?}") ;;
  --keep) shift; kept=$(realpath "${1:-}") ;;
  *) refuse "unknown argument $1" ;;
  esac
  shift
done
[[ $servers =~ ^[2-8]$ && $rate =~ ^[1-9][0-9]*$ && $clients =~ ^[1-9][0-9]*$ && $seconds =~ ^[1-9][0-9]*$ ]] || refuse "invalid arguments"
[[ $latencies =~ ^[0-9]+(,[0-9]+)*$ && ( -z $former || -x $former ) && ( -z $compared || -x $compared ) ]] || refuse "invalid arguments"

# The first call builds, creates the namespaces and cleans up. The second one, within them, does the rest.
if [[ -z ${PASSKEY_CLUSTER_FOLDER:-} ]]; then
  packages=(haproxy python3 iproute2 procps)
  if ((scale)); then packages+=(openssl); fi
  if ((patroni)); then packages+=(patroni etcd-server); fi
  Scripts/setup "${packages[@]}" >&2
  if [[ $configuration == release ]]; then build_options=(--configuration release); fi
  build passkey passkey-server
  export PASSKEY_CLUSTER_PROGRAMS=$programs
  if ((upgrades)) && [[ -z $former ]]; then
    # shellcheck source=Scripts/lib/try/cluster-revision.bash
    source Scripts/lib/try/cluster-revision.bash
    former=$(server_of_revision "$revision")
    words+=(--upgrade-from "$former")
  fi
  PASSKEY_CLUSTER_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/passkey-cluster.XXXXXX")
  export PASSKEY_CLUSTER_FOLDER PASSKEY_CLUSTER_NODES=0
  trap 'rm -rf "$PASSKEY_CLUSTER_FOLDER"' EXIT
  trap 'exit 130' INT TERM
  # The system ends everything in the namespaces with the first process in them.
  spaces=(unshare --net --mount --pid --fork --kill-child --mount-proc)
  if ((EUID == 0)) && "${spaces[@]}" ip link add probe type bridge 2>/dev/null; then
    export PASSKEY_CLUSTER_NODES=1
  elif ((patroni)); then
    stop "--patroni needs root and network namespaces"
  else
    spaces=()
  fi
  status=0
  "${spaces[@]}" "$0" "${words[@]}" || status=$?
  exit "$status"
fi

folder=$PASSKEY_CLUSTER_FOLDER has_nodes=$PASSKEY_CLUSTER_NODES
# haproxy and pgbouncer are where only root looks.
export PATH=$PASSKEY_CLUSTER_PROGRAMS:$PATH:/usr/sbin:/sbin
# shellcheck source=Scripts/lib/postgresql.bash
source Scripts/lib/postgresql.bash
# shellcheck source=Scripts/lib/try/cluster-nodes.bash
source Scripts/lib/try/cluster-nodes.bash
# shellcheck source=Scripts/lib/try/cluster-patroni.bash
source Scripts/lib/try/cluster-patroni.bash
find_postgresql
chown "$owner" "$folder"
# Its prepared statements and settings belong to a session, see Documentation/Cluster.md.
pool_mode=session
(umask 077 && head -c 32 /dev/urandom >"$folder/secret")
database_url="postgres://passkey@$(address a):6432,$(address b):6432/postgres?sslmode=disable&connect_timeout=2"
store=(--database "$database_url" --secret "$folder/secret")
nodes=()
for ((number = 1; number <= (scale ? 4 : servers); number++)); do nodes+=("s$number"); done

end() {
  local name
  for name in "${!process[@]}"; do stop_process "$name" KILL; done
  for name in a b; do kill_machine "$name"; done 2>/dev/null
  if [[ -n $kept ]]; then
    mkdir -p "$kept"
    find "$folder" -maxdepth 1 -type f ! -name 'secret*' ! -name '*.pass' -exec cp {} "$kept" \;
  fi
}
trap end EXIT
trap 'exit 130' INT TERM

note() { printf 'try-cluster: %s %s\n' "$(date -u +%H:%M:%S)" "$1" >&2; }

create_nodes "${nodes[@]}" a b
primary=a standby=b
if ((patroni)); then
  start_patroni_databases
else
  start_primary a
  start_standby b a
fi

if ((scale)); then
  # shellcheck source=Scripts/lib/try/cluster-scale.bash
  source Scripts/lib/try/cluster-scale.bash
  measure_scale
  exit
fi

# MARK: Faults. Each function handles one fault, up to the repair of the part.

kill_server() { stop_process "$1" KILL; sleep 2; start_server "$1"; }

replace_servers() {
  local node
  for node in "${nodes[@]}"; do stop_process "$node"; start_server "$node"; sleep 1; done
}

kill_balancer() { stop_process haproxy KILL; sleep 1; start_balancer; }

kill_pooler() { stop_process "pooler-$primary" KILL; sleep 1; start_pooler "$primary"; }

kill_standby() { kill_machine "$standby"; sleep 3; start_database "$standby"; start_pooler "$standby"; }

# fail_over: promotes the standby. The former primary must be off, so that it acknowledges nothing any more.
fail_over() {
  local former=$primary
  kill_machine "$former"
  promote "$standby"
  primary=$standby standby=$former
}

lose_primary() { fail_over; sleep 4; start_standby "$standby" "$primary"; }

# switch_over: shuts the primary down and promotes the standby, which has received everything.
switch_over() {
  on "$primary" "${as_owner[@]}" "$programs/pg_ctl" --pgdata "$folder/$primary" --mode fast --wait stop >/dev/null
  lose_primary
}

unplug_server() { unplug "$1"; sleep 6; plug "$1"; }

separate_server() { separate "$1" "$primary"; sleep 6; join "$1" "$primary"; }

separate_standby() { separate "$primary" "$standby"; sleep 8; join "$primary" "$standby"; }

# Commits wait for the standby for longer than a statement may take. Those that did not reach it must not be acknowledged.
lose_separated_primary() {
  local former=$primary
  separate "$primary" "$standby"
  sleep 9
  fail_over
  join "$former" "$primary"
  sleep 4
  start_standby "$standby" "$primary"
}

lose_unplugged_primary() {
  local former=$primary
  unplug "$former"
  sleep 2
  fail_over
  plug "$former"
  sleep 4
  start_standby "$standby" "$primary"
}

# Not a fault. The sessions end at the servers, beside HAProxy.
measure_revocation() {
  mkdir -p "$folder/probe"
  local addresses=()
  for node in "${nodes[@]}"; do addresses+=("$(address "$node")"); done
  XDG_STATE_HOME=$folder/probe PASSKEY_VAULT=$folder/probe/vault PASSKEY_PASSPHRASE=probe PASSKEY_RP_ID=raxx.app \
    PASSKEY_USER=probe@example.org python3 Scripts/lib/try/cluster-revocation.py $((${#nodes[@]} * 3)) \
    "$folder/revocation.json" http://127.0.0.1:8080 "${addresses[@]}"
}

faults=("kill a server:kill_server s1" "kill HAProxy:kill_balancer" "kill PgBouncer:kill_pooler")
partitions=(
  "cut primary from standby, then lose it:lose_separated_primary" "cut the standby off for 8 s:separate_standby"
  "cut a server from the primary for 6 s:separate_server s1" "cut a server off for 6 s:unplug_server s2"
  "cut the primary off, then lose it:lose_unplugged_primary"
)
if ((quick)); then
  faults+=("lose the primary:lose_primary")
else
  for node in "${nodes[@]:1}"; do faults+=("kill server ${node#s}:kill_server $node"); done
  faults+=("replace all servers:replace_servers" "kill the standby:kill_standby" "lose the primary:lose_primary"
    "switch over:switch_over")
  if ((has_nodes)); then faults+=("${partitions[@]}"); fi
fi
if ((patroni)); then faults=("${patroni_faults[@]}"); fi
faults=("end sessions:measure_revocation" "${faults[@]}")
if ((upgrades)); then faults=("upgrade all servers:replace_servers" "${faults[@]}"); fi

# MARK: The run

# 12 s [after most repairs, the service returns within seven]
interval=12
for node in "${nodes[@]}"; do start_server "$node" "${former:-passkey-server}"; done
write_balancer "${nodes[@]}"
start_balancer
note "${#nodes[@]} servers, $rate operations a second"
# The load is ended after the last fault.
passkey load --json --profile raxx --rp-id raxx.app --rate "$rate" --duration 7200s --poisson --seed cluster \
  --accounts 30 --connections 64 --max-time 12 --check-acknowledged --html "$folder/load.html" \
  --mix register=2,sign-in=5,request=3,step-up=2,sign-out=3 http://127.0.0.1:8080 \
  >"$folder/load.json" 2>"$folder/load.error" &
process[load]=$!

milliseconds() { date +%s%3N; }
# The accounts are created without faults.
sleep 8
for fault in "no fault:true" "${faults[@]}"; do
  name=${fault%%:*}
  case $name in
  "no fault" | upgrade*) ;;
  *) [[ $name =~ $pattern ]] || continue ;;
  esac
  note "$name"
  begin=$(milliseconds)
  # shellcheck disable=SC2086  # A command and its arguments.
  ${fault#*:} || { note "error: the repair after \"$name\" failed"; exit 1; }
  repaired=$(milliseconds)
  rest=$((interval * 1000 - repaired + begin))
  # 4 s [the service returns after the repair at the latest]
  if ((rest < 4000)); then rest=4000; fi
  sleep "$((rest / 1000))"
  echo "$begin $(milliseconds) $name" >>"$folder/faults"
done
note "no more faults"

status=0
sleep 3
kill -INT "${process[load]}"
wait "${process[load]}" || status=7
for node in "${nodes[@]}"; do stop_process "$node"; done
audit=$(passkey-server audit verify "${store[@]}" 2>&1) || status=7
passkey-server audit show "${store[@]}" --json --limit 1000000 >"$folder/trail" 2>&1 || status=7
cat "$folder"/requests.?????? >"$folder/requests"
python3 Scripts/lib/try/cluster-summary.py "$folder/requests" "$folder/faults" "$folder/trail" "$folder/load.json" \
  "$folder/load.error" "$folder/revocation.json" || status=7
sed -n 's/^passkey-server: /audit trail: /p' <<<"$audit"
if ((!has_nodes && !quick)); then echo "try-cluster: faults of the network need root and were left out"; fi
if ((status == 0)); then
  echo "try-cluster: nothing acknowledged was lost, and nothing happened twice"
else
  echo "try-cluster: something was lost, happened twice or could not be checked"
fi
exit "$status"
