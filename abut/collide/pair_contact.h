// Everything there is to ask about one pair: distance, kissing manifold, patch, common volume.
//
// For people and for research; a step asks for what it needs (collide.h). Volumes of curved
// solids are those of their tessellations, 1e-3 of the radius inside the true surface.
//
//   abut::PairContactScratch scratch;
//   abut::PairContact c = abut::pair_contact(a, X_WA, b, X_WB, {}, scratch);
#pragma once

#include <optional>

#include "abut/collide/manifold/manifold.h"
#include "abut/collide/normal.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/planar/planar.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/shape/drawing.h"

namespace abut {

struct PairContactOptions {
  double reach = 0;                  // m, of the patch
  std::optional<NormalRule> normal;  // none: that of the distance
  bool dual_volume = false;          // by duality (dual_volume.h) instead of clipping
  bool paper_strict = false;         // manifold: as Cheng Yi and Drumwright have it (manifold.h)
  std::optional<WorldPlane> plane;   // of a planar world: polygons, and area for volume
};

// In the world.
struct PairContact {
  Proximity proximity;   // kissing, its features are the manifold's
  ContactNormal normal;  // by the rule asked for
  KissingManifold manifold;
  ContactData patch;         // one patch, or none beyond reach
  Intersection common;       // empty apart; planar: its `volume` is the area (m^2)
  bool tessellated = false;  // one of them is curved: the volume is its tessellation's
};

struct PairContactScratch {
  ManifoldScratch manifold;
  PatchScratch patch;
  ClipBuffers clip;
  Polygon polygon_A, polygon_B;
  PlanarScratch planar;
};

PairContact pair_contact(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                         const PairContactOptions& options, PairContactScratch& scratch);

// Distances are right to rounding, about 1e-16 of the size; a reach is taken to mean this
// much more (of the pair's size), or a pair that kisses would have no patch within 0.
constexpr double kReachSlack = 1e-9;

// Solids, normal, manifold and volume.
Drawing pair_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const PairContact& contact);

}  // namespace abut
