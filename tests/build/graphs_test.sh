#!/bin/bash
# The graphs of docs/architecture.md are those of the tree.
set -eu
. tests/build/support.sh

docs/draw.sh --check || fail "the graphs are of another tree"
expect_in "modules of a folder" 'collide_patch_patch["collide/patch/patch"] --> ' \
  "$(docs/draw.sh --modules collide/patch)"

# a new include is seen, in a copy
mkdir "$scratch/docs"
cp docs/draw.sh docs/architecture.md "$scratch/docs"
cp -r abut "$scratch"
echo '#include "abut/view/plot/plot.h"' >> "$scratch/abut/math/types.h"
"$scratch/docs/draw.sh" --check > "$scratch/log" && fail "an include that is not drawn"
expect_in "what would change" 'math["math"] --> view["view"]' "$(cat "$scratch/log")"
"$scratch/docs/draw.sh" && "$scratch/docs/draw.sh" --check || fail "drawn anew it is as it says"
finish
