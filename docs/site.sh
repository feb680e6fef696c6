#!/bin/sh
# Writes the documentation site: all pages with a search, and the reference of the public headers.
#
#   docs/site.sh FOLDER
#
# Needs doxygen (make docs installs it); what Doxygen complains about is an error.
set -eu
out=$1
mkdir -p "$out"
headers=$(awk '/^abut\// && $3 != "detail" { print $1 }' cmake/public_headers.txt)
{
  cat docs/Doxyfile
  # shellcheck disable=SC2086
  echo "OUTPUT_DIRECTORY = $out" "
USE_MDFILE_AS_MAINPAGE = $PWD/README.md
STRIP_FROM_PATH = $PWD
INPUT += $(echo $headers)"
} > "$out/Doxyfile"
doxygen "$out/Doxyfile" 2> "$out/complaints.txt"
if [ -s "$out/complaints.txt" ]; then
  cat "$out/complaints.txt" >&2
  exit 1
fi
cp -r docs/images "$out/"
rm -f "$out/Doxyfile" "$out/complaints.txt"
echo "open $out/index.html in a browser"
