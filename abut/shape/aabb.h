// Axis-aligned bounding box. A new one is empty: it overlaps nothing, and merging a
// point into it gives that point.
//
//   abut::Aabb box;
//   for (const abut::Vec3& p : points) box.merge(p);
//   if (overlap(inflated(box, 1e-3), other)) ...
#pragma once

#include <limits>
#include <span>

#include "abut/math/types.h"

namespace abut {

struct Aabb {
  Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void merge(const Vec3& point) {
    min = min.cwiseMin(point);
    max = max.cwiseMax(point);
  }
  void merge(const Aabb& other) {
    min = min.cwiseMin(other.min);
    max = max.cwiseMax(other.max);
  }
  bool empty() const { return (min.array() > max.array()).any(); }
  bool contains(const Vec3& p) const {
    return (min.array() <= p.array()).all() && (p.array() <= max.array()).all();
  }
  // Valid only for a box that is neither empty nor infinite.
  Vec3 center() const { return 0.5 * (min + max); }
  Vec3 extent() const { return max - min; }
};

// Boxes that only touch count as overlapping: they may have a contact.
inline bool overlap(const Aabb& a, const Aabb& b) {
  return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
}

inline Aabb merged(Aabb a, const Aabb& b) {
  a.merge(b);
  return a;
}

// Grown by `distance` (m) on every side.
inline Aabb inflated(const Aabb& box, double distance) {
  return {box.min.array() - distance, box.max.array() + distance};
}

inline Aabb aabb(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& p : points) box.merge(p);
  return box;
}

// The smallest box around a box that is placed by X_WB.
inline Aabb transformed(const Aabb& box, const Pose& X_WB) {
  const Vec3 c = X_WB * box.center();
  const Vec3 h = X_WB.q.toRotationMatrix().cwiseAbs() * (0.5 * box.extent());
  return {c - h, c + h};
}

}  // namespace abut
