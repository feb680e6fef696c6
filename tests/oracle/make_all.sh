#!/bin/sh
# Writes every fixture of tests/data/mujoco anew; see README.md.
set -eu
cd "$(dirname "$0")/../.."
out=tests/data/mujoco
rm -rf "$out"

make_fixtures() { node tests/oracle/make_fixtures.mjs --root . --out "$out" "$@"; }

make_fixtures --steps tests/data/mjcf/*.xml tests/data/urdf/*.urdf
for world in worlds/*.xml; do
  case $world in
    worlds/bodies1000.xml | worlds/boxes2000.xml) ;; # mass matrices of 6,000 rows and more
    worlds/chain90.xml) make_fixtures --states 2 "$world" ;;
    *) make_fixtures --steps "$world" ;;
  esac
done
