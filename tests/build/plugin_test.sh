#!/bin/bash
# Builds the programs of docs/add-a-contact-model.md against an installed tree, and runs its
# commands; then plug-ins that do not fit.
#   plugin_test.sh BUILD_FOLDER COMPILER
set -eu
. tests/build/support.sh
build=$1 compiler=$2
page=$PWD/docs/add-a-contact-model.md

cmake --install "$build" --prefix "$scratch/first" > /dev/null
mv "$scratch/first" "$scratch/prefix"
export PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name abut.pc)")
export PATH=$scratch/prefix/bin:$PATH

# the blocks of code of the page, each under the name in its first line
mkdir "$scratch/work" && cd "$scratch/work"
awk '/^```cpp/ { copies = 1; next } /^```/ { copies = 0 }
     copies && /^\/\/ [a-z]+\.cpp:/ { file = substr($2, 1, length($2) - 1) }
     copies { print > file }' "$page"
expect_equal "programs of the page" "hunt.cpp jacobi.cpp" "$(echo *.cpp)"
build_plugin() { "$compiler" -std=c++20 -O1 -shared -fPIC $(pkg-config --cflags abut) "$@"; }
for name in hunt jacobi; do
  build_plugin $name.cpp -o lib$name.so || fail "$name.cpp does not compile"
done

expect_in "models" "hunt-crossley" "$(abut models --plugin ./libhunt.so)"
answer=$(abut run drop --plugin ./libhunt.so --contact hunt-crossley --step 0.001 --time 2 --json) ||
  fail "run with the plug-in"
expect_in "the model that ran" '"contact": "hunt-crossley"' "$answer"
abut run drop --plugin ./libhunt.so --contact hunt-crossley --data volume --time 0.1 2> log &&
  fail "data that the model does not take"
expect_in "refusal" "does not go with" "$(cat log)"
abut run drop --contact hunt-crossley --time 0.1 2> log && fail "the model without its plug-in"
expect_in "message" "there is no contact model 'hunt-crossley'" "$(cat log)"

echo '{"kind": "lcp", "n": 2, "A": [2, 1, 1, 3], "b": [-1, -1]}' > problem.json
answer=$(abut solve problem.json --plugin ./libjacobi.so --solver jacobi --json) || fail "solve"
expect_in "the solver that answered" '"solver": "jacobi"' "$answer"
expect_in "its status" '"status": "solved"' "$answer"

# the version that plug-ins are built for is that of the project
version=$(sed -n 's/^project(abut VERSION \([0-9]*\.[0-9]*\).*/\1/p' "$OLDPWD/CMakeLists.txt")
expect_in "kPluginAbut" "kPluginAbut = \"$version\"" "$(cat "$OLDPWD/abut/contact/plugin.h")"

# refuses WHAT FILE MESSAGE
refuses() {
  local code=0
  abut run drop --plugin "$2" --time 0.1 2> log > out || code=$?
  expect_equal "exit code, $1" 2 "$code"
  expect_in "message, $1" "$3" "$(cat log)"
}
refuses "no file" ./none.so "there is no such file"
echo junk > junk.so
refuses "junk" ./junk.so "cannot be loaded"
echo 'int nothing;' > empty.cpp && build_plugin empty.cpp -o empty.so
refuses "no entry" ./empty.so "exports no abut_plugin"
for change in 'version = 99|version 99' 'version = 0|version 0' 'abut = "9.9"|abut 9.9' 'alignment = 64|alignment 64'; do
  cat > other.cpp <<CODE
#include "abut/contact/plugin.h"
extern "C" const abut::PluginInfo* abut_plugin() {
  static abut::PluginInfo info;
  info.${change%|*};
  info.add = [](abut::PluginHost&) {};
  return &info;
}
CODE
  build_plugin other.cpp -o other.so
  refuses "${change%|*}" ./other.so "${change#*|}"
done
cp libhunt.so twice.so
abut run drop --plugin ./libhunt.so --plugin ./twice.so --time 0.1 2> log && fail "one name twice"
expect_in "message, one name twice" "already" "$(cat log)"
finish
