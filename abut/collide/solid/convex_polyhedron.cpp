#include "abut/collide/solid/convex_polyhedron.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "abut/collide/solid/tolerances.h"

namespace abut {
namespace {

// Mean of x x' over the solid, x from its centre: a sum over tetrahedra from the centre. A small
// multiple of the identity is added, so that a sheet has a regular spread.
Mat3 spread_of(const Polyhedron& p) {
  Mat3 sum = Mat3::Zero();
  double volume = 0;
  for (int f = 0; f < p.face_count(); ++f) {
    const std::span<const int> loop = p.face_loop(f);
    const auto corner = [&](std::size_t k) -> Vec3 {
      return p.vertices[static_cast<std::size_t>(loop[k])] - p.center;
    };
    const Vec3 a = corner(0);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      const Vec3 b = corner(k), c = corner(k + 1), s = a + b + c;
      const double v = a.dot(b.cross(c));
      volume += v;
      sum +=
          v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  const Mat3 least = kLeastSpread * p.size * p.size * Mat3::Identity();
  return volume > 0 ? Mat3(sum / volume + least) : least;
}

// Radius of the largest ball around the centre that is inside the solid.
double inner_radius(const Polyhedron& p, const Vec3& center) {
  double least = std::numeric_limits<double>::infinity();
  for (int f = 0; f < p.face_count(); ++f) least = std::min(least, -p.height_above(f, center));
  return std::max(0.0, least);
}

// With more faces than kMany, bumps are measured at kMeasured faces only: where thousands of
// vertices are almost equally far out, each measurement scans all of them.
constexpr int kMany = 20'000, kMeasured = 256;
// Largest height of a vertex above the plane of a face: rounding, or the distance of coplanar
// facets from each other before they were merged.
double bumps_of(const Polyhedron& p, const SupportMap& map) {
  const bool many = p.face_count() > kMany;
  double most = many ? kHullFlatness * p.size : 0;
  for (int f = 0; f < p.face_count(); f += many ? p.face_count() / kMeasured : 1)
    most = std::max(
        most,
        p.height_above(f, map.vertex(map.farthest(p.faces[static_cast<std::size_t>(f)].eta))));
  return most;
}

}  // namespace

void ConvexPolyhedron::make(Polyhedron p) {
  polyhedron_ = std::move(p);
  support_ = SupportMap(polyhedron_);
  axes_ = axis_table(polyhedron_);
  Convex& c = convex = {};
  c.kind = ShapeKind::mesh;
  c.polyhedron = c.tessellation = &polyhedron_;
  c.size = polyhedron_.size;
  c.center = polyhedron_.center;
  c.support = &support_;
  if (axes_) c.axes = &*axes_;
  c.spread = spread_of(polyhedron_);
  c.inner = inner_radius(polyhedron_, c.center);
  c.bumps = bumps_of(polyhedron_, support_);
  balls_ = InnerBalls(polyhedron_, c.center, c.inner);
  c.balls = &balls_;
  for (const Vec3& v : polyhedron_.vertices) c.radius = std::max(c.radius, (v - c.center).norm());
}

}  // namespace abut
