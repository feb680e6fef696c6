#!/bin/bash
# cmake/packages.txt names everything that the tree asks for, and cmake/deps.sh asks
# for all of it on a machine that has nothing. A machine that has everything would
# hide a missing name, so no package of this one is looked at: dpkg, apt-get, sudo and
# id are stand-ins.
set -eu
. tests/build/support.sh

packages_tagged() { # TAG..: the packages that carry one of the tags, sorted
  awk -v tags="$*" 'BEGIN { n = split(tags, want, " ") }
    /^[^#]/ && NF { for (i = 1; i <= n; ++i) if (("," $2 ",") ~ ("," want[i] ",")) { print $1; next } }' \
    cmake/packages.txt | sort
}

# --- every dependency of the tree has its package, with the right tag --------------

# answers KEY TAG..: is there a line with this key and one of the tags?
answers() {
  local key=$1
  shift
  awk -v key="$key" -v tags="$*" 'BEGIN { n = split(tags, want, " ") }
    /^[^#]/ { for (f = 3; f <= NF; ++f) {
      # an include is answered for by its folder
      hit = $f == key || (key ~ /^include:/ && $f ~ /\/$/ && index(key, $f) == 1)
      for (i = 1; hit && i <= n; ++i) if (("," $2 ",") ~ ("," want[i] ",")) found = 1
    } }
    END { exit !found }' "${list:-cmake/packages.txt}"
}

# The tags that are installed when a file is built.
tags_of() {
  case "$1" in
    tests/*) echo run test ;;
    bench/*) echo run bench ;;
    python/*) echo run python ;;
    tools/mpi/*) echo run cluster ;;
    examples/*) echo run device ;;
    *) echo run ;;
  esac
}

# Headers that come with the compiler and the C library.
is_system_header() {
  case "$1" in
    sys/* | arpa/* | netinet/* | net/* | linux/* | bits/*) return 0 ;;
    *intrin.h | cpuid.h | cxxabi.h | execinfo.h | dirent.h | dlfcn.h | fcntl.h | fenv.h | poll.h | \
    malloc.h | semaphore.h | pthread.h | sched.h | signal.h | spawn.h | termios.h | time.h | unistd.h | netdb.h) return 0 ;;
    assert.h | ctype.h | errno.h | float.h | limits.h | locale.h | math.h | setjmp.h | stdarg.h | \
    stddef.h | stdint.h | stdio.h | stdlib.h | string.h) return 0 ;;
    */* | *.*) return 1 ;;
    *) return 0 ;; # <vector>
  esac
}

# dependencies FOLDER: lines "file key", for each thing that a file asks for
dependencies() {
  (cd "$1" && find . \( -path ./build -o -name .git -o -name node_modules \) -prune -o \
      -type f \( -name CMakeLists.txt -o -name '*.cmake' -o -name '*.h' -o -name '*.cpp' \) -print |
    sed 's|^\./||' | sort | while read -r file; do
      case "$file" in
        *.h | *.cpp)
          sed -n 's/^[ \t]*#[ \t]*include[ \t]*<\([^>]*\)>.*/\1/p' "$file" | while read -r header; do
            is_system_header "$header" || echo "$file include:$header"
          done ;;
        *)
          sed -n 's/^[^#]*find_package(\([A-Za-z0-9_]*\).*/cmake:\1/p;
                  s/^[^#]*find_program([^ ]* \([A-Za-z0-9_+-]*\).*/program:\1/p' "$file" |
            sed "s|^|$file |"
          sed -n 's/^[^#]*pkg_\(check\|search\)_modules*(\([^)]*\)).*/\2/p' "$file" |
            tr ' ' '\n' | grep -v -x -e '' -e REQUIRED -e QUIET -e IMPORTED_TARGET -e '[A-Z_0-9]*' |
            sed "s|[<>=].*||; s|^|$file pc:|" || true ;;
      esac
    done)
}

# unanswered FOLDER: those that no package of the right tag answers for
unanswered() {
  dependencies "$1" | while read -r file key; do
    case "$file" in tests/build/consumer/*) continue ;; esac # finds abut itself
    case "$key" in
      program:*) answers "$key" $(tags_of "$file") dev || echo "$file: $key" ;;
      *) answers "$key" $(tags_of "$file") || echo "$file: $key" ;;
    esac
  done
}

expect_equal "dependencies without a package" "" "$(unanswered .)"
for program in make g++ cmake ninja; do
  answers "program:$program" run || fail "no package brings $program"
done
answers program:npm run || fail "no package brings npm"
answers program:chromium test || fail "no package brings chromium"
answers program:pkg-config test || fail "no package brings pkg-config"

# the scan sees what it must
mkdir -p "$scratch/tree/abut" "$scratch/tree/tests"
printf 'find_package(Eigen3 3.4)\nfind_package(HAL9000 REQUIRED)\n# find_package(Commented)\n' \
  > "$scratch/tree/CMakeLists.txt"
printf 'find_package(GTest)\npkg_check_modules(CAR REQUIRED IMPORTED_TARGET flux-capacitor>=1.21)\n' \
  > "$scratch/tree/tests/CMakeLists.txt"
printf '#include <vector>\n#include <Eigen/Core>\n#include <gtest/gtest.h>\n#include <warp.hpp>\n' \
  > "$scratch/tree/abut/a.h"
expect_equal "planted dependencies" "CMakeLists.txt: cmake:HAL9000
abut/a.h: include:gtest/gtest.h
abut/a.h: include:warp.hpp
tests/CMakeLists.txt: pc:flux-capacitor" "$(unanswered "$scratch/tree")"

# and a name that is struck from the list is missed
grep -v '^libpugixml-dev' cmake/packages.txt > "$scratch/short.txt"
expect_in "a name struck from the list" "cmake:pugixml" "$(list=$scratch/short.txt unanswered .)"

# --- deps.sh on machines of all kinds ----------------------------------------------

# machine NAME TOOL..: a PATH with the plain tools and the given stand-ins
machine() {
  bin=$scratch/$1
  mkdir "$bin"
  for tool in sh awk grep cat dirname env true; do ln -s "$(type -P $tool)" "$bin/$tool"; done
  shift
  for tool in "$@"; do
    case "$tool" in
      empty-dpkg) stub dpkg-query 'echo "dpkg-query: no packages found" >&2; exit 1' ;;
      full-dpkg) stub dpkg-query 'shift 2; for p; do echo "installed $p"; done' ;;
      # knows every package but the last, of which the settings alone are left
      other-dpkg) stub dpkg-query 'shift 2; while [ $# -gt 1 ]; do echo "installed $1"; shift; done
                                   echo "config-files $1"' ;;
      apt) stub apt-get "echo \"\$@\" >> $scratch/apt.log" ;;
      # has no package lists before an update
      bare-apt) stub apt-get "echo \"\$@\" >> $scratch/apt.log
        case \"\$*\" in
          *update*) : > $scratch/updated ;;
          *install*) test -f $scratch/updated ;;
        esac" ;;
      broken-apt) stub apt-get 'exit 100' ;;
      npm-less-dpkg) stub dpkg-query 'shift 2; for p; do test $p = npm || echo "installed $p"; done' ;;
      npm-less-apt) stub apt-get "echo \"\$@\" >> $scratch/apt.log
        case \"\$*\" in *install*npm*) exit 100 ;; esac" ;;
      npm) stub npm 'exit 0' ;;
      root) stub id 'echo 0' ;;
      user) stub id 'echo 1000' ;;
      sudo) stub sudo "test \"\$1\" = -n || exit 1; shift; echo sudo >> $scratch/apt.log; exec \"\$@\"" ;;
      sudo-asks) stub sudo 'exit 1' ;;
    esac
  done
}
stub() { printf '#!/bin/sh\n%s\n' "$2" > "$bin/$1"; chmod +x "$bin/$1"; }

# deps TAG..: runs deps.sh there; sets status, said, asked (packages given to apt-get)
deps() {
  rm -f "$scratch/apt.log" "$scratch/updated"
  : > "$scratch/apt.log"
  status=0
  said=$(ABUT_SKIP_DEPS='' PATH=$bin "$bin/sh" cmake/deps.sh "$@" 2>&1) || status=$?
  asked=$(grep 'install -y' "$scratch/apt.log" | tail -1 | tr ' ' '\n' |
          sed '1,/--no-install-recommends/d' | sort)
}

machine bare empty-dpkg bare-apt root
for tags in run "run test" "run bench" python dev; do
  deps $tags
  expect_equal "status on a bare machine ($tags)" 0 "$status"
  expect_equal "packages asked for ($tags)" "$(packages_tagged $tags)" "$asked"
  expect_in "update on a bare machine" update "$(cat "$scratch/apt.log")"
done
deps run
case "$asked" in *gtest* | *benchmark* | *ccache*) fail "run alone asks for too much: $asked" ;; esac

deps kitchen
expect_equal "status for an unknown tag" 2 "$status"
expect_in "an unknown tag" "unknown tag 'kitchen'" "$said"

machine full full-dpkg apt root
deps run test bench
expect_equal "a full machine: status, words, calls of apt-get" "0::" "$status:$said:$(cat "$scratch/apt.log")"

machine almost other-dpkg apt root
deps run
expect_equal "the one that is missing" "$(awk '/^[^#]/ && $2 ~ /run/ { last = $1 } END { print last }' \
             cmake/packages.txt)" "$asked"
case "$(cat "$scratch/apt.log")" in *update*) fail "update, although the lists are there" ;; esac

# a program that came another way will do
machine own-npm empty-dpkg apt root npm
deps run
expect_equal "packages asked for beside an npm of one's own" "$(packages_tagged run | grep -vx npm)" "$asked"

machine with-sudo empty-dpkg apt user sudo
deps run
expect_equal "packages asked for with sudo" "$(packages_tagged run)" "$asked"
expect_in "sudo is used" sudo "$(cat "$scratch/apt.log")"

# refused KIND: nothing is installed; the message has the packages and what to type
refused() {
  deps run
  expect_equal "$1: status" 1 "$status"
  expect_equal "$1: packages asked for" "" "$asked"
  expect_in "$1" "apt-get install --no-install-recommends make g++ cmake" "$said"
  for package in $(packages_tagged run); do expect_in "$1" "$package" "$said"; done
}
machine no-rights empty-dpkg apt user
refused "without sudo"
expect_in "without sudo" "no right to install" "$said"
machine asking empty-dpkg apt user sudo-asks
refused "sudo that asks for a password"
machine no-apt empty-dpkg root
refused "without apt-get"
expect_in "without apt-get" "there is no apt-get here" "$said"
machine broken empty-dpkg broken-apt root
refused "apt-get that fails"

# what abut builds without is no reason to stop
for kind in "broken-apt root" "apt user" "root"; do
  machine "no-npm-${kind%% *}" npm-less-dpkg $kind
  deps run
  expect_equal "status without npm alone ($kind)" 0 "$status"
  expect_in "without npm alone ($kind)" "there will be no viewer" "$said"
done
# apt-get that has all but npm
machine npm-less-apt empty-dpkg npm-less-apt root
deps run
expect_equal "status where apt-get has no npm" 0 "$status"
expect_equal "packages asked for where apt-get has no npm" "$(packages_tagged run | grep -vx npm)" "$asked"
expect_in "where apt-get has no npm" "there will be no viewer" "$said"

machine other-system root
deps run
expect_equal "status on a system that is not Debian" 0 "$status"
expect_in "a system that is not Debian" "not a Debian system" "$said"
expect_in "a system that is not Debian" "libeigen3-dev" "$said"

finish
