#include "abut/collide/volume/interior_point.h"

#include <cmath>

#include "abut/math/linear_program.h"

namespace abut {

InteriorPoint interior_point(const Convex& A, const Convex& B, const Transform& X_AB) {
  const auto planes_A = face_planes(A), planes_B = face_planes(B);
  // from the smaller solid's centre, so that its planes keep all their digits
  InteriorPoint at;
  if (A.radius <= B.radius) {
    at.point = A.center;
    at.point_B = X_AB.inverse() * A.center;
  } else {
    at.point = X_AB * B.center;
    at.point_B = B.center;
  }
  const double scale = std::min(A.radius, B.radius);
  // the second pass starts from the answer of the first, to recover lost digits
  for (int pass = 0; pass < 2; ++pass) {
    double farthest = 0;
    const auto for_each_plane = [&](auto&& f) {
      for (const auto& plane : planes_A) f(plane.eta, plane.offset - plane.eta.dot(at.point));
      for (const auto& plane : planes_B)
        f(X_AB.R * plane.eta, plane.offset - plane.eta.dot(at.point_B));
    };
    for_each_plane([&](const Vec3&, double d) { farthest = std::max(farthest, std::abs(d)); });
    // every common point is inside the smaller solid, however near its planes are (a plate)
    LinearProgram lp(4, 10 * (farthest / scale + 1));
    for_each_plane([&](const Vec3& n, double d) { lp.add({n.x(), n.y(), n.z(), 1}, d / scale); });
    const LinearProgram::Answer best = lp.maximise({0, 0, 0, 1});
    const Vec3 step = scale * Vec3(best.x[0], best.x[1], best.x[2]);
    at.point += step;
    at.point_B += X_AB.R.transpose() * step;
    at.radius = scale * best.x[3];
  }
  return at;
}

}  // namespace abut
