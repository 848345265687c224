# shellcheck shell=bash disable=SC2154  # The script that sources this file sets the variables.
# SPDX-License-Identifier: Apache-2.0
#
# Measures how operations per second, by default sign-ins, grow with the number of servers. Sourced by Scripts/try cluster.
#
# Each server has the same number of clients, which wait for their replies, so without a shared bottleneck twice as many
# servers serve twice as many. All nodes share the processors of this machine: the processor time of an operation
# bounds the rate, whatever the number of servers. Therefore it is measured too, and a long latency is measured beside
# the short one: the longer the wait, the smaller the share of the processors.
#
# HAProxy asks each server twice a second whether it is ready, and each session is reported to a webhook, because both write
# to the database.

# delay_standby MILLISECONDS: delays what primary and standby exchange, by netem or by a program that forwards.
delay_standby() {
  local half
  half=$(python3 -c 'import sys; print(float(sys.argv[1]) / 2)' "$1")
  kill_machine b
  stop_process delay KILL
  commits_wait a ''
  if ((has_nodes)) && ip netns exec b tc qdisc replace dev eth0 root netem delay "${1}ms" 2>/dev/null; then
    delay_by="netem"
    start_standby b a
  else
    delay_by="a program that forwards"
    begin delay b python3 Scripts/lib/try/delay.py 6543 "$(address a)" 5432 "$half"
    wait_until 10 on b bash -c ': </dev/tcp/127.0.0.1/6543'
    start_standby b a 127.0.0.1:6543
  fi
}

# commit_time: prints the median time of a commit in milliseconds.
commit_time() {
  query a 'SET client_min_messages = warning; CREATE TABLE IF NOT EXISTS commits (number bigint)'
  {
    printf '%s\n' '\timing on'
    for ((number = 0; number < 41; number++)); do echo "INSERT INTO commits VALUES ($number);"; done
  } | "$programs/psql" --no-psqlrc --quiet "postgres://passkey@$(address a)/postgres" |
    awk '/^Time:/ { print $2 }' | sort --numeric-sort | sed -n 21p
}

# ticks PID…: prints the processor time that processes and their ended children have used, in ticks.
ticks() {
  local one total=0 words
  for one in "$@"; do
    [[ -r /proc/$one/stat ]] || continue
    read -r -a words < <(sed 's/.*) //' "/proc/$one/stat")
    total=$((total + words[11] + words[12] + words[13] + words[14]))
  done
  echo "$total"
}

database_processes() {
  local postmaster
  postmaster=$(head -n 1 "$folder/a/postmaster.pid")
  echo "$postmaster"
  pgrep --parent "$postmaster" || true
}

# start_receiver: accepts the webhooks of all servers, and counts them in the file `delivered`.
start_receiver() {
  local own
  own=$(address s1 | sed 's/[0-9]*$/1/')
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/hook.key" \
    -out "$folder/hook.crt" -days 1 -subj /CN=hook.example -addext subjectAltName=DNS:hook.example 2>/dev/null
  (umask 077 && echo "whsec_$(head -c 32 /dev/urandom | base64 --wrap 0)" >"$folder/secret-hook")
  cat >"$folder/deliveries.json" <<DELIVERIES
{"webhooks": [{"name": "scale", "url": "https://hook.example:9443/", "secretFiles": ["$folder/secret-hook"],
  "events": ["session.opened"], "allowedAddresses": ["$own"], "certificateAuthority": "$folder/hook.crt",
  "resolve": ["hook.example:9443:$own"]}]}
DELIVERIES
  begin receiver '' python3 Scripts/lib/try/cluster-webhook.py "$own" 9443 "$folder/hook.crt" "$folder/hook.key" \
    "$folder/delivered"
  wait_until 10 test -s "$folder/delivered"
  server_options+=(--deliveries "$folder/deliveries.json")
}

outbox_is_empty() { [[ $(query a 'SELECT count(*) FROM passkey.outbox') == 0 ]]; }

# measure LATENCY COMMIT SERVERS FIRST PROGRAM: prints a line, and then the operations per second.
measure() {
  local latency=$1 commit=$2 count=$3 first=$4 program=$5 node seed="scale-$1-$3-${5//\//-}"
  for node in "${nodes[@]:0:count}"; do start_server "$node" "$program"; done
  write_balancer "${nodes[@]:0:count}"
  start_balancer
  local own=() databases server_ticks database_ticks idle_before idle_after all_before all_after delivered
  for node in "${nodes[@]:0:count}"; do own+=("${process[$node]}"); done
  # The accounts are created before the measurement.
  passkey load --profile raxx --rp-id raxx.app --clients 16 --duration 1s --accounts 200 --seed "$seed" \
    --keep-accounts http://127.0.0.1:8080 >/dev/null 2>&1
  wait_until 60 outbox_is_empty || { note "error: the webhooks are not delivered"; return 1; }
  mapfile -t databases < <(database_processes)
  server_ticks=$(ticks "${own[@]}") database_ticks=$(ticks "${databases[@]}")
  sleep 0.2
  delivered=$(<"$folder/delivered")
  read -r all_before idle_before < <(machine_ticks)
  passkey load --json --profile raxx --rp-id raxx.app --clients $((clients * count)) --duration "${seconds}s" \
    --mix "$mix" --accounts 200 --seed "$seed" --reuse-accounts --keep-accounts http://127.0.0.1:8080 \
    >"$folder/scale.json" 2>"$folder/scale.error" || { cat "$folder/scale.error" >&2; return 1; }
  read -r all_after idle_after < <(machine_ticks)
  delivered=$(($(<"$folder/delivered") - delivered))
  server_ticks=$(($(ticks "${own[@]}") - server_ticks)) database_ticks=$(($(ticks "${databases[@]}") - database_ticks))
  python3 - "$folder/scale.json" "$latency" "$commit" "$count" "$first" "$server_ticks" "$database_ticks" \
    "$(getconf CLK_TCK)" "$((all_after - all_before))" "$((idle_after - idle_before))" "$delivered" <<'LINE'
import json, sys
report = json.load(open(sys.argv[1]))
latency, commit, count, first = sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
server, database, hertz, machine, idle, delivered = map(float, sys.argv[6:])
done = report["successes"]
rate = done / report["seconds"]
if count == 1: first = rate
print(f"{latency:>5} ms  {float(commit):5.1f} ms  {count:7}  {rate:10.1f}  {rate / first:6.2f}  "
      f"{delivered / report['seconds']:10.1f}  {server / hertz * 1000 / done:9.2f}  {database / hertz * 1000 / done:12.2f}  "
      f"{100 - 100 * idle / machine:8.0f} %", file=sys.stderr)
print(rate)
LINE
  wait_until 60 outbox_is_empty || note "the webhooks are late"
  for node in haproxy "${nodes[@]:0:count}"; do stop_process "$node"; done
}

measure_scale() {
  local latency count commit program
  local programs_compared=(passkey-server ${compared:+"$compared"})
  start_receiver
  printf '%8s  %8s  %7s  %9s  %6s  %9s  %9s  %11s  %10s\n' latency commit servers ops/s factor webhooks/s server-ms \
    database-ms processors >&2
  for latency in ${latencies//,/ }; do
    delay_standby "$latency"
    commit=$(commit_time)
    declare -A firsts=() rates=()
    for count in 1 2 4; do
      for program in "${programs_compared[@]}"; do
        if [[ -n $compared ]]; then echo "$program:" >&2; fi
        # In this shell, so that it knows the processes.
        measure "$latency" "$commit" "$count" "${firsts[$program]:-0}" "$program" >"$folder/rate" || return 1
        rates[$program]=$(<"$folder/rate")
        firsts[$program]=${firsts[$program]:-${rates[$program]}}
      done
      if [[ -n $compared ]]; then
        echo "ratio: $(python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' \
          "${rates[passkey-server]}" "${rates[$compared]}")" >&2
      fi
    done
  done
  echo "The delay was made by $delay_by. A factor compares with one server; processors are those of the whole machine."
}

# machine_ticks: prints all ticks of the machine's processors, and the idle ones.
machine_ticks() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6 }' /proc/stat; }
