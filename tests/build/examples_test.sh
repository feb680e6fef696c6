#!/bin/bash
# The examples of public headers and of docs/api.md compile, with compiler $1 (examples.awk).
#   examples_test.sh COMPILER EIGEN_FOLDER..
set -eu
. tests/build/support.sh
compiler=$1 && shift
headers=$(awk '/^abut\// && $3 != "detail" { print $1 }' cmake/public_headers.txt)
{
  printf '#include "%s"\n' $headers
  awk -f tests/build/examples.awk $headers docs/api.md
} > "$scratch/examples.cpp"
examples=$(grep -c 'namespace example_' "$scratch/examples.cpp")
[ "$examples" -gt 60 ] || fail "only $examples examples were found"
check() { "$compiler" -std=c++20 -fsyntax-only -w -I. "${@/#/-isystem}" "$scratch/examples.cpp"; }
check "$@" || fail "an example does not compile"
finish
