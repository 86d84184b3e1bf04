#!/bin/sh
# Starts the server in the current directory once, waits until it is ready and stops it again: what the
# build of the image does at its end. Exits with 0 when all of that went well.
set -eu
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
export LATCHKEY_DATA_DIR="$data" LATCHKEY_HOST=127.0.0.1 LATCHKEY_PORT="${LATCHKEY_PORT:-8787}"
node bin/latchkey.js serve >"$data/log" 2>&1 &
server=$!
tries=0
until node -e "fetch('http://127.0.0.1:$LATCHKEY_PORT/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
    cat "$data/log" >&2
    exit 1
  fi
  sleep 0.2
done
node -e "fetch('http://127.0.0.1:$LATCHKEY_PORT/').then(({ status }) => process.exit(status === 503 ? 1 : 0))" || {
  echo 'the dashboard is not built' >&2
  exit 1
}
kill -TERM "$server"
wait "$server"
