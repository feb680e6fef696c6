// Patch: the contact points of a pair for stepping, every one with its own gap.
//
// Looking along the pair's normal, the side of A that faces B is a roof of faces and the
// side of B that faces A another. Laid over each other they make a flat map, and over
// each of its cells the gap between the two roofs is a linear function; over the whole map
// it is convex. So whatever a pair may do to first order shows at the corners of the map:
// vertices of one solid over faces of the other, and crossings of their edges. A patch
// holds all corners where the gap is within `reach`, and nothing else:
//   box on box       the corners of the two faces' intersection, 4 or 8
//   box tilted a bit the same corners with gaps that differ, not one edge
//   two roof ridges  their crossing, and what else lies within reach
// This is the reference face clipped by the incident face, but for all the faces that
// come near each other, and neither solid is the reference. Condition (2) of Cheng Yi and
// Drumwright holds: if no gap shrinks to first order, the pair's distance does not either.
//
// A half-space takes the other's vertices that face it. Capsules show their two ends (of
// the overlap, if two lie side by side), cylinders eight rim points at fixed azimuths of
// their own and the deepest, or the two ends of the line they lie on; spheres and
// ellipsoids one point.
//
//   abut::PatchScratch scratch;  // keep it: a warm call allocates nothing
//   const abut::Proximity near = abut::proximity(a, X_WA, b, X_WB);
//   abut::append_patch(a, X_WA, b, X_WB, near, {.reach = 0.01}, scratch, contacts);
//   contacts.patches.back().geom_a = geom_a;
#pragma once

#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch_points.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

struct PatchOptions {
  double reach = 0;    // m: points with psi <= reach are kept
  int max_points = 0;  // keep the extreme ones if there are more; 0: no bound
};

// Appends the pair's patch; its geoms are for the caller to fill in. `d_W` is the pair's
// proximity in the world. Beyond reach nothing is appended, and it says false.
//
// Points are in ascending order of their ids. An id names the least features the point
// lies on (to 1e-9 of the pair's size): vertex and face, edge and edge, or vertex and edge
// or vertex and vertex where they meet; swapping A and B swaps its halves, but for corners
// that all but coincide. Faces steeper against the normal than kSteepestFace are left out;
// should all be, there is one point, the witness, with the features of `d_W`.
bool append_patch(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                  const Proximity& d_W, const PatchOptions& options, PatchScratch& scratch,
                  ContactData& out);

// The same of two polyhedra, seen along a normal that need not be that of their distance: how far
// B is above A along it, wherever one is above the other. `normal` is unit, from A to B; `between`
// is a point (world) near where the two are closest or overlap. False: none is within reach.
bool append_patch_along(const Vec3& normal, const Vec3& between, const Convex& A, const Pose& X_WA,
                        const Convex& B, const Pose& X_WB, double reach, PatchScratch& scratch,
                        ContactData& out);

}  // namespace abut
