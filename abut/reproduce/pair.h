// Two solids in the world, as the experiments on contact data place them.
#pragma once

#include "abut/collide/proximity/proximity.h"
#include "abut/collide/solid/convex.h"
#include "abut/shape/drawing.h"

namespace abut::reproduce {

struct Pair {
  Pair(Polyhedron a, const Pose& X_WA, Polyhedron b, const Pose& X_WB);
  Pair(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB);

  const Convex& A() const { return solids[0]; }
  const Convex& B() const { return solids[1]; }
  double L() const { return pair_size(A(), B()); }
  Proximity distance() const { return proximity(A(), X_WA, B(), X_WB); }

  ConvexSet solids;
  Pose X_WA, X_WB;
};

// Angle between two directions (rad), precise for small ones.
double angle_between(const Vec3& a, const Vec3& b);

constexpr double kDegree = 3.14159265358979323846 / 180;

}  // namespace abut::reproduce
