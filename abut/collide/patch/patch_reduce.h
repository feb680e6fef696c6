// Fewer points for a patch, with nearly the wrench cone of all of them (docs/contact.md).
//
// The rows of a patch share one normal n. A contact force f at a point r has the wrench (f, r x f),
// and the row of its gap reads n . (v + w x r) >= -psi / h: both are linear in the place (u, v) of
// the point in the plane of the patch, and the row in the gap psi. A point between others adds
// nothing, if its gap is no less than theirs are there. So what counts is the lower convex hull of
// all (u, v, psi), and points are kept until that of the kept ones is the same to a tolerance.
#pragma once

#include <cstdint>
#include <span>

#include "abut/collide/patch/patch_points.h"

namespace abut {

struct ReduceOptions {
  int most = 0;      // points that are kept, at least 1, at most HullAbove::kMost
  double reach = 0;  // m: no gap is larger
  double size = 0;   // m: L of the pair
  // Names of the points that were kept last time (State's contact memory): these are kept again
  // while they do nearly as well as the best, so that impulses find their points from step to step.
  std::span<const std::uint64_t> kept_before = {};
};

// Keeps at most `most` of the scratch's points, in their order: the deepest, then always the one
// that is farthest from what the kept ones imply, until none is farther than kPatchTolerance.
// Returns how far the farthest is that was dropped: a fraction of the patch's radius along its
// plane, kGapWeight times a fraction of the gaps' range along the normal.
// The same points in the same order give the same answer; of equals the first is kept.
double keep_few(PatchScratch& scratch, const ReduceOptions& options);

}  // namespace abut
