#!/bin/bash
# Compiles examples/haptic with compiler $2 and holds them against the tool $1: a bridge over UDP, and a driver.
#   haptic_test.sh TOOL COMPILER
set -eu
. tests/build/support.sh
tool=$1 compiler=$2
tree=$PWD

"$compiler" -std=c++17 -Wall -Wextra -O1 examples/haptic/udp_bridge.cpp -o "$scratch/udp_bridge" ||
  fail "udp_bridge.cpp does not compile"
lines=$(grep -vc '^ *//' examples/haptic/udp_bridge.cpp)
[ "$lines" -le 110 ] || fail "udp_bridge.cpp has $lines lines of code, and is to be short"
port=$((20000 + $$ % 20000))
cd "$scratch"
"$tool" run haptic/virtual_wall --haptic --device udp:$port --time 3 --json > run.json 2> log &
run=$!
./udp_bridge 127.0.0.1 $port 20 > bridge.log || fail "the bridge"
wait $run || fail "a run with a bridge: $(cat log)"
expect_in "device" '"device": "udp:127.0.0.1:' "$(cat run.json)"
wrenches=$(sed 's/ .*//' bridge.log)
[ "$wrenches" -gt 300 ] || fail "the bridge got $wrenches wrenches"

"$compiler" -std=c++17 -Wall -Wextra -O1 -shared -fPIC -I"$tree" -I"$tree/tests/haptic/stub" \
  "$tree/examples/haptic/force_dimension.cpp" -o libforce_dimension.so || fail "the driver does not compile"
answer=$("$tool" run haptic/virtual_wall --haptic --device ./libforce_dimension.so --clock simulated \
  --time 0.5 --json) || fail "a run with the driver"
expect_in "device" '"device": "force dimension"' "$answer"

"$compiler" -std=c++17 -Wall -Wextra -O1 -shared -fPIC -I"$tree" -I"$tree/tests/haptic/stub" \
  "$tree/examples/haptic/space_mouse.cpp" -o libspace_mouse.so || fail "the space mouse does not compile"
answer=$("$tool" run haptic/virtual_wall --haptic --device ./libspace_mouse.so --time 0.5 --json 2> log) ||
  fail "a run with the space mouse: $(cat log)"
expect_in "device" '"device": "space mouse"' "$answer"

# refuses WHAT DEVICE MESSAGE
refuses() {
  local code=0
  "$tool" run haptic/virtual_wall --haptic --device "$2" --time 0.1 2> log > out || code=$?
  expect_equal "exit code, $1" 2 "$code"
  expect_in "message, $1" "$3" "$(cat log)"
}
refuses "a device that is not there" ./libforce_dimension.so:7 "no such device"
refuses "no file" ./none.so "there is no such file"
echo junk > junk.so
refuses "junk" ./junk.so "cannot be loaded"
echo 'int nothing;' > empty.cpp && "$compiler" -shared -fPIC empty.cpp -o empty.so
refuses "no entry" ./empty.so "exports no abut_haptic_driver"
for change in 'version = 2|version 2' 'size = 8|8 bytes' 'read = nullptr|lacks'; do
  cat > other.cpp <<CODE
#include "abut/haptic/device/driver.h"
static void* o(const char*, char*, size_t) { return nullptr; }
static int r(void*, abut_hand*) { return 0; }
static void w(void*, const abut_wrench*) {}
static void c(void*) {}
extern "C" const abut_driver* abut_haptic_driver(void) {
  static abut_driver d = {ABUT_DRIVER_VERSION, sizeof(abut_driver), "other", o, r, w, c, 0, 0};
  d.${change%|*};
  return &d;
}
CODE
  "$compiler" -shared -fPIC -I"$tree" other.cpp -o other.so
  refuses "${change%|*}" ./other.so "${change#*|}"
done
refuses "an unknown name" simulatd "did you mean 'simulated'"
refuses "no port" udp:x "no port"
refuses "nobody answers" haply:ws://127.0.0.1:1 "ws://127.0.0.1:1"
finish
