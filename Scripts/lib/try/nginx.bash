# shellcheck shell=bash disable=SC2154  # The script that sources this file sets `work`, a temporary folder.
# SPDX-License-Identifier: Apache-2.0
#
# An nginx on loopback with a site of Examples. Sourced after Scripts/lib/try/tell.bash.

declare -A processes=()
# end_processes: ends what was started, and removes the folder.
end_processes() {
  local process
  for process in "${processes[@]}"; do
    if kill "$process" 2>/dev/null; then wait "$process" || true; fi
  done
  rm -rf "$work"
}
trap end_processes EXIT
trap 'exit 130' INT TERM

# make_certificate HOST KEY CERTIFICATE: makes a self-signed certificate.
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
    -addext "subjectAltName=DNS:$1" -keyout "$2" -out "$3" 2>/dev/null
}

# start_nginx SITE: starts nginx with the site's configuration file; its logs are in nginx/.
start_nginx() {
  mkdir -p "$work/nginx"
  cat >"$work/nginx.conf" <<CONFIGURATION
pid $work/nginx/pid;
error_log $work/nginx/error.log;
events {}
http {
    access_log off;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;
    include $1;
}
CONFIGURATION
  nginx -q -c "$work/nginx.conf" -g 'daemon off;' 2>>"$work/nginx/start.log" &
  processes[nginx]=$!
}
