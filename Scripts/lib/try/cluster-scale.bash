# shellcheck shell=bash disable=SC2154  # The script that sources this file sets the variables.
# SPDX-License-Identifier: Apache-2.0
#
# Measures how sign-ins per second grow with the number of servers. Sourced by Scripts/try cluster.
#
# Each server has the same number of clients, which wait for their replies, so without a shared bottleneck twice as many
# servers serve twice as many sign-ins. All nodes share the processors of this machine: the processor time of a sign-in
# bounds the rate, whatever the number of servers. Therefore it is measured too, and a long latency is measured beside
# the short one: the longer the wait, the smaller the share of the processors.

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

measure_scale() {
  local latency count node first=0 hertz
  hertz=$(getconf CLK_TCK)
  # Commits to a chain wait for each other, whatever the number of servers.
  start_server "${nodes[0]}"
  begin_log
  stop_process "${nodes[0]}"
  printf '%8s  %8s  %7s  %9s  %6s  %11s  %12s  %10s\n' latency commit servers sign-ins/s factor server-ms database-ms \
    processors
  for latency in ${latencies//,/ }; do
    delay_standby "$latency"
    local commit
    commit=$(commit_time)
    for count in 1 2 4; do
      for node in "${nodes[@]:0:count}"; do start_server "$node"; done
      write_balancer "${nodes[@]:0:count}"
      start_balancer
      local own=("${process[haproxy]}") databases server_ticks database_ticks idle_before idle_after all_before all_after
      for node in "${nodes[@]:0:count}"; do own+=("${process[$node]}"); done
      # The accounts are created before the measurement.
      passkey load --profile raxx --rp-id raxx.app --clients 16 --duration 1s --accounts 200 --seed "scale-$latency-$count" \
        --keep-accounts http://127.0.0.1:8080 >/dev/null 2>&1
      mapfile -t databases < <(database_processes)
      server_ticks=$(ticks "${own[@]:1}") database_ticks=$(ticks "${databases[@]}")
      read -r all_before idle_before < <(machine_ticks)
      passkey load --json --profile raxx --rp-id raxx.app --clients $((clients * count)) --duration "${seconds}s" \
        --accounts 200 --seed "scale-$latency-$count" --reuse-accounts --keep-accounts http://127.0.0.1:8080 \
        >"$folder/scale.json" 2>"$folder/scale.error" || { cat "$folder/scale.error" >&2; return 1; }
      read -r all_after idle_after < <(machine_ticks)
      server_ticks=$(($(ticks "${own[@]:1}") - server_ticks)) database_ticks=$(($(ticks "${databases[@]}") - database_ticks))
      first=$(python3 - "$folder/scale.json" "$latency" "$commit" "$count" "$first" "$server_ticks" "$database_ticks" \
        "$hertz" "$((all_after - all_before))" "$((idle_after - idle_before))" <<'LINE'
import json, sys
report = json.load(open(sys.argv[1]))
latency, commit, count, first = sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
server, database, hertz, machine, idle = map(float, sys.argv[6:])
done = report["successes"]
rate = done / report["seconds"]
if count == 1: first = rate
print(f"{latency:>5} ms  {float(commit):5.1f} ms  {count:7}  {rate:10.1f}  {rate / first:6.2f}  {server / hertz * 1000 / done:9.2f}  "
      f"{database / hertz * 1000 / done:12.2f}  {100 - 100 * idle / machine:8.0f} %", file=sys.stderr)
print(first)
LINE
      )
      for node in haproxy "${nodes[@]:0:count}"; do stop_process "$node"; done
    done
  done
  echo "The delay was made by $delay_by. A factor compares with one server; processors are those of the whole machine."
}

# machine_ticks: prints all ticks of the machine's processors, and the idle ones.
machine_ticks() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6 }' /proc/stat; }
