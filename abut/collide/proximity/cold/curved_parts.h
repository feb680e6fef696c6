// The Minkowski difference of two solids as a support function, and two searches on it: for its
// point nearest to a place outside, and for its least width around a place inside.
#pragma once

#include <array>
#include <cmath>

#include "abut/collide/solid/convex.h"
#include "abut/math/transform.h"

namespace abut::curved_parts {

// A point of B - A: w = b - a, all in A's frame.
struct Place {
  Vec3 w, a, b;
};

// B - A without roundings.
struct Difference {
  const Convex& A;
  const Convex& B;
  const Transform& X_AB;
  double L;

  Place farthest(const Vec3& direction) const;
  double width(const Vec3& unit) const { return unit.dot(farthest(unit).w); }
};

struct Nearest {
  Place place;             // point of B - A nearest to the target
  double distance = 0;     // from the target
  double lower_bound = 0;  // lower bound of that distance
  std::array<Place, 4> simplex;
  int count = 0;
};

// The point nearest to `target`. The search ends when the bounds agree to `tolerance`, when the
// target is reached to `touch`, or when the lower bound is above `limit` (all in m).
Nearest nearest_to(const Difference& D, const Vec3& target, const Vec3& start, double tolerance,
                   double touch, double limit);

// The unit direction along which B - A reaches least far from the origin.
Vec3 least_width_direction(const Difference& D, double tolerance);

}  // namespace abut::curved_parts
