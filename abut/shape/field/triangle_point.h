// The point of a triangle that is nearest to a point (Ericson 2005, 5.1.5).
#pragma once

#include <array>

#include "abut/math/types.h"

namespace abut {

// What of a triangle a point lies on: a corner, a side from corner k to k + 1, or the inside.
enum class TrianglePart : int { corner0, corner1, corner2, side01, side12, side20, inside };

struct TrianglePoint {
  Vec3 p = Vec3::Zero();
  TrianglePart part = TrianglePart::inside;
};

TrianglePoint nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& x);

}  // namespace abut
