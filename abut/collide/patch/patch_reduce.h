// Fewer points for a patch, if a bound on their number was asked for.
#pragma once

#include "abut/collide/patch/patch_points.h"

namespace abut {

// Keeps `most` (at least 1) of the scratch's points, in their order: the deepest, the one
// farthest from it, and then always the one that adds most to the area of what they span.
// The same points in the same order give the same answer; of equals the first is kept.
void keep_extremes(PatchScratch& scratch, int most);

}  // namespace abut
