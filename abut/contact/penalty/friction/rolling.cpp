#include "abut/contact/penalty/friction/rolling.h"

#include <algorithm>

#include "abut/contact/penalty/tolerances.h"

namespace abut {

namespace {

// Of one of the two, the other being flat.
Mat3 tilting_of(const Convex& solid, const Pose& X_WS, const Vec3& n, const Mat3& second) {
  const bool cylinder = solid.kind == ShapeKind::cylinder;
  if (solid.kind == ShapeKind::sphere || solid.kind == ShapeKind::ellipsoid) return Mat3::Zero();
  if (!cylinder && solid.kind != ShapeKind::capsule) return Mat3::Identity();
  const Vec3 across = (X_WS.q * Vec3::UnitZ()).cross(n);  // the way that it rolls
  const double length2 = across.squaredNorm();
  if (length2 < kStandsUpright2) return cylinder ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
  const double wide = across.dot(second * across) / length2;
  if (cylinder) {
    // the mean of y^2 over its end is r^2 / 4; on its side a cylinder has little of that
    const double r = solid.dimensions[0], end = std::min(4 * wide / (r * r), 1.0);
    const double rolls = 1 - end * end;
    return Mat3::Identity() - rolls / length2 * across * across.transpose();
  }
  // a capsule's contact is long where it lies, and as long as wide where it stands on an end
  const Vec3 along = across.cross(n);
  const double lengthwise = along.dot(second * along) / length2;
  const double lies = lengthwise > wide ? 1 - wide / lengthwise : 0;
  return lies / length2 * along * along.transpose();
}

}  // namespace

bool can_roll(const PairView& pair) {
  const auto is_flat = [](const Convex& c) { return c.is_half_space() || c.is_polyhedron(); };
  return !is_flat(pair.solid_a()) || !is_flat(pair.solid_b());
}

Mat3 tilting_part(const PairView& pair, const Vec3& normal, const Mat3& second) {
  return tilting_of(pair.solid_a(), pair.pose_a(), normal, second) *
         tilting_of(pair.solid_b(), pair.pose_b(), normal, second);
}

}  // namespace abut
