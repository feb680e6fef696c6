#include "abut/collide/proximity/cold/curved.h"

#include <algorithm>

#include "abut/collide/proximity/cold/curved_parts.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/tolerances.h"

namespace abut {
namespace curved_parts {
namespace {

constexpr int kMostSteps = 300;

// Farthest point of a solid without its rounding, in its own frame.
Vec3 farthest_point(const Convex& c, const Vec3& d) {
  if (c.has_core()) return c.support->vertex(c.support->farthest(d));
  const Vec3& size = c.dimensions;
  if (c.kind == ShapeKind::ellipsoid) {
    const Vec3 scaled = size.cwiseProduct(d);
    return size.cwiseProduct(scaled / scaled.norm());
  }
  // cylinder; straight up, the middle of the cap is as far as its rim
  const double across = std::hypot(d.x(), d.y());
  const double stretch = across > kAlongAxis * std::abs(d.z()) ? size[0] / across : 0;
  return {stretch * d.x(), stretch * d.y(), d.z() < 0 ? -size[1] : size[1]};
}

// Nearest point to the origin of the affine hull of `count` points, as weights. Returns false if a
// weight is not positive or the points are dependent.
bool interior_weights(const std::array<Vec3, 4>& p, const std::array<int, 4>& of, int count,
                      std::array<double, 4>& weight) {
  const Vec3& p0 = p[static_cast<std::size_t>(of[0])];
  if (count == 1) {
    weight[0] = 1;
    return true;
  }
  const Vec3 e1 = p[static_cast<std::size_t>(of[1])] - p0;
  if (count == 2) {
    weight[1] = -e1.dot(p0) / e1.squaredNorm();
    weight[0] = 1 - weight[1];
    return weight[0] > 0 && weight[1] > 0;
  }
  const Vec3 e2 = p[static_cast<std::size_t>(of[2])] - p0;
  const Vec3 n = e1.cross(e2);
  if (count == 3) {
    const double nn = n.squaredNorm();
    if (!(nn > kFlatTriangle2 * e1.squaredNorm() * e2.squaredNorm())) return false;
    weight[1] = -n.dot(p0.cross(e2)) / nn;
    weight[2] = -n.dot(e1.cross(p0)) / nn;
    weight[0] = 1 - weight[1] - weight[2];
    return weight[0] > 0 && weight[1] > 0 && weight[2] > 0;
  }
  const Vec3 e3 = p[static_cast<std::size_t>(of[3])] - p0;
  const double volume = n.dot(e3);
  if (!(std::abs(volume) > kFlatTetrahedron * n.norm() * e3.norm())) return false;
  weight[1] = -p0.dot(e2.cross(e3)) / volume;
  weight[2] = -p0.dot(e3.cross(e1)) / volume;
  weight[3] = -p0.dot(n) / volume;
  weight[0] = 1 - weight[1] - weight[2] - weight[3];
  return weight[0] > 0 && weight[1] > 0 && weight[2] > 0 && weight[3] > 0;
}

// Reduces the simplex to the part that contains its point nearest to the target, by trying every
// part: fifteen small systems, without case distinctions by sign.
void reduce(Nearest& s, const Vec3& target) {
  std::array<Vec3, 4> p;
  for (int i = 0; i < s.count; ++i)
    p[static_cast<std::size_t>(i)] = s.simplex[static_cast<std::size_t>(i)].w - target;
  double best = std::numeric_limits<double>::infinity();
  std::array<int, 4> part{};
  std::array<double, 4> part_weight{};
  int part_count = 0;
  for (int mask = 1; mask < 1 << s.count; ++mask) {
    std::array<int, 4> of{};
    std::array<double, 4> weight{};
    int count = 0;
    for (int i = 0; i < s.count; ++i)
      if (mask & 1 << i) of[static_cast<std::size_t>(count++)] = i;
    if (!interior_weights(p, of, count, weight)) continue;
    Vec3 v = Vec3::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      v += weight[k] * p[static_cast<std::size_t>(of[k])];
    // a complete tetrahedron contains the target
    const double d = count == 4 ? -1 : v.squaredNorm();
    if (d >= best) continue;
    best = d;
    part = of, part_weight = weight, part_count = count;
  }
  const std::array<Place, 4> all = s.simplex;
  s.place = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  s.count = part_count;
  for (std::size_t k = 0; k < static_cast<std::size_t>(part_count); ++k) {
    const Place& q = s.simplex[k] = all[static_cast<std::size_t>(part[k])];
    s.place.w += part_weight[k] * q.w;
    s.place.a += part_weight[k] * q.a;
    s.place.b += part_weight[k] * q.b;
  }
  s.distance = part_count == 4 ? 0 : (s.place.w - target).norm();
}

}  // namespace

Place Difference::farthest(const Vec3& direction) const {
  const Vec3 a = farthest_point(A, -direction);
  const Vec3 b = X_AB * farthest_point(B, X_AB.R.transpose() * direction);
  return {b - a, a, b};
}

Nearest nearest_to(const Difference& D, const Vec3& target, const Vec3& start, double tolerance,
                   double touch, double limit) {
  Nearest s;
  s.simplex[0] = D.farthest(-start);
  s.count = 1;
  reduce(s, target);
  for (int step = 0; step < kMostSteps && s.count < 4 && s.distance > touch; ++step) {
    const Vec3 n = (s.place.w - target) / s.distance;
    const Place w = D.farthest(-n);
    // the lower bound along this direction, which is returned as the normal
    s.lower_bound = n.dot(w.w - target);
    if (s.lower_bound > limit || s.distance - s.lower_bound <= tolerance) break;
    const Nearest before = s;
    s.simplex[static_cast<std::size_t>(s.count++)] = w;
    reduce(s, target);
    // each step must come nearer; a step that does not has reached rounding
    if (!(s.distance < before.distance)) {
      s = before;
      break;
    }
  }
  return s;
}

}  // namespace curved_parts

namespace {

using namespace curved_parts;

// The feature of a solid at `point` (in its frame) with outward normal n.
Feature feature_at(const Convex& c, const Vec3& point, const Vec3& n) {
  if (!c.is_polyhedron()) return {FeatureKind::surface, 0};
  const Polyhedron& P = *c.polyhedron;
  const double near = kAtFeature * P.size;
  const int v = P.vertex_count() > 0 ? support(P, n, 0) : 0;
  for (const int f : P.faces_around(v))
    if (P.faces[f].eta.dot(n) > 1 - kAlongFaceNormal) return {FeatureKind::face, f};
  if ((P.vertices[v] - point).norm() <= near) return {FeatureKind::vertex, v};
  for (const int e : P.edges_around(v)) {
    const Vec3 along = P.vertices[P.edges[e].head] - P.vertices[P.edges[e].tail];
    const Vec3 off = point - P.vertices[v];
    if (off.cross(along).norm() <= near * along.norm()) return {FeatureKind::edge, e};
  }
  return {FeatureKind::vertex, v};
}

}  // namespace

Proximity curved_proximity(const Convex& A, const Convex& B, const Transform& X_AB, double limit) {
  const double L = pair_size(A, B), rounding = A.rounding + B.rounding;
  const Difference D{A, B, X_AB, L};
  Vec3 start = X_AB * B.center - A.center;
  if (!(start.norm() > kSameCenter * L)) start = Vec3::UnitZ();

  Proximity out;
  const Nearest s =
      nearest_to(D, Vec3::Zero(), start, kCurvedAgree * L, kCurvedTouch * L, limit + rounding);
  if (s.lower_bound > limit + rounding) {
    out.distance = s.lower_bound - rounding;
    out.beyond_limit = true;
    return out;
  }
  const bool apart = s.count < 4 && s.distance > kCurvedTouch * L;
  if (apart) {
    out.normal = s.place.w / s.distance;
    out.distance = s.distance - rounding;
    out.p_A = s.place.a;
    out.p_B = s.place.b;
  }
  // for touching solids the difference of the points is no direction: rounding has turned it
  if (!apart || s.distance <= kCurvedTurned * L) {
    // B leaves A against the direction along which B - A has the least width
    const Vec3 m = least_width_direction(D, kCurvedWidth * L);
    const double width = D.width(m);
    if (!apart) {
      const Nearest at = nearest_to(D, width * m, -m, kCurvedWitness * L, kCurvedWitness * L, L);
      out.normal = -m;
      out.distance = -width - rounding;
      out.p_A = at.place.a;
      out.p_B = at.place.b;
    } else if (width < D.width(-out.normal)) {
      out.normal = -m;
      out.p_B = out.p_A + s.distance * out.normal;
    }
  }
  out.p_A += A.rounding * out.normal;
  out.p_B -= B.rounding * out.normal;
  out.a = feature_at(A, out.p_A, out.normal);
  out.b =
      feature_at(B, X_AB.R.transpose() * (out.p_B - X_AB.p), -(X_AB.R.transpose() * out.normal));
  return out;
}

}  // namespace abut
