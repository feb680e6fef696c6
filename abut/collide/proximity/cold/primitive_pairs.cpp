#include "abut/collide/proximity/cold/primitive_pairs.h"

#include <cmath>

#include "abut/collide/proximity/cold/segments.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

constexpr Feature kSurface{FeatureKind::surface, 0};
Vec3 any_perpendicular(const Vec3& d) {
  int least = 0;
  d.cwiseAbs().minCoeff(&least);
  return d.cross(Vec3::Unit(least)).normalized();
}

// Distance, points and normal from the points x and y of the cores and a direction n.
void grow(const Vec3& x, double radius_x, const Vec3& y, double radius_y, const Vec3& n,
          Proximity& out) {
  out.distance = n.dot(y - x) - radius_x - radius_y;
  out.normal = n;
  out.p_A = x + radius_x * n;
  out.p_B = y - radius_y * n;
}

// ---- half-space ----

void half_space(const Convex& B, const Transform& X_AB, Proximity& out) {
  const Vec3 down = -X_AB.R.row(2).transpose();  // in B's frame
  Vec3 lowest;
  out.b = kSurface;
  if (B.has_core()) {
    const int v = B.support->farthest(down);
    lowest = X_AB * B.support->vertex(v) - Vec3(0, 0, B.rounding);
    if (B.is_polyhedron()) out.b = {FeatureKind::vertex, v};
  } else {
    lowest = X_AB * support(Shape{B.kind, B.dimensions, -1}, ShapeAssets(), down);
  }
  out.a = {FeatureKind::face, 0};
  out.distance = lowest.z();
  out.normal = Vec3::UnitZ();
  out.p_B = lowest;
  out.p_A = Vec3(lowest.x(), lowest.y(), 0);
}

// ---- points and segments with a radius ----

Segment axis_of(const Convex& capsule) {
  return {Vec3(0, 0, -capsule.dimensions[1]), Vec3(0, 0, 2 * capsule.dimensions[1])};
}

void sphere_sphere(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  const double apart = X_AB.p.norm();
  out.indeterminate = apart == 0;
  const Vec3 n = apart > 0 ? Vec3(X_AB.p / apart) : Vec3::UnitZ();
  grow(Vec3::Zero(), A.rounding, X_AB.p, B.rounding, n, out);
  out.a = out.b = kSurface;
}

void capsule_sphere(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  const Segment axis = axis_of(A);
  const double h = A.dimensions[1];
  const Vec3& c = X_AB.p;
  const Vec3 x(0, 0, std::clamp(c.z(), -h, h));
  const double apart = (c - x).norm();
  out.indeterminate = apart == 0;
  const Vec3 n = apart > 0 ? Vec3((c - x) / apart) : any_perpendicular(axis.along);
  grow(x, A.rounding, c, B.rounding, n, out);
  out.a = out.b = kSurface;
}

// A direction from e to f along which both segments end at their closest points, also if those are
// too near each other to define it. At an interior point the direction is perpendicular to the
// segment; at an end the segment must lead away from it.
Vec3 direction_between(const Segment& e, const Segment& f, const SegmentPair& q, double L) {
  const Vec3 way = q.y - q.x;
  const double apart = way.norm();
  if (apart > kDirectionFromPoints * L) return way / apart;
  const bool inside = q.s > 0 && q.s < 1 && q.t > 0 && q.t < 1;
  if (inside && q.sine2 > kParallelSegments2) {
    const Vec3 n = common_perpendicular(e, f, q.cross);
    return n.dot(way) < 0 ? Vec3(-n) : n;
  }

  Vec3 n = apart > 0 ? Vec3(way / apart) : Vec3::Zero();
  const auto turn = [&](const Vec3& along, double parameter, double sign) {
    const double rise = sign * n.dot(along);  // slope of the segment ahead of its tail
    const bool allowed = parameter <= 0 ? rise <= 0 : parameter >= 1 && rise >= 0;
    if (!allowed) n -= along * (n.dot(along) / along.squaredNorm());
  };
  for (int sweep = 0; sweep < 8; ++sweep) {
    turn(e.along, q.s, 1);
    turn(f.along, q.t, -1);
  }
  if (n.norm() > 0.1) return n.normalized();
  // they cross, or one contains part of the other: out of their common plane, or off the line
  return q.sine2 > kParallelSegments2 ? common_perpendicular(e, f, q.cross)
                                      : any_perpendicular(e.along);
}

void capsule_capsule(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  const Segment e = axis_of(A), f = placed(X_AB, axis_of(B));
  const SegmentPair q = closest_points(e, f);
  const double L = pair_size(A, B);
  // the difference of the axes is flat: with the origin in it, both sides are equally near
  out.indeterminate = (q.y - q.x).squaredNorm() <= kAxesMeet2 * L * L;
  grow(q.x, A.rounding, q.y, B.rounding, direction_between(e, f, q, L), out);
  out.a = out.b = kSurface;
}

// ---- box and sphere ----

// Vertex and face indices of box_polyhedron(): bit 2 - axis of a vertex is set on the positive
// side.
int box_vertex(const Vec3& p) { return (p.x() > 0) * 4 + (p.y() > 0) * 2 + (p.z() > 0); }
int box_face(int axis, bool positive) {
  constexpr int kFaces[3][2] = {{0, 5}, {2, 4}, {1, 3}};
  return kFaces[axis][positive];
}
// The edge along `axis` through the corner nearest to p.
int box_edge(const Polyhedron& box, int axis, const Vec3& p) {
  const int corner = box_vertex(p), other = corner ^ (4 >> axis);
  const auto neighbours = box.neighbours(corner);
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k] == other) return box.edges_around(corner)[k];
  return -1;
}

void box_sphere(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  const Vec3& h = A.dimensions;
  const Vec3& c = X_AB.p;
  const double r = B.rounding;
  const Vec3 nearest = c.cwiseMax(-h).cwiseMin(h);
  const Vec3 way = c - nearest;
  out.b = kSurface;
  if (way.isZero(0)) {  // the centre is inside: leave by the nearest face
    const Vec3 room = h - c.cwiseAbs();
    int axis = 0;
    const double least = room.minCoeff(&axis);
    const bool positive = c[axis] >= 0;
    out.normal = positive ? Vec3(Vec3::Unit(axis)) : Vec3(-Vec3::Unit(axis));
    out.indeterminate = ((room.array() - least) <= kEqualWaysOut * h.maxCoeff()).count() > 1 ||
                        std::abs(c[axis]) <= kEqualWaysOut * h.maxCoeff();
    out.a = {FeatureKind::face, box_face(axis, positive)};
    out.distance = -least - r;
    out.p_A = c;
    out.p_A[axis] = positive ? h[axis] : -h[axis];
    out.p_B = c - r * out.normal;
    return;
  }
  grow(nearest, 0, c, r, way.stableNormalized(), out);
  const int sides = (way.array() != 0).count();
  int axis = 0;
  if (sides == 3) {
    out.a = {FeatureKind::vertex, box_vertex(c)};
  } else if (sides == 2) {
    way.cwiseAbs().minCoeff(&axis);
    out.a = {FeatureKind::edge, box_edge(*A.polyhedron, axis, c)};
  } else {
    way.cwiseAbs().maxCoeff(&axis);
    out.a = {FeatureKind::face, box_face(axis, c[axis] > 0)};
  }
}

// ---- cylinder and sphere ----

void cylinder_sphere(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  const double radius = A.dimensions[0], h = A.dimensions[1], r = B.rounding;
  const Vec3& c = X_AB.p;
  const double from_axis = std::hypot(c.x(), c.y());
  const Vec3 radial = from_axis > 0 ? Vec3(c.x() / from_axis, c.y() / from_axis, 0) : Vec3::UnitX();
  const Vec3 up(0, 0, c.z() < 0 ? -1 : 1);
  const double out_of_side = from_axis - radius, out_of_cap = std::abs(c.z()) - h;
  out.a = out.b = kSurface;
  if (out_of_side <= 0 && out_of_cap <= 0) {  // inside: leave by the nearer of side and cap
    const bool by_side = out_of_side > out_of_cap;
    const double tie = kEqualWaysOut * (radius + h);
    out.indeterminate =
        std::abs(out_of_side - out_of_cap) <= tie || (by_side ? from_axis : std::abs(c.z())) <= tie;
    out.normal = by_side ? radial : up;
    out.distance = std::max(out_of_side, out_of_cap) - r;
    out.p_A = c - std::max(out_of_side, out_of_cap) * out.normal;
    out.p_B = c - r * out.normal;
    return;
  }
  const Vec3 way = std::max(out_of_side, 0.0) * radial + std::max(out_of_cap, 0.0) * up;
  grow(c - way, 0, c, r, way.stableNormalized(), out);
}

using PairFunction = void (*)(const Convex&, const Convex&, const Transform&, Proximity&);

// For the kinds in this order; the reverse order uses swapped().
PairFunction function_for(ShapeKind a, ShapeKind b) {
  if (b == ShapeKind::sphere) {
    if (a == ShapeKind::sphere) return sphere_sphere;
    if (a == ShapeKind::capsule) return capsule_sphere;
    if (a == ShapeKind::box) return box_sphere;
    if (a == ShapeKind::cylinder) return cylinder_sphere;
  }
  if (a == ShapeKind::capsule && b == ShapeKind::capsule) return capsule_capsule;
  if (a == ShapeKind::plane && b != ShapeKind::plane && b != ShapeKind::hfield)
    return [](const Convex&, const Convex& B, const Transform& X_AB, Proximity& out) {
      half_space(B, X_AB, out);
    };
  return nullptr;
}

}  // namespace

bool analytic_proximity(const Convex& A, const Convex& B, const Transform& X_AB, Proximity& out) {
  if (const PairFunction f = function_for(A.kind, B.kind)) {
    out = Proximity();
    f(A, B, X_AB, out);
    return true;
  }
  if (const PairFunction f = function_for(B.kind, A.kind)) {
    Proximity d;
    f(B, A, X_AB.inverse(), d);
    out = swapped(d);
    out.normal = X_AB.R * out.normal;
    out.p_A = X_AB * out.p_A;
    out.p_B = X_AB * out.p_B;
    return true;
  }
  return false;
}

}  // namespace abut
