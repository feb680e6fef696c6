#!/bin/sh
# A corpus of contact problems: what `abut run --dump-problems` writes of our worlds, thinned out.
#
#   tests/support/corpus.sh ABUT FOLDER     the abut tool; where problems go (*.json)
#
# The names say where each came from: world, model, friction, number in the run. Problems in
# pyramids are told from others by that; tests/contact/corpus_test.cpp solves all with the step's
# own chains.
set -eu
abut=$1
out=$2
worlds=$(cd "$(dirname "$0")/../../worlds" && pwd)
mkdir -p "$out"
rm -f "$out"/*.json
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# dump WORLD SECONDS KEEP FLAGS..: of the run's problems at most KEEP, spread over it
dump() {
  world=$1; seconds=$2; keep=$3
  shift 3
  name=$(basename "$world" .xml)_$(echo "$*" | sed 's/ --push [^ ]*//; s/--[a-z]* *//g; s/[ :]/-/g')
  rm -rf "$scratch/problems"
  "$abut" run "$world" --time "$seconds" --quiet --measure off --dump-problems "$scratch/problems" "$@"
  files=$(ls "$scratch/problems" | wc -l)
  [ "$files" -gt 0 ] || return 0
  every=$(( (files + keep - 1) / keep ))
  i=0
  for file in "$scratch"/problems/*.json; do
    if [ $(( i % every )) -eq 0 ]; then cp "$file" "$out/${name}_$(printf %05d $((i + 1))).json"; fi
    i=$((i + 1))
  done
}

# n boxes of 1 m, the top one heavier, pushed off the middle so that they slip and tip
column() {
  echo "<mujoco><option timestep='0.0041666666666666666'/><worldbody><geom type='plane' size='9 9 1'/>"
  i=0
  while [ $i -lt "$1" ]; do
    mass=1
    if [ $((i + 1)) -eq "$1" ]; then mass=$2; fi
    echo "<body name='b$i' pos='0.0$((i % 3)) 0 $i.5'><freejoint/>"
    echo "<geom type='box' size='.5 .5 .5' mass='$mass' friction='0.$((3 + i % 4))'/></body>"
    i=$((i + 1))
  done
  echo "</worldbody></mujoco>"
}
column 5 1 > "$scratch/column5.xml"
column 10 100 > "$scratch/column10.xml"
column 20 1 > "$scratch/column20.xml"

for friction in cone pyramid:4 pyramid:8 none; do
  for model in st ap; do
    flags="--contact $model --friction $friction"
    # shellcheck disable=SC2086
    {
      dump "$worlds/drop.xml" 2 6 $flags
      dump "$worlds/graze.xml" 1 6 $flags
      dump "$worlds/demo.xml" 2 10 $flags
      dump "$worlds/box_in_box.xml" 0.5 4 $flags
      dump "$worlds/incline.xml" 0.5 4 $flags
      dump "$worlds/pushed_rectangle.xml" 2 10 $flags
      dump "$worlds/five_bodies.xml" 2 16 $flags
      dump "$worlds/sunk_tower.xml" 1 8 $flags
      dump "$worlds/four_bar.xml" 0.5 4 $flags
      dump "$worlds/chain6.xml" 0.3 4 $flags
      dump "$scratch/column5.xml" 2 8 $flags --push 0.5,0.2,b4,20,5,0
    }
  done
done
for model in st ap; do
  dump "$worlds/humanoid.xml" 1 10 --contact $model
  dump "$worlds/gripper.xml" 1 10 --contact $model
  dump "$worlds/ragdoll.xml" 2 12 --contact $model
  dump "$worlds/diff_drive.xml" 1 8 --contact $model
  dump "$worlds/wrecking_ball.xml" 1.5 40 --contact $model
  dump "$scratch/column10.xml" 2 8 --contact $model --push 0.5,0.2,b9,2000,500,0
  dump "$scratch/column20.xml" 1 8 --contact $model --push 0.2,0.2,b10,30,10,0
done
echo "$(ls "$out" | wc -l) problems in $out"
