#!/bin/sh
# Installs the Debian packages of packages.txt that carry one of the given tags:
#
#   cmake/deps.sh run test
#
# Silent and quick when all are there. When something is missing and may not be
# installed from here, says what to type and exits 1; for what is optional alone it says
# what there will not be, and exits 0. On a system without dpkg it
# names what is needed and exits 0: CMake will say what it can't find.
# ABUT_SKIP_DEPS=1 trusts the machine as it is.
set -eu

list=$(dirname "$0")/packages.txt
known="run test bench fuzz docs python cluster package dev"

say() { printf '%s\n' "$*" >&2; }

[ "${ABUT_SKIP_DEPS:-0}" = 1 ] && exit 0
[ $# -gt 0 ] || { say "usage: $0 TAG..   (tags: $known)"; exit 2; }
for tag in "$@"; do
  case " $known " in
    *" $tag "*) ;;
    *) say "deps: unknown tag '$tag' (tags: $known)"; exit 2 ;;
  esac
done

# the packages that carry one of the tags
wanted=$(awk -v tags="$*" '
  BEGIN { n = split(tags, want, " ") }
  /^[^#]/ && NF >= 2 { for (i = 1; i <= n; ++i) if (index("," $2 ",", "," want[i] ",")) { print $1; next } }
' "$list")
[ -n "$wanted" ] || exit 0

if ! command -v dpkg-query >/dev/null 2>&1; then
  say "deps: this is not a Debian system, so nothing was checked or installed."
  say "deps: abut needs what Debian calls:" $wanted
  exit 0
fi

# those that are not installed (an unknown package makes dpkg-query complain: no news)
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
            awk '$1 == "installed" { print $2 }') || true
has_program_of() { # PACKAGE: is the program that does as well (or:NAME) there?
  program=$(awk -v package="$1" '$1 == package {
    for (i = 3; i <= NF; ++i) if (sub(/^or:/, "", $i)) print $i }' "$list")
  [ -n "$program" ] && command -v "$program" >/dev/null 2>&1
}
missing=$(for package in $wanted; do
  printf '%s\n' "$installed" | grep -qxF -e "$package" || has_program_of "$package" ||
    printf '%s ' "$package"
done)
missing=${missing% }
[ -n "$missing" ] || exit 0

# of those, what abut does without (optional:NAME), and what not
is_optional() { awk -v package="$1" '$1 == package && / optional:/ { found = 1 } END { exit !found }' "$list"; }
optional=$(for package in $missing; do is_optional "$package" && printf '%s ' "$package"; done) || true
needed=$(for package in $missing; do is_optional "$package" || printf '%s ' "$package"; done) || true

go_without() {
  for package in $optional; do
    lost=$(awk -v package="$package" '$1 == package {
      for (i = 3; i <= NF; ++i) if (sub(/^optional:/, "", $i)) print $i }' "$list")
    say "deps: no $package ($1): there will be no $lost"
  done
  exit 0
}
give_up() {
  [ -n "$needed" ] || go_without "$1"
  say "deps: missing packages: $missing"
  say "deps: $1; as an administrator, type:"
  say "  apt-get update && apt-get install --no-install-recommends $missing"
  say "deps: (ABUT_SKIP_DEPS=1 skips this check, if they are installed some other way)"
  exit 1
}

command -v apt-get >/dev/null 2>&1 || give_up "there is no apt-get here"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  give_up "no right to install them from here"
fi

apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"; }
install() { apt install -y -q --no-install-recommends "$@"; }

say "deps: installing $missing"
# a fresh machine has no package lists, and old lists name files that are gone
if ! apt install --dry-run -qq --no-install-recommends $missing >/dev/null 2>&1; then
  apt update -q || give_up "apt-get update failed"
  install $missing && exit 0
else
  install $missing && exit 0
  apt update -q && install $missing && exit 0
fi
# perhaps it is only what is optional
[ -n "$optional" ] || give_up "apt-get install failed"
[ -z "$needed" ] || install $needed || give_up "apt-get install failed"
go_without "apt-get install failed"
