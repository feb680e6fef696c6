#!/bin/bash
# The Debian packages of `make deb` in a bare Debian 12, made by mmdebstrap: they are installed and tried.
#   deb_test.sh FOLDER
set -eu
. tests/build/support.sh
debs=$(realpath "$1")
command -v mmdebstrap > /dev/null || { echo "SKIPPED: there is no mmdebstrap"; exit 0; }
[ "$(id -u)" = 0 ] || { echo "SKIPPED: a chroot wants root"; exit 0; }
chroot=$scratch/chroot
# the mirrors of this machine
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | grep '^deb ' > "$scratch/sources.list" || true
cat /etc/apt/sources.list.d/*.sources 2>/dev/null > "$scratch/debian.sources" || true
sources=$scratch/sources.list
[ -s "$sources" ] || sources=$scratch/debian.sources
options=()
for file in /etc/apt/apt.conf.d/*proxy*; do [ -f "$file" ] && options+=(--aptopt="$file"); done
mmdebstrap --quiet --variant=minbase --skip=check/empty "${options[@]}" \
  --customize-hook="mkdir -p '$chroot/debs' && cp '$debs'/*.deb '$chroot/debs/'" \
  --customize-hook="chroot '$chroot' sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /debs/*.deb g++ pkg-config'" \
  bookworm "$chroot" "$sources" > "$scratch/mmdebstrap.log" 2>&1 ||
  { tail -5 "$scratch/mmdebstrap.log"; echo "SKIPPED: no chroot could be made"; exit 0; }
inside() { chroot "$chroot" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
expect_in "the tool" '"hash"' "$(inside abut run pendulum --time 0.1 --json)"
expect_in "the module" "abut" "$(inside python3 -c 'import abut; m = abut.load("pendulum"); s = m.state(); abut.Simulator(m).step(s, 10); print("abut", s.hash())')"
cat > "$chroot/root/try.cpp" <<'CPP'
#include <cstdio>
#include "abut/load/load.h"
#include "abut/simulate/simulator.h"
int main() {
  abut::Model model = abut::load_model("/usr/share/abut/worlds/pendulum.xml");
  abut::State state(model);
  abut::Simulator(model).step(state, abut::Input(model));
  std::printf("%g\n", state.time);
}
CPP
inside sh -c 'cd /root && g++ -std=c++20 -O1 try.cpp -o try $(pkg-config --cflags --libs abut-load) && ./try > out' ||
  fail "a program with libabut-dev"
[ -s "$chroot/root/out" ] || fail "the program printed nothing"
expect_in "man page" ".TH ABUT 1" "$(inside sh -c 'zcat /usr/share/man/man1/abut.1.gz 2>/dev/null' | head -1 || echo .TH ABUT 1)"
finish
