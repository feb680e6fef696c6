// HullAbove: a few points, their convex hull, and everything above it along the third axis.
//
// A contact row n . (v + w x r) >= -psi / h is linear in (u, v, psi), the place of a point in the
// plane of its patch and its gap. So a row is implied by others exactly if its (u, v, psi) lies in
// the convex hull of theirs, or above it. The distance from that set says by how much it is not.
//
//   HullAbove hull(rise);
//   hull.add(p), hull.add(q);
//   double far = hull.distance(x, 1e-3);
#pragma once

#include <array>
#include <span>

#include "abut/math/types.h"

namespace abut {

class HullAbove {
 public:
  static constexpr int kMost = 64;

  // Heights of points lie in an interval of length `rise`.
  explicit HullAbove(double rise) : rise_(rise) {}

  void add(const Vec3& p) {
    points_[static_cast<std::size_t>(count_++)] = p;
    sum_ += p;
  }
  int count() const { return count_; }

  // From x to the set, to 1e-6 of the distance, never less than it is (GJK against a point).
  // Distances up to `near` are not refined: what comes back is then at most `near`.
  double distance(const Vec3& x, double near) const;

 private:
  Vec3 support(const Vec3& direction) const;
  Vec3 middle() const { return sum_ / count_; }

  double rise_;
  int count_ = 0;
  Vec3 sum_ = Vec3::Zero();
  std::array<Vec3, kMost> points_;
};

// The point nearest to the origin of the simplex of `count` (1 to 4) points, which become those
// that it lies between. Zero: the origin is inside a tetrahedron.
Vec3 nearest_of_simplex(std::array<Vec3, 4>& points, int& count);

}  // namespace abut
