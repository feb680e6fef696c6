// Patch: the contact points of a pair for a step, each with its own gap.
//
// Seen along the pair's normal, the side of A that faces B is a surface of faces, and the side of B
// that faces A is another. Projected onto a plane, the two surfaces make a planar map. Over each
// cell of the map the gap between the surfaces is a linear function; over the whole map the gap is
// convex. So the corners of the map describe, to first order, every possible motion of the pair.
// The corners are vertices of one solid over faces of the other, and crossings of their edges. A
// patch holds all corners where the gap is within `reach`, and no other points:
//   box on box       the corners of the two faces' intersection, 4 or 8
//   box tilted a bit the same corners with gaps that differ, not one edge
//   two roof ridges  their crossing, and what else lies within reach
// This generalises the clipping of a reference face by an incident face: it includes all faces that
// come near each other, and neither solid is the reference. Condition (2) of Cheng Yi and
// Drumwright holds: if no gap shrinks to first order, the pair's distance does not shrink either.
//
// On a half-space the points are the other solid's vertices that face it. A capsule has its two
// ends (the ends of the overlap if two capsules lie side by side). A cylinder has eight rim points
// at fixed azimuths and the deepest point, or the two ends of the line it lies on. Spheres and
// ellipsoids have one point.
//
//   abut::PatchScratch scratch;  // keep it: a warm call allocates nothing
//   const abut::Proximity near = abut::proximity(a, X_WA, b, X_WB);
//   abut::append_patch(a, X_WA, b, X_WB, near, {.reach = 0.01}, scratch, contacts);
//   contacts.patches.back().geom_a = geom_a;
#pragma once

#include <cstdint>
#include <span>

#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch_points.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// Points of a patch under models of impulses, unless `--data patch` asks for all.
inline constexpr int kMostPatchPoints = 16;

struct PatchOptions {
  double reach = 0;    // m: points with psi <= reach are kept
  int max_points = 0;  // if there are more, few that imply the others (patch_reduce.h); 0: no bound
  // Names of the points that the pair had last time, which are preferred; in any order.
  std::span<const std::uint64_t> kept_before = {};
};

// Appends the pair's patch; the caller fills in its geoms. `d_W` is the pair's proximity in the
// world. If the pair is beyond reach, it appends nothing and returns false.
//
// Points are in ascending order of their ids. An id names the features of least dimension that the
// point lies on (to kSameContactPoint of the pair's size): vertex and face, edge and edge, or
// vertex and edge or vertex and vertex where these meet. Exchanging A and B exchanges the halves of
// the id, except for corners that nearly coincide. Faces steeper against the normal than
// kSteepestFace are left out. If all faces are, the patch has one point, the witness point, with
// the features of `d_W`.
bool append_patch(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                  const Proximity& d_W, const PatchOptions& options, PatchScratch& scratch,
                  ContactData& out);

// The same for two polyhedra along a normal that need not be that of their distance: the heights of
// B above A along it, wherever one is above the other. `normal` is unit, from A to B; `between` is
// a point (world) near where the two are closest or overlap. Returns false if no point is within
// reach.
bool append_patch_along(const Vec3& normal, const Vec3& between, const Convex& A, const Pose& X_WA,
                        const Convex& B, const Pose& X_WB, const PatchOptions& options,
                        PatchScratch& scratch, ContactData& out);

}  // namespace abut
