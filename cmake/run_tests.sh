#!/bin/sh
# Runs the tests of a build folder and sums up:
#
#   cmake/run_tests.sh BUILD [ctest arguments]
#
# Lists each skipped test with its reason; the last line reads
# "N passed, N failed, N skipped". Exits as ctest does.
set -eu
here=$(dirname "$0")
build=$1
shift

report=$build/tests.xml
rm -f "$report"
status=0
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 600 \
      --output-junit "$(cd "$build" && pwd)/tests.xml" "$@" || status=$?
[ -f "$report" ] || { echo "no test ran" >&2; exit 1; }
echo
awk -f "$here/summarize_tests.awk" "$report"
exit $status
