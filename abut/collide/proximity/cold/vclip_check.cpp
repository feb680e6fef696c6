// Checks whether two features are closest, by a local proof for convex polyhedra: the closest
// points of the two features, and a direction between them along which each solid ends at its own
// point. Both are tested on the faces and edges around the features.
#include <algorithm>
#include <limits>

#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/cold/vclip.h"
#include "abut/collide/proximity/cold/vclip_parts.h"
#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace vclip_parts {
namespace {

// Whether no vertex of P is higher along n (unit) than v by more than `slack`. If all neighbours
// are clearly lower, this is proved. If some are as high as v up to rounding, a vertex behind them
// could be higher (cones as flat as 1e-9 rad), so that the plateau is searched.
bool is_farthest(const Polyhedron& P, int v, const Vec3& n, double slack) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& spoke : P.spokes_of(v)) most = std::max(most, n.dot(spoke));
  if (most > slack) return false;
  return most <= -slack || n.dot(P.vertices[support(P, n, v)] - P.vertices[v]) <= slack;
}

// Whether n (unit) lies between the normals of the edge's faces, up to an angle at which the solid
// rises above the edge by no more than `slack`.
bool is_on_arc(const Polyhedron& P, int edge, const Vec3& n, double slack) {
  return std::max(n.dot(P.into_f1(edge)), n.dot(P.into_f2(edge))) * P.size <= slack;
}

// A face of one solid, a vertex of the other.
template <int owner, typename Axes>
bool face_vertex(const Polyhedron& P, int f, const Polyhedron& Q, int v, const Axes& axes,
                 const Strictness& k, Proximity& out) {
  const Vec3 x = axes.template point<1 - owner>(Q.vertices[v]);
  const Vec3 x_P = axes.template local_point<owner>(x);
  const double height = P.height_above(f, x_P);
  const Vec3 eta = axes.template direction<owner>(P.faces[f].eta);
  if (!(height > 0) ||
      !is_farthest(Q, v, -axes.template local_direction<1 - owner>(eta), k.slack) ||
      inside_face(P, f, x_P) < -k.slack)
    return false;
  out.distance = height;
  out.normal = owner == 0 ? eta : Vec3(-eta);
  (owner == 0 ? out.p_A : out.p_B) = x - height * eta;
  (owner == 0 ? out.p_B : out.p_A) = x;
  return true;
}

// An edge of one solid, a vertex of the other.
template <int owner, typename Axes>
bool edge_vertex(const Polyhedron& P, int e, const Polyhedron& Q, int v, const Axes& axes,
                 const Strictness& k, Proximity& out) {
  const Vec3 y = axes.template point<1 - owner>(Q.vertices[v]);
  const Vec3 y_P = axes.template local_point<owner>(y);
  const Segment line = line_of(P, e);
  const double uu = line.along.squaredNorm();
  const double s = line.along.dot(y_P - line.tail) / uu;
  if (s < 0 || s > 1) return false;
  const Vec3 x = line.at(s);
  Vec3 n = y_P - x;
  n -= line.along * (line.along.dot(n) / uu);
  const double gap = n.norm();
  if (!(gap > k.least_gap)) return false;
  n /= gap;
  const Vec3 outward = axes.template direction<owner>(n);
  if (!is_on_arc(P, e, n, k.slack) ||
      !is_farthest(Q, v, -axes.template local_direction<1 - owner>(outward), k.slack))
    return false;
  out.distance = gap;
  out.normal = owner == 0 ? outward : Vec3(-outward);
  (owner == 0 ? out.p_A : out.p_B) = axes.template point<owner>(x);
  (owner == 0 ? out.p_B : out.p_A) = y;
  return true;
}

// Where two segments are nearest, if that is inside both and they are not parallel: the points, and
// the perpendicular direction with either sign.
bool cross_inside(const Segment& e, const Segment& f, double least_sine, Vec3& n, Vec3& x,
                  Vec3& y) {
  const double ee = e.along.squaredNorm(), ff = f.along.squaredNorm();
  const Vec3 r = f.tail - e.tail, cross = e.along.cross(f.along);
  const double cc = cross.squaredNorm();
  if (cc > kWideAngle2 * ee * ff) {
    const double s = r.cross(f.along).dot(cross), t = r.cross(e.along).dot(cross);
    if (!(s > 0 && s < cc && t > 0 && t < cc)) return false;
    const double scale = 1 / cc;
    n = cross * std::sqrt(scale);
    x = e.at(s * scale);
    y = f.at(t * scale);
    return true;
  }
  // a small angle needs more care about rounding
  const SegmentPair q = closest_points(e, f);
  if (!(q.s > 0 && q.s < 1 && q.t > 0 && q.t < 1 && q.sine2 > least_sine * least_sine))
    return false;
  n = common_perpendicular(e, f, q.cross);
  x = q.x;
  y = q.y;
  return true;
}

template <typename Axes>
bool edge_edge(const Polyhedron& A, int a, const Polyhedron& B, int b, const Axes& axes,
               const Strictness& k, Proximity& out) {
  const Segment e_A = line_of(A, a), f_B = line_of(B, b);
  const Segment e{axes.template point<0>(e_A.tail), axes.template direction<0>(e_A.along)};
  const Segment f{axes.template point<1>(f_B.tail), axes.template direction<1>(f_B.along)};
  Vec3 n;
  if (!cross_inside(e, f, k.least_sine, n, out.p_A, out.p_B)) return false;
  // outwards from A, which nearby points cannot determine
  const Polyhedron::Edge& edge = A.edges[a];
  Vec3 n_A = axes.template local_direction<0>(n);
  if (n_A.dot(A.faces[edge.f1].eta + A.faces[edge.f2].eta) < 0) {
    n = -n;
    n_A = -n_A;
  }
  const double gap = n.dot(out.p_B - out.p_A);
  if (!(gap > 0) || !is_on_arc(A, a, n_A, k.slack) ||
      !is_on_arc(B, b, -axes.template local_direction<1>(n), k.slack))
    return false;
  out.distance = gap;
  out.normal = n;
  return true;
}

template <typename Axes>
bool vertex_vertex(const Polyhedron& A, int a, const Polyhedron& B, int b, const Axes& axes,
                   const Strictness& k, Proximity& out) {
  const Vec3 x = axes.template point<0>(A.vertices[a]), y = axes.template point<1>(B.vertices[b]);
  const double gap = (y - x).norm();
  if (!(gap > k.least_gap)) return false;
  const Vec3 n = (y - x) / gap;
  if (!is_farthest(A, a, axes.template local_direction<0>(n), k.slack) ||
      !is_farthest(B, b, -axes.template local_direction<1>(n), k.slack))
    return false;
  out.distance = gap;
  out.normal = n;
  out.p_A = x;
  out.p_B = y;
  return true;
}

template <typename Axes>
bool are_closest(const Polyhedron& A, const Polyhedron& B, const Axes& axes, Feature a, Feature b,
                 const Strictness& k, Proximity& out) {
  using enum FeatureKind;
  bool closest = false;
  if (a.kind == face && b.kind == vertex)
    closest = face_vertex<0>(A, a.index, B, b.index, axes, k, out);
  else if (a.kind == vertex && b.kind == face)
    closest = face_vertex<1>(B, b.index, A, a.index, axes, k, out);
  else if (a.kind == edge && b.kind == edge)
    closest = edge_edge(A, a.index, B, b.index, axes, k, out);
  else if (a.kind == vertex && b.kind == vertex)
    closest = vertex_vertex(A, a.index, B, b.index, axes, k, out);
  else if (a.kind == edge && b.kind == vertex)
    closest = edge_vertex<0>(A, a.index, B, b.index, axes, k, out);
  else if (a.kind == vertex && b.kind == edge)
    closest = edge_vertex<1>(B, b.index, A, a.index, axes, k, out);
  if (!closest) return false;
  out.a = a;
  out.b = b;
  out.indeterminate = out.beyond_limit = false;
  return true;
}

}  // namespace

bool is_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                Feature b, const Strictness& strictness, Proximity& out) {
  return are_closest(A, B, InFrameOfA(X_AB), a, b, strictness, out);
}

}  // namespace vclip_parts

template <typename Axes>
bool still_closest(const Polyhedron& A, const Polyhedron& B, const Axes& axes, Feature a, Feature b,
                   Proximity& out) {
  const double L = A.size + B.size;
  const vclip_parts::Strictness k{vclip_parts::rounding(A, B, axes.between()), kLeastGap * L,
                                  kLeastSine};
  return vclip_parts::are_closest(A, B, axes, a, b, k, out);
}
template bool still_closest(const Polyhedron&, const Polyhedron&, const InFrameOfA&, Feature,
                            Feature, Proximity&);
template bool still_closest(const Polyhedron&, const Polyhedron&, const InWorldAxes&, Feature,
                            Feature, Proximity&);

bool still_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                   Feature b, Proximity& out) {
  return still_closest(A, B, InFrameOfA(X_AB), a, b, out);
}

}  // namespace abut
