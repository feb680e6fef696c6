// box_box_proximity (sat.h): the separating axes of two boxes in closed form.
//
// Along a unit vector n a box reaches sum h_k |n.axis_k| from its centre, so that no vertex is
// needed. Every cross product of two axes is the normal of a pair of edges whose arcs cross,
// because the arcs of the four edges along one axis form a complete circle.
#include <algorithm>
#include <array>
#include <cmath>

#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

constexpr int kNext[5] = {0, 1, 2, 0, 1};  // i % 3

// Face indices of box_polyhedron(). `up` is 1 on the positive side of an axis.
constexpr int kFaceOf[3][2] = {{0, 5}, {2, 4}, {1, 3}};
// Edge indices along an axis, by the sides along the next axis and the one after.
constexpr int kEdgeOf[3][2][2] = {{{6, 8}, {4, 10}}, {{3, 5}, {1, 9}}, {{0, 2}, {7, 11}}};
struct EdgePlace {
  int axis, next_up, last_up;
};
constexpr std::array<EdgePlace, 12> kEdgePlaces = [] {
  std::array<EdgePlace, 12> places{};
  for (int k = 0; k < 3; ++k)
    for (int u = 0; u < 2; ++u)
      for (int v = 0; v < 2; ++v) places[static_cast<std::size_t>(kEdgeOf[k][u][v])] = {k, u, v};
  return places;
}();

constexpr bool is_up(int vertex, int axis) { return (vertex >> (2 - axis) & 1) != 0; }

Vec3 corner(const Vec3& half, int vertex) {
  return {is_up(vertex, 0) ? half[0] : -half[0], is_up(vertex, 1) ? half[1] : -half[1],
          is_up(vertex, 2) ? half[2] : -half[2]};
}

// The rectangle of a face of box P, and the part of box Q that is lowest above it.
struct OverFace {
  int axis, u, v;  // the face's normal and the axes in its plane
  double up;       // 1 or -1: which of the two faces
  double hu, hv;   // half extents, with the slack
  double height;   // of the face's plane: half extent along the axis

  double outside(const Vec3& x) const { return std::max(std::abs(x[u]) - hu, std::abs(x[v]) - hv); }
  Vec3 onto(Vec3 x) const {
    x[axis] = up * height;
    return x;
  }
};

// Clips to |x[k]| <= h; false if nothing remains.
bool clip_to_slab(const Vec3& x0, const Vec3& x1, int k, double h, double& t0, double& t1) {
  for (const double side : {-1.0, 1.0}) {
    const double d0 = h - side * x0[k], d1 = h - side * x1[k];
    if (d0 < 0 && d1 < 0) return false;
    if (d0 < 0) t0 = std::max(t0, d0 / (d0 - d1));
    if (d1 < 0) t1 = std::min(t1, d0 / (d0 - d1));
  }
  return t0 <= t1;
}

// As face_witness(), if several vertices of Q are equally low: those that agree with the lowest one
// on every axis that is not `level`.
FaceWitness level_witness(const OverFace& face, const Vec3& half_q, const Transform& X_PQ,
                          int lowest, const bool (&level)[3], const Vec3& half_p) {
  const auto agrees = [&](int vertex) {
    for (int k = 0; k < 3; ++k)
      if (!level[k] && is_up(vertex, k) != is_up(lowest, k)) return false;
    return true;
  };
  for (int vertex = 0; vertex < 8; ++vertex) {
    if (!agrees(vertex)) continue;
    const Vec3 x = X_PQ * corner(half_q, vertex);
    if (face.outside(x) <= 0) return {face.onto(x), {FeatureKind::vertex, vertex}, true};
  }
  for (int e = 0; e < 12; ++e) {
    const auto [axis, next_up, last_up] = kEdgePlaces[static_cast<std::size_t>(e)];
    const int tail = next_up << (2 - kNext[axis + 1]) | last_up << (2 - kNext[axis + 2]);
    if (!level[axis] || !agrees(tail)) continue;
    const Vec3 x0 = X_PQ * corner(half_q, tail);
    const Vec3 x1 = X_PQ * corner(half_q, tail | 1 << (2 - axis));
    double t0 = 0, t1 = 1;
    if (clip_to_slab(x0, x1, face.u, face.hu, t0, t1) &&
        clip_to_slab(x0, x1, face.v, face.hv, t0, t1))
      return {face.onto(x0 + 0.5 * (t0 + t1) * (x1 - x0)), {FeatureKind::edge, e}, true};
  }
  for (int k = 0; k < 3; ++k) {
    if (level[k] || !level[kNext[k + 1]] || !level[kNext[k + 2]]) continue;
    // P's face may lie inside Q's
    Vec3 x = -half_p;
    x[face.axis] = face.up * face.height;
    const Vec3 x_Q = X_PQ.R.transpose() * (x - X_PQ.p);
    const double slack = face.hu - half_p[face.u];
    if (std::abs(x_Q[kNext[k + 1]]) <= half_q[kNext[k + 1]] + slack &&
        std::abs(x_Q[kNext[k + 2]]) <= half_q[kNext[k + 2]] + slack)
      return {x, {FeatureKind::face, kFaceOf[k][is_up(lowest, k)]}, true};
  }
  return {face.onto(X_PQ * corner(half_q, lowest)), {FeatureKind::vertex, lowest}, false};
}

FaceWitness box_face_witness(const Vec3& half_p, int axis, bool up, const Vec3& half_q,
                             const Transform& X_PQ, double L) {
  const double slack = kWitness * L;
  const int u = kNext[axis + 1], v = kNext[axis + 2];
  const OverFace face{axis,        u, v, up ? 1.0 : -1.0, half_p[u] + slack, half_p[v] + slack,
                      half_p[axis]};
  int lowest = 0;
  bool level[3], any_level = false;
  for (int k = 0; k < 3; ++k) {
    const double rise = face.up * X_PQ.R(axis, k);  // slope of Q's axis k above the face
    lowest |= (rise < 0) << (2 - k);
    level[k] = 2 * half_q[k] * std::abs(rise) <= slack;
    any_level |= level[k];
  }
  if (any_level) return level_witness(face, half_q, X_PQ, lowest, level, half_p);
  const Vec3 x = X_PQ * corner(half_q, lowest);
  return {face.onto(x), {FeatureKind::vertex, lowest}, face.outside(x) <= 0};
}

// The edge along `axis` that is extreme along n (in the box's frame), and its midpoint.
struct BoxEdge {
  int index;
  Vec3 middle;
};
BoxEdge extreme_edge(const Vec3& half, int axis, const Vec3& n) {
  const int u = kNext[axis + 1], v = kNext[axis + 2];
  BoxEdge e{kEdgeOf[axis][n[u] > 0][n[v] > 0], Vec3::Zero()};
  e.middle[u] = n[u] > 0 ? half[u] : -half[u];
  e.middle[v] = n[v] > 0 ? half[v] : -half[v];
  return e;
}

double separation(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB, const Vec3& n) {
  return n.dot(X_AB.p) - half_a.dot(n.cwiseAbs()) - half_b.dot((X_AB.R.transpose() * n).cwiseAbs());
}

// The normal of two edges, from A to B.
Vec3 edge_normal(const Transform& X_AB, int edge_a, int edge_b) {
  const Vec3 n = Vec3::Unit(edge_a).cross(X_AB.R.col(edge_b)).normalized();
  return n.dot(X_AB.p) < 0 ? -n : n;
}

SatProximity on_face_of_a(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB, int axis,
                          double distance, double L) {
  const bool up = X_AB.p[axis] > 0;
  const FaceWitness w = box_face_witness(half_a, axis, up, half_b, X_AB, L);
  SatProximity d;
  d.distance = distance;
  d.normal = Vec3::Unit(axis) * (up ? 1 : -1);
  d.a = {FeatureKind::face, kFaceOf[axis][up]};
  d.b = w.other;
  d.p_A = w.on_face;
  d.p_B = d.p_A + d.distance * d.normal;
  d.exact = w.inside;
  return d;
}

// `up`: whether the face of B towards A is the positive one.
SatProximity on_face_of_b(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB, int axis,
                          bool up, double distance, double L) {
  const FaceWitness w = box_face_witness(half_b, axis, up, half_a, X_AB.inverse(), L);
  SatProximity d;
  d.distance = distance;
  d.normal = X_AB.R.col(axis) * (up ? -1 : 1);
  d.a = w.other;
  d.b = {FeatureKind::face, kFaceOf[axis][up]};
  d.p_B = X_AB * w.on_face;
  d.p_A = d.p_B - d.distance * d.normal;
  d.exact = w.inside;
  return d;
}

SatProximity on_edges(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB, int edge_a,
                      int edge_b, double distance, double L) {
  const Vec3 n = edge_normal(X_AB, edge_a, edge_b);
  const BoxEdge a = extreme_edge(half_a, edge_a, n);
  const BoxEdge b = extreme_edge(half_b, edge_b, -(X_AB.R.transpose() * n));
  const EdgeArc line_a{a.middle, Vec3::Unit(edge_a), n, n};
  const EdgeArc line_b{X_AB * b.middle, X_AB.R.col(edge_b), n, n};
  const LineParameters at = closest_on_lines(line_a, line_b);
  const double reach_a = half_a[edge_a], reach_b = half_b[edge_b], slack = kWitness * L;
  SatProximity d;
  d.distance = distance;
  d.normal = n;
  d.a = {FeatureKind::edge, a.index};
  d.b = {FeatureKind::edge, b.index};
  d.p_A = a.middle + std::clamp(at.ta, -reach_a, reach_a) * line_a.direction;
  d.p_B = d.p_A + d.distance * d.normal;
  d.exact = std::abs(at.ta) <= reach_a + slack && std::abs(at.tb) <= reach_b + slack;
  return d;
}

}  // namespace

SatProximity box_box_proximity(const Vec3& half_a, const Vec3& half_b, const Transform& X_AB,
                               double limit) {
  const Mat3& R = X_AB.R;
  const Vec3& p = X_AB.p;
  const Mat3 abs_R = R.cwiseAbs();
  const double L = 2 * (half_a.norm() + half_b.norm());
  SatProximity d;

  const Vec3 q = R.transpose() * p;
  const Vec3 from_a = p.cwiseAbs() - half_a - abs_R * half_b;
  const Vec3 from_b = q.cwiseAbs() - half_b - abs_R.transpose() * half_a;
  int i, j;
  const double face_a = from_a.maxCoeff(&i), face_b = from_b.maxCoeff(&j);
  const double best_face = std::max(face_a, face_b);
  if (best_face > limit) {
    d.distance = best_face;
    d.normal = face_a >= face_b ? Vec3(Vec3::Unit(i) * (p[i] > 0 ? 1 : -1))
                                : Vec3(R.col(j) * (q[j] >= 0 ? 1 : -1));
    d.beyond_limit = true;
    return d;
  }

  // edges, if they are better than any face
  double best = best_face;
  int edge_a = -1, edge_b = -1;
  for (int ea = 0; ea < 3; ++ea) {
    const int i1 = kNext[ea + 1], i2 = kNext[ea + 2];
    for (int eb = 0; eb < 3; ++eb) {
      const int j1 = kNext[eb + 1], j2 = kNext[eb + 2];
      const double apart = p[i2] * R(i1, eb) - p[i1] * R(i2, eb);
      double gap = std::abs(apart) - half_a[i1] * abs_R(i2, eb) - half_a[i2] * abs_R(i1, eb) -
                   half_b[j1] * abs_R(ea, j2) - half_b[j2] * abs_R(ea, j1);
      // the axis has at most length 1, so that division by its length cannot improve a negative gap
      if (gap <= best && gap <= 0) continue;
      const double squared = R(i1, eb) * R(i1, eb) + R(i2, eb) * R(i2, eb);
      if (squared < kParallelEdges * kParallelEdges) continue;
      gap /= std::sqrt(squared);
      if (squared < kSmallAngle2) {
        // the rounding of R matters: project the actual boxes
        Vec3 n = Vec3::Unit(ea).cross(R.col(eb)) / std::sqrt(squared);
        gap = separation(half_a, half_b, X_AB, apart >= 0 ? n : -n);
      }
      if (gap > best) {
        best = gap;
        edge_a = ea;
        edge_b = eb;
      }
    }
  }

  if (best > limit) {
    d.distance = best;
    d.normal = edge_normal(X_AB, edge_a, edge_b);
    d.beyond_limit = true;
    return d;
  }

  // of axes as good as the best, the first that has witness points
  const double good_enough = best - kFaceBias * L;
  if (face_a >= good_enough) {
    d = on_face_of_a(half_a, half_b, X_AB, i, face_a, L);
    if (d.exact) return d;
  }
  SatProximity e;
  if (face_b >= good_enough) {
    e = on_face_of_b(half_a, half_b, X_AB, j, q[j] < 0, face_b, L);
    if (e.exact) return e;
  }
  SatProximity f;
  if (edge_a >= 0) {
    f = on_edges(half_a, half_b, X_AB, edge_a, edge_b, best, L);
    if (f.exact) return f;
  }
  return face_a >= good_enough ? d : face_b >= good_enough ? e : f;
}

}  // namespace abut
