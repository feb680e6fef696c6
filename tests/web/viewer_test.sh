#!/bin/sh
# tests/web/viewer_test.mjs, where there is what it needs:
#
#   tests/web/viewer_test.sh ABUT PICTURES
set -eu
command -v npm >/dev/null 2>&1 || { echo "SKIPPED: no npm here, so there is no viewer to try"; exit 0; }
[ -n "${ABUT_CHROMIUM:-}" ] || command -v chromium >/dev/null 2>&1 ||
  { echo "SKIPPED: no chromium here to try the viewer in"; exit 0; }
# where npm is there, its packages must be too: the build installed them
[ -d web/node_modules/playwright-core ] || { echo "web/node_modules is missing: npm failed in the build"; exit 1; }
web/node_modules/.bin/tsc --noEmit -p web
exec node tests/web/viewer_test.mjs "$1" worlds "$2"
