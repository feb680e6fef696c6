// All contact data of one pair: distance, kissing manifold, patch and common volume.
//
// This is for inspection and research. A simulation step computes only what it needs (collide.h).
// The volume of a curved solid is that of its tessellation, which lies up to 1e-3 of the radius
// inside the true surface.
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
  double reach = 0;                  // m: reach of the patch
  std::optional<NormalRule> normal;  // none: the normal of the distance query
  bool dual_volume = false;   // compute the volume by duality (dual_volume.h), not by clipping
  bool paper_strict = false;  // manifold as defined by Cheng Yi and Drumwright (manifold.h)
  std::optional<WorldPlane> plane;  // of a planar world: use polygons, and areas as volumes
};

// All vectors are in world coordinates.
struct PairContact {
  Proximity proximity;   // of a kissing pair: with the manifold's features
  ContactNormal normal;  // by the rule in the options
  KissingManifold manifold;
  ContactData patch;         // one patch; none if the pair is beyond reach
  Intersection common;       // empty if apart; in a planar world `volume` is the area (m^2)
  bool tessellated = false;  // a solid is curved: the volume is that of its tessellation
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

// Draws the solids, the normal, the manifold and the common volume.
Drawing pair_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const PairContact& contact);

}  // namespace abut
