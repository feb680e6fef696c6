// The points of a patch (patch.h) while it is built, and buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "abut/collide/manifold/planar_set.h"
#include "abut/collide/patch/id_set.h"
#include "abut/collide/patch/patch_outline.h"

namespace abut {

// A corner of the map, in the frame of the patch: origin at the witness point on A, w along the
// normal.
struct PatchPoint {
  double u = 0, v = 0;
  double w = 0;               // height of the point on A
  double psi = 0;             // the point on B is at w + psi
  std::int32_t a = 0, b = 0;  // packed() features it lies on
};

// Buffers of append_patch().
struct PatchScratch {
  std::vector<PatchPoint> points;
  Outline outline_A, outline_B;
  std::vector<OutlinePoint> polygon, clipped;
  IdSet cells, names;
  std::vector<std::int32_t> walk, start_A, start_B;
  std::vector<int> chosen, chosen_again;  // keep_few()
  std::vector<double> farthest;
  std::vector<Vec3> scaled;
  std::vector<Vec2> places;
  PlanarSet shade_A, shade_B;
  PlanarIntersection shared;
};

}  // namespace abut
