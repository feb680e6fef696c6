#include "abut/collide/solid/convex.h"

#include <array>
#include <limits>

#include "abut/collide/solid/tolerances.h"
#include "abut/shape/primitives.h"

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

bool same(const Shape& a, const Shape& b) {
  return a.kind == b.kind && a.asset == b.asset && a.size == b.size;
}

}  // namespace

ConvexSet::ConvexSet(const Model& model) {
  solids_.reserve(model.geoms.size());
  for (const Geom& geom : model.geoms) add(geom.shape, model.assets);
}

const Polyhedron* ConvexSet::keep(Polyhedron polyhedron) {
  return &polyhedra_.emplace_back(std::move(polyhedron));
}

const SupportMap* ConvexSet::keep(SupportMap map) { return &maps_.emplace_back(std::move(map)); }

// Precomputes what queries need of a polyhedron.
void ConvexSet::describe(Convex& c) {
  c.support = keep(SupportMap(*c.polyhedron));
  if (std::optional<AxisTable> table = axis_table(*c.polyhedron))
    c.axes = &tables_.emplace_back(std::move(*table));
  c.spread = spread_of(*c.polyhedron);
  c.inner = inner_radius(*c.polyhedron, c.center);
  c.bumps = bumps_of(*c.polyhedron, *c.support);
  c.balls = &balls_.emplace_back(*c.polyhedron, c.center, c.inner);
}

int ConvexSet::add(Polyhedron polyhedron) {
  Convex c;
  c.kind = ShapeKind::mesh;
  c.polyhedron = c.tessellation = keep(std::move(polyhedron));
  c.size = c.polyhedron->size;
  c.center = c.polyhedron->center;
  describe(c);
  for (const Vec3& v : c.polyhedron->vertices) c.radius = std::max(c.radius, (v - c.center).norm());
  solids_.push_back(c);
  return count() - 1;
}

int ConvexSet::add(const Shape& shape, const ShapeAssets& assets) {
  for (const auto& [known, solid] : primitives_)
    if (same(known, shape)) {
      solids_.push_back(solids_[static_cast<std::size_t>(solid)]);
      return count() - 1;
    }

  Convex c;
  c.kind = shape.kind;
  c.dimensions = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      c.radius = std::numeric_limits<double>::infinity();
      break;
    case ShapeKind::hfield:
      break;
    case ShapeKind::sphere:
      c.tessellation = keep(sphere_polyhedron(shape.size[0]));
      c.support = keep(SupportMap(std::array{Vec3(0, 0, 0)}));
      c.rounding = shape.size[0];
      break;
    case ShapeKind::capsule:
      c.tessellation = keep(capsule_polyhedron(shape.size[0], shape.size[1]));
      c.support =
          keep(SupportMap(std::array{Vec3(0, 0, -shape.size[1]), Vec3(0, 0, shape.size[1])}));
      c.rounding = shape.size[0];
      break;
    case ShapeKind::ellipsoid:
      c.tessellation = keep(ellipsoid_polyhedron(shape.size));
      break;
    case ShapeKind::cylinder:
      c.tessellation = keep(cylinder_polyhedron(shape.size[0], shape.size[1]));
      break;
    case ShapeKind::box:
      c.polyhedron = c.tessellation = keep(box_polyhedron(shape.size));
      describe(c);
      break;
    case ShapeKind::mesh: {
      const Polyhedron& hull = assets.hulls[static_cast<std::size_t>(shape.asset)];
      if (hull.vertices.empty()) break;
      add(hull);
      primitives_.emplace_back(shape, count() - 1);
      return count() - 1;
    }
  }
  if (!c.is_half_space() && shape.kind != ShapeKind::hfield && shape.kind != ShapeKind::mesh) {
    c.size = local_aabb(shape, assets).extent().norm();
    c.radius = bounding_radius(shape, assets);
  }
  solids_.push_back(c);
  primitives_.emplace_back(shape, count() - 1);
  return count() - 1;
}

bool ConvexSet::can_collide(int i) const {
  const Convex& c = (*this)[i];
  return c.is_half_space() || c.tessellation;
}

}  // namespace abut
