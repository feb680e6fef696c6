#!/bin/sh
# Builds the viewer's script from web/:
#
#   cmake/web.sh WEB OUT.js.gz
#
# Without npm, or where npm fails (no network), OUT is empty and everything else still builds:
# `abut view` and the replay in reports then say that they are missing. It is dated back, so that
# the next build tries again.
set -eu
web=$1
out=$2

without() {
  echo "web: $1: building without the viewer's page" >&2
  : > "$out"
  touch -d '2000-01-01' "$out"
  exit 0
}

mkdir -p "$(dirname "$out")"
command -v npm >/dev/null 2>&1 || without "no npm here"
(
  # one at a time: build folders share web/node_modules
  command -v flock >/dev/null 2>&1 && flock 9
  cd "$web"
  # npm's own note of what is installed
  if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
    npm ci --no-progress --loglevel=error >&2 || exit 1
    touch node_modules/.package-lock.json
  fi
  npm run --silent build -- --outDir "$(dirname "$out")" --logLevel warn >&2
) 9> "$(dirname "$out")/lock" || without "npm failed"
node -e 'const { readFileSync, writeFileSync } = require("fs");
  writeFileSync(process.argv[2], require("zlib").gzipSync(readFileSync(process.argv[1]), { level: 9 }));' \
  "${out%.gz}" "$out" || without "vite made no script"
