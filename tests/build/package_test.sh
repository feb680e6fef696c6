#!/bin/bash
# Installs the build folder $1 and builds programs against the installed tree with compiler $2, one of
# each part of the library and one of all, found by find_package and by pkg-config. The tree is moved
# before it is used, since a package that knows where it was built works on one machine only.
set -eu
. tests/build/support.sh
build=$1 compiler=$2
consumer=$PWD/tests/build/consumer
version=$(sed -n 's/^project(abut VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
parts="solve core load record haptic view"

cmake --install "$build" --prefix "$scratch/first" > /dev/null
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
libraries=$(dirname "$(find "$prefix" -name 'libabut_solve.a' -o -name 'libabut_solve.so')")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries

# whole PART: flags to link all of a static library, so that every name it needs must be found
whole() {
  local part
  for part in $(if [ "$1" = all ]; then echo $parts; else echo "$1"; fi); do
    [ ! -f "$libraries/libabut_$part.a" ] ||
      echo "-Wl,--whole-archive $libraries/libabut_$part.a -Wl,--no-whole-archive"
  done
}
# what a part does not need, by a target of its package
absent() {
  case $1 in
    solve) echo "Qhull::qhull_r;hdf5::hdf5;assimp::assimp;pugixml::pugixml;abut::abut" ;;
    core) echo "hdf5::hdf5;assimp::assimp;pugixml::pugixml;abut::abut" ;;
    load) echo "hdf5::hdf5;abut::abut" ;;
    record | haptic | view) echo "assimp::assimp;pugixml::pugixml;abut::abut" ;;
  esac
}
# what a program of the part prints, and what it is given
printed() {
  case $1 in
    all) echo "$version" ;;
    solve) echo "2 0" ;;
    core) echo 0.95 ;;
    load) echo 1 ;;
    record | haptic | view) echo 1 ;;
  esac
}
given() {
  case $1 in
    load) echo "$prefix/share/abut/worlds/pendulum.xml" ;;
    record) echo "$scratch/out.h5" ;;
  esac
}

for part in all $parts; do
  flags=$(whole $part)
  { cmake -G Ninja -S "$consumer" -B "$scratch/$part" -DCMAKE_PREFIX_PATH="$prefix" -DPART=$part \
      -DCMAKE_CXX_COMPILER="$compiler" -DLINK_WHOLE="${flags//[ $'\n']/;}" -DABSENT="$(absent $part)" &&
    cmake --build "$scratch/$part"; } > "$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "find_package of $part"
    continue
  }
  expect_equal "$part by find_package" "$(printed $part)" "$("$scratch/$part/consumer" $(given $part))"

  name=abut-$part
  [ $part != all ] || name=abut
  "$compiler" -std=c++20 $(pkg-config --cflags $name) -c "$consumer/$part.cpp" -o "$scratch/$part.o"
  for static in "" --static; do
    "$compiler" "$scratch/$part.o" -o "$scratch/by-pc" $flags $(pkg-config --libs $static $name) ||
      fail "pkg-config $static $name"
    expect_equal "$part by pkg-config $static" "$(printed $part)" "$("$scratch/by-pc" $(given $part))"
  done
  expect_equal "version of $name.pc" "$version" "$(pkg-config --modversion $name)"
done

# the solvers link nothing else
for library in qhull hdf5 assimp pugixml fmt png; do
  case $(ldd "$scratch/solve/consumer") in
    *lib$library*) fail "a program of the solvers links $library" ;;
  esac
done
cmake -G Ninja -S "$consumer" -B "$scratch/none" -DCMAKE_PREFIX_PATH="$prefix" -DPART=kitchen \
      -DCMAKE_CXX_COMPILER="$compiler" > "$scratch/log" 2>&1 && fail "a component that is not there"
expect_in "message of a component that is not there" "no component 'kitchen'" "$(tr -s ' \n' ' ' < "$scratch/log")"

# the public headers and no others, the tool and the worlds are there
expect_equal "installed headers" "$(awk '/^abut\// { print $1 }' cmake/public_headers.txt | sort)" \
  "$(cd "$prefix/include" && find abut -name '*.h' | sort)"
if [ -x "$build/abut" ]; then
  "$prefix/bin/abut" --help > /dev/null || fail "the installed tool"
fi
expect_equal "installed worlds" "$(find worlds -type f | sort)" \
  "$(cd "$prefix/share/abut" && find worlds -type f | sort)"

finish
