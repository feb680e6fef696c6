// The fast methods of core_proximity(), which start from a guess of the normal.
#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/cold/axis_search.h"
#include "abut/collide/proximity/cold/core_counts.h"
#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut::core_parts {
namespace {

// From this many vertices on (of both solids), a cap of the difference is a better start than GJK's
// last simplex.
constexpr int kManyVertices = 100;
// Below this many vertices, a second attempt at a separating direction costs less than starting a
// polytope in vain.
constexpr int kFewVertices = 256;

// An approximate face of the difference around the direction `u`: three vertices of the difference,
// some way apart.
std::array<DifferenceVertex, 3> cap_of(const Pair& pair, const Vec3& u) {
  const Vec3 t = (std::abs(u[0]) < 0.7 ? Vec3(0, u[2], -u[1]) : Vec3(-u[2], 0, u[0])).normalized();
  const Vec3 s = u.cross(t);
  const double width = 0.5 * (pair.A.support->spacing() + pair.B.support->spacing());
  const auto support = [&](double along_t, double along_s) {
    return difference_support(*pair.A.support, *pair.B.support, pair.X_AB,
                              -(u + width * (along_t * t + along_s * s)));
  };
  const double half_root_3 = 0.8660254037844386;
  return {support(1, 0), support(-0.5, half_root_3), support(-0.5, -half_root_3)};
}

bool apart_by_walk(const Pair& pair, const DifferenceVertex& w, Proximity& d) {
  return apart_by_walk(pair, {FeatureKind::vertex, w.a}, {FeatureKind::vertex, w.b}, d);
}

// For small solids: the best separating axis, or the V-Clip walk that starts from it. `bound` (m)
// is the translation along a known direction; `w0` and `w1` are vertices that reach far. `others`
// is a lower bound of the translation along any other axis, searched up to `margin` (m). Returns
// false if it is not certain.
bool by_few_axes(const Pair& pair, double bound, const DifferenceVertex& w0,
                 const DifferenceVertex& w1, double margin, double& others, Proximity& d) {
  AxisProblem q;
  q.a = pair.A.axes;
  q.b = pair.B.axes;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) q.R[i][j] = pair.X_AB.R(i, j);
    q.p[i] = pair.X_AB.p[i];
    q.center_a[i] = pair.A.center[i];
    q.center_b[i] = pair.B.center[i];
  }
  q.inner_a = pair.A.inner;
  q.inner_b = pair.B.inner;
  q.deep_a[0] = w0.a, q.deep_a[1] = w1.a;
  q.deep_b[0] = w0.b, q.deep_b[1] = w1.b;
  q.bound = bound;
  q.slack = kAxisSlack * pair.L;
  q.face_bias = kFaceBias * pair.L;
  q.margin = margin;
  const AxisFound found = search_axes(q);
  others = found.others;
  Reference best;
  if (found.kind == AxisFound::face_a || found.kind == AxisFound::face_b) {
    const bool of_a = found.kind == AxisFound::face_a;
    best = on_face(pair, of_a, of_a ? found.a : found.b);
  } else if (found.kind == AxisFound::edges) {
    best.a = {FeatureKind::edge, found.a};
    best.b = {FeatureKind::edge, found.b};
    const Polyhedron::Edge& e = pair.A.polyhedron->edges[at(found.a)];
    const std::vector<Polyhedron::Face>& faces = pair.A.polyhedron->faces;
    if (!pair.normal_of(best.a, best.b, faces[at(e.f1)].eta + faces[at(e.f2)].eta, best.normal))
      return false;
    best.distance = pair.separation(best.normal);
  } else {
    return false;
  }
  // the axis must have the depth that the search returned, and witness points
  if (best.distance >= -found.depth - kPromiseKept * pair.L &&
      std::abs(best.distance) > kSecondLook * pair.L && show(pair, best, d) &&
      points_hold_up(pair, d))
    return true;
  if (best.distance <= 0) return false;
  const auto or_lowest = [&](const Feature& f) {
    return f.kind == FeatureKind::none ? Feature{FeatureKind::vertex, best.lowest} : f;
  };
  return apart_by_walk(pair, or_lowest(best.a), or_lowest(best.b), d);
}

}  // namespace

Vec3 likely_normal(const Pair& pair) {
  const Vec3 c = pair.X_AB * pair.B.center - pair.A.center;
  const Mat3& S_A = pair.A.spread;
  const Mat3 S_B = pair.X_AB.R * pair.B.spread * pair.X_AB.R.transpose();
  // this ellipsoid contains the sum of the two
  const double a = S_A.trace(), b = S_B.trace(), root = std::sqrt(a * b);
  const Mat3 S = (a + root) * b * S_A + (b + root) * a * S_B;
  // S^-1 c, up to its length
  const Vec3 s0 = S.col(0), s1 = S.col(1), s2 = S.col(2);
  return {s1.cross(s2).dot(c), s2.cross(s0).dot(c), s0.cross(s1).dot(c)};
}

bool from_guess(const Pair& pair, double limit, const Vec3& u, Expansion& e, Proximity& d,
                double margin, double& others) {
  DifferenceVertex w = difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -u);
  const DifferenceVertex first = w;
  double gap = u.dot(w.w), bound = -gap;
  if (gap > limit) return false;
  const int vertices = pair.A.support->vertex_count() + pair.B.support->vertex_count();
  const double squared = w.w.squaredNorm();
  if (gap < 0 && vertices < kFewVertices && squared > kAtOrigin2 * pair.L * pair.L) {
    // mirrored, so that at least this vertex is on the right side (Chung and Wang 1996)
    const Vec3 tilted = u - 2 * gap / squared * w.w;
    w = difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -tilted);
    gap = tilted.dot(w.w);
    bound = std::min(bound, -gap);
  }
  if (gap > 0) return apart_by_walk(pair, w, d);
  if (pair.A.axes && pair.B.axes) return by_few_axes(pair, bound, first, w, margin, others, d);
  if (vertices < kManyVertices) return false;
  if (!e.begin_at(*pair.A.support, *pair.B.support, pair.X_AB, cap_of(pair, u),
                  pair.A.center - pair.X_AB * pair.B.center, pair.L))
    return false;
  const Expansion::Status status = e.grow(kAgree * pair.L, true);
  if (status == Expansion::Status::parted) return apart_by_walk(pair, e.last(), d);
  core_counts().expansion_iterations += e.iterations();
  ++core_counts().expansions;
  return status == Expansion::Status::certain && e.nearest_distance() > kSecondLook * pair.L &&
         surely_overlapping(pair, e, d);
}

}  // namespace abut::core_parts
