# shellcheck shell=bash disable=SC2034,SC2154  # Shared with the script that sources this file.
# SPDX-License-Identifier: Apache-2.0
#
# PostgreSQL under Patroni, with etcd beside all nodes. Sourced by Scripts/try cluster.

etcd_address=10.77.0.1

start_etcd() {
  begin etcd '' etcd --data-dir "$folder/etcd" --listen-client-urls "http://$etcd_address:2379" \
    --advertise-client-urls "http://$etcd_address:2379" --listen-peer-urls http://127.0.0.1:2380 \
    >>"$folder/etcd.log" 2>&1 </dev/null
  wait_until 30 bash -c ": </dev/tcp/$etcd_address/2379"
}

# write_patroni NODE: configures Patroni. PgBouncer remembers whether its server was read-only, so after a change of the
# role it must open new connections, once the server has the role.
write_patroni() {
  local own
  own=$(address "$1")
  cat >"$folder/patroni-$1.role" <<SCRIPT
#!/bin/sh
# Patroni's arguments: on_role_change, the new role, the name of the cluster.
ask() { $programs/psql --no-psqlrc --tuples-only --no-align "postgres://passkey@$own:\$1?connect_timeout=2" --command "\$2"; }
case \$2 in master | primary) recovering=f ;; *) recovering=t ;; esac
until [ "\$(ask 5432/postgres 'SELECT pg_is_in_recovery()')" = \$recovering ]; do sleep 0.1; done
ask 6432/pgbouncer RECONNECT
SCRIPT
  chmod +x "$folder/patroni-$1.role"
  cat >"$folder/patroni-$1.yml" <<CONFIGURATION
scope: passkeys
name: $1
restapi: { listen: '$own:8008', connect_address: '$own:8008' }
etcd3: { host: '$etcd_address:2379' }
bootstrap:
  dcs:
    # The shortest times that Patroni allows, except retry_timeout.
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_sender_timeout: 5s, wal_receiver_timeout: 5s, wal_receiver_status_interval: 1s }
  initdb: [ { encoding: UTF8 }, { locale: C }, no-sync ]
postgresql:
  listen: '$own:5432'
  connect_address: '$own:5432'
  data_dir: $folder/$1
  bin_dir: $programs
  pgpass: $folder/patroni-$1.pass
  authentication: { superuser: { username: passkey, password: passkey }, replication: { username: replicator, password: replicator } }
  pg_hba: [ 'host all,replication all 10.77.0.0/24 trust' ]
  parameters: { unix_socket_directories: '', shared_buffers: 64MB }
  callbacks: { on_role_change: $folder/patroni-$1.role }
CONFIGURATION
  chown "$owner" "$folder/patroni-$1.yml" "$folder/patroni-$1.role"
}

# start_patroni NODE: starts Patroni, which starts PostgreSQL, and the node's PgBouncer.
start_patroni() {
  start_pooler "$1"
  begin "patroni-$1" "$1" "${as_owner[@]}" patroni "$folder/patroni-$1.yml" >>"$folder/patroni-$1.log" 2>&1 </dev/null
}

is_primary() { [[ $(query "$1" 'SELECT pg_is_in_recovery()') == f ]]; }

# start_patroni_databases: creates the first database on node a, and its standby on node b.
start_patroni_databases() {
  local node
  start_etcd
  for node in a b; do
    write_patroni "$node"
    start_patroni "$node"
    wait_until 120 is_primary a || { cat "$folder/patroni-a.log" >&2; return 1; }
  done
  wait_until 120 is_synchronous a || { cat "$folder/patroni-b.log" >&2; return 1; }
}

# expect_promotion: waits until Patroni has promoted the standby, and then calls it the primary.
expect_promotion() {
  local former=$primary
  wait_until 120 is_primary "$standby" || { cat "$folder/patroni-$standby.log" >&2; return 1; }
  primary=$standby standby=$former
}

expect_standby() { wait_until 120 is_synchronous "$primary" || { cat "$folder/patroni-$standby.log" >&2; return 1; }; }

# MARK: Faults

patroni_loses_primary() {
  kill_machine "$primary"
  expect_promotion
  sleep 4
  start_patroni "$standby"
  expect_standby
}

patroni_switches_over() {
  on "$primary" "${as_owner[@]}" patronictl --config-file "$folder/patroni-$primary.yml" switchover passkeys \
    --candidate "$standby" --force >>"$folder/patronictl.log" 2>&1 || { cat "$folder/patronictl.log" >&2; return 1; }
  expect_promotion
  expect_standby
}

patroni_loses_standby() {
  kill_machine "$standby"
  sleep 10
  start_patroni "$standby"
  expect_standby
}

# The former primary still runs, and must stop by itself before the standby is promoted.
patroni_separates_primary() {
  local former=$primary
  unplug "$former"
  expect_promotion
  sleep 4
  plug "$former"
  expect_standby
}

patroni_loses_etcd() {
  stop_process etcd KILL
  sleep 15
  start_etcd
}

patroni_faults=("kill the primary:patroni_loses_primary" "switch over:patroni_switches_over"
  "kill the standby:patroni_loses_standby" "cut the primary off:patroni_separates_primary"
  "kill etcd for 15 s:patroni_loses_etcd")
