#!/bin/bash
# Installs the build folder $1 and builds a program against the installed tree with
# compiler $2, found by find_package and by pkg-config. The tree is moved before it is
# used, since a package that knows where it was built works on one machine only.
set -eu
. tests/build/support.sh
build=$1 compiler=$2
consumer=$PWD/tests/build/consumer
version=$(sed -n 's/^project(abut VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

cmake --install "$build" --prefix "$scratch/first" > /dev/null
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
library=$(find "$prefix" -name 'libabut.a' -o -name 'libabut.so')
export PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig LD_LIBRARY_PATH=$(dirname "$library")

# a static library: link all of it, so that every name it needs must be found
whole=
case "$library" in *.a) whole="-Wl,--whole-archive $library -Wl,--no-whole-archive" ;; esac

cmake -G Ninja -S "$consumer" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_CXX_COMPILER="$compiler" -DLINK_WHOLE="${whole// /;}" > "$scratch/log" 2>&1 &&
  cmake --build "$scratch/cmake" >> "$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package"; finish; }
expect_equal "version by find_package" "$version" "$("$scratch/cmake/consumer")"

for static in "" --static; do
  "$compiler" -std=c++20 $(pkg-config --cflags abut) "$consumer/main.cpp" -o "$scratch/by-pc" \
    $whole $(pkg-config --libs $static abut) || fail "pkg-config $static"
  expect_equal "version by pkg-config" "$version" "$("$scratch/by-pc")"
done
expect_equal "version of the .pc file" "$version" "$(pkg-config --modversion abut)"

# every header, the tool and the worlds are there
expect_equal "installed headers" "$(find abut -name '*.h' | sort)" \
  "$(cd "$prefix/include" && find abut -name '*.h' | sort)"
if [ -x "$build/abut" ]; then
  "$prefix/bin/abut" --help > /dev/null || fail "the installed tool"
fi
expect_equal "installed worlds" "$(find worlds -type f | sort)" \
  "$(cd "$prefix/share/abut" && find worlds -type f | sort)"

finish
