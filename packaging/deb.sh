#!/bin/sh
# Makes the Debian packages of a build folder:
#
#   packaging/deb.sh BUILD OUT
#
# The tree is not touched: debian/ is put together in OUT/src. lintian has the last word.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^project(abut VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

rm -rf "$out/src" && rm -f "$out"/*.deb
mkdir -p "$out/src"
cp -r "$root/packaging/debian" "$out/src/debian"
# the date of the last change, so that packages of one commit are equal
date=$(git -C "$root" log -1 --format=%aD 2>/dev/null || date -R)
cat > "$out/src/debian/changelog" <<CHANGELOG
abut ($version) bookworm; urgency=medium

  * Version $version; CHANGELOG.md has the changes.

 -- abut developers <abut@example.org>  $date
CHANGELOG
cd "$out/src"
ABUT_ROOT=$root ABUT_BUILD=$build dpkg-buildpackage -b -us -uc -d > "$out/build.log" 2>&1 ||
  { tail -30 "$out/build.log"; exit 1; }
cd "$out"
lintian --fail-on error,warning --allow-root *.deb
ls -l *.deb
