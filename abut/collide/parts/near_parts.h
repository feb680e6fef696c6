// The convex parts of two geoms that come near each other (solid_numbers.h). At least one of the two
// is a height field or a mesh in pieces.
//
//   abut::NearParts near;
//   for (const auto& [a, b] : near.find(solids, geom_a, X_WA, geom_b, X_WB, 0.01)) ..
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"
#include "abut/shape/aabb.h"

namespace abut {

class NearParts {
 public:
  // Pairs of parts whose boxes are within `reach` (m); a geom that is convex is its own part. They
  // ascend by the part of A, then of B. Makes cells of height fields ready.
  std::span<const std::pair<int, int>> find(ConvexSet& solids, int a, const Transform& X_WA, int b,
                                            const Transform& X_WB, double reach);
  // Parts of geom `a` alone that come near the box of geom `b`.
  std::span<const int> of(ConvexSet& solids, int a, const Transform& X_WA, int b,
                          const Transform& X_WB, double reach);

 private:
  std::vector<int> of_a_, of_b_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace abut
