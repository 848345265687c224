# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Functions that create PostgreSQL servers and poolers in temporary folders, for scripts that source this file.
# Call find_postgresql first: it sets `programs`, the folder of the server's programs, and `as_owner`, the prefix of
# commands that must not run as root.

# find_postgresql: finds Debian's newest server, or the one on the PATH. Fails without one.
find_postgresql() {
  local on_path folder
  programs=
  on_path=$(readlink -f "$(command -v pg_ctl || echo /)")
  for folder in "$(dirname "$on_path")" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V); do
    if [[ -x $folder/initdb && -x $folder/pg_ctl && -x $folder/pg_basebackup ]]; then programs=$folder; fi
  done
  [[ -n $programs ]] || return 1
  # The server refuses to run as root.
  owner=$(id -un)
  as_owner=()
  if ((EUID == 0)); then
    for owner in postgres nobody; do
      if id "$owner" >/dev/null 2>&1; then break; fi
    done
    as_owner=(setpriv --reuid "$owner" --regid "$(id -g "$owner")" --clear-groups)
  fi
}

# create_database DATA ADDRESS LOG: creates the files of a server that listens at the address and trusts its clients.
create_database() {
  "${as_owner[@]}" "$programs/initdb" --pgdata "$1" --username passkey --auth trust --encoding UTF8 --locale C \
    --no-instructions --no-sync >"$3" 2>&1 || return 1
  # fsync stays on: the tests check durability.
  cat >>"$1/postgresql.conf" <<CONFIGURATION
listen_addresses = '$2'
unix_socket_directories = ''
max_connections = 400
shared_buffers = 64MB
CONFIGURATION
}

# write_pooler FOLDER NAME ADDRESS PORT MODE SESSIONS SERVER SERVER-PORT: writes NAME.ini for PgBouncer, which keeps at
# most this many sessions at the server.
write_pooler() {
  cat >"$1/$2.ini" <<CONFIGURATION
[databases]
* = host=$7 port=$8 user=passkey
[pgbouncer]
listen_addr = $3
listen_port = $4
unix_socket_dir =
auth_type = any
admin_users = passkey
pool_mode = $5
default_pool_size = $6
ignore_startup_parameters = extra_float_digits
pidfile = $1/$2.pid
logfile = $1/$2.log
CONFIGURATION
}
