#include "abut/collide/manifold/contact_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace abut {
namespace {

void add_polyhedron(const Polyhedron& p, const Transform& X, const Vec3& n, double tolerance,
                    ContactSet& out) {
  double top = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : p.vertices) top = std::max(top, n.dot(v));
  for (int i = 0; i < p.vertex_count(); ++i) {
    if (n.dot(p.vertices[i]) < top - tolerance) continue;
    out.points.push_back(X * p.vertices[i]);
    out.features.push_back({FeatureKind::vertex, i});
  }
  // the face whose normal is nearest to n
  double most = -2;
  for (const int f : p.faces_around(out.features[0].index)) {
    const double facing = p.faces[f].eta.dot(n);
    if (facing > most) {
      most = facing;
      out.face = {FeatureKind::face, f};
    }
  }
}

void add_surface(const Vec3& point, int k, const Transform& X, ContactSet& out) {
  out.points.push_back(X * point);
  out.features.push_back({FeatureKind::surface, k});
}

// The segment from -half to half along z, moved out by `r` along n.
void add_capsule(double r, double half, const Transform& X, const Vec3& n, double tolerance,
                 ContactSet& out) {
  const bool lies = 2 * half * std::abs(n.z()) <= tolerance;
  if (lies || n.z() < 0) add_surface(r * n - Vec3(0, 0, half), 0, X, out);
  if (lies || n.z() >= 0) add_surface(r * n + Vec3(0, 0, half), 1, X, out);
  out.smooth = true;
}

void add_cylinder(const Convex& c, const Transform& X, const Vec3& n, double tolerance,
                  ContactSet& out) {
  const double r = c.dimensions[0], half = c.dimensions[1], tilt = n.head<2>().norm();
  if (2 * r * tilt <= tolerance) {
    const double z = n.z() > 0 ? half : -half;
    for (int i = 0; i < c.tessellation->vertex_count(); ++i) {
      const Vec3& v = c.tessellation->vertices[i];
      if ((v.z() > 0) == (z > 0)) add_surface(v, 3 + i, X, out);
    }
    out.rim = true;
    return;
  }
  const Vec3 side(r / tilt * n.x(), r / tilt * n.y(), 0);
  const bool lies = 2 * half * std::abs(n.z()) <= tolerance;
  if (lies || n.z() < 0) add_surface(side - Vec3(0, 0, half), 0, X, out);
  if (lies || n.z() >= 0) add_surface(side + Vec3(0, 0, half), 1, X, out);
  out.smooth = lies;
  out.rim = !lies;
}

}  // namespace

void contact_set(const Convex& solid, const Transform& X, const Vec3& n, double tolerance,
                 ContactSet& out) {
  out.points.clear();
  out.features.clear();
  out.face = {FeatureKind::surface, 2};
  out.unbounded = out.smooth = out.rim = false;
  const Vec3 local = X.R.transpose() * n;
  switch (solid.kind) {
    case ShapeKind::plane:
      out.unbounded = true;
      out.face = {FeatureKind::face, 0};
      out.offset = n.dot(X.p);
      return;
    case ShapeKind::sphere:
      add_surface(solid.dimensions[0] * local, 0, X, out);
      out.smooth = true;
      break;
    case ShapeKind::capsule:
      add_capsule(solid.dimensions[0], solid.dimensions[1], X, local, tolerance, out);
      break;
    case ShapeKind::ellipsoid: {
      const Vec3 stretched = solid.dimensions.cwiseProduct(local);
      add_surface(solid.dimensions.cwiseProduct(stretched) / stretched.norm(), 0, X, out);
      out.smooth = true;
      break;
    }
    case ShapeKind::cylinder:
      add_cylinder(solid, X, local, tolerance, out);
      break;
    case ShapeKind::box:
    case ShapeKind::mesh:
      add_polyhedron(*solid.polyhedron, X, local, tolerance, out);
      break;
    case ShapeKind::hfield:
      assert(false && "a height field is not convex");
      return;
  }
  out.offset = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : out.points) out.offset = std::max(out.offset, n.dot(p));
}

int edge_towards(const Polyhedron& p, int from, int to) {
  const Vec3 way = p.vertices[to] - p.vertices[from];
  const auto around = p.neighbours(from);
  const auto edges = p.edges_around(from);
  int best = edges[0];
  double most = -2;
  for (std::size_t k = 0; k < around.size(); ++k) {
    if (around[k] == to) return edges[k];
    const Vec3 step = p.vertices[around[k]] - p.vertices[from];
    const double along = step.dot(way) / (step.norm() * way.norm());
    if (along > most) {
      most = along;
      best = edges[k];
    }
  }
  return best;
}

}  // namespace abut
