// Are these two features closest? A proof on the spot, for convex polyhedra: the closest
// points of the two features, and a direction between them along which each solid ends
// at its own point. Both are tested on what lies around the features.
#include <algorithm>

#include "abut/collide/vclip_parts.h"

namespace abut {
namespace vclip_parts {
namespace {

// Whether no vertex of P is higher along n (unit) than v by more than `slack`. All
// neighbours clearly lower prove it. With some as high as v up to rounding, a vertex
// behind them could be higher (cones as flat as 1e-9 rad), so the plateau is searched.
bool is_farthest(const Polyhedron& P, int v, const Vec3& n, double slack) {
  const Vec3 at = P.vertices[v];
  bool plateau = false;
  for (const int w : P.neighbours(v)) {
    const double rise = n.dot(P.vertices[w] - at);
    if (rise > slack) return false;
    plateau |= rise > -slack;
  }
  return !plateau || n.dot(P.vertices[support(P, n, v)] - at) <= slack;
}

// Whether n (unit) lies between the normals of the edge's faces, up to an angle that
// lets the solid rise over the edge by no more than `slack`.
bool is_on_arc(const Polyhedron& P, int edge, const Vec3& along, const Vec3& n, double slack) {
  const Polyhedron::Edge& e = P.edges[edge];
  const double beyond = std::max(n.dot(into_f1(P, e, along)), n.dot(into_f2(P, e, along)));
  return beyond <= 0 || beyond * P.size <= slack * std::sqrt(along.squaredNorm());
}

// Whether the point lies over the face, in the prism on it.
bool is_over_face(const Polyhedron& P, int f, const Vec3& point, double slack) {
  const Polyhedron::Face& face = P.faces[f];
  const int* loop = P.face_vertices.data();
  Vec3 tail = P.vertices[loop[face.end - 1]];
  const Vec3 across = face.eta.cross(point);  // (eta x u) . p = -(eta x p) . u
  for (int k = face.begin; k < face.end; ++k) {
    const Vec3& head = P.vertices[loop[k]];
    const Vec3 u = head - tail;
    const double inside = -u.dot(across - face.eta.cross(tail));
    if (inside < 0 && inside * inside > slack * slack * u.squaredNorm()) return false;
    tail = head;
  }
  return true;
}

// Face of P, vertex of Q, with the vertex in P's frame and P's axes in Q's.
bool face_vertex(const Polyhedron& P, int f, const Vec3& v_P, const Polyhedron& Q, int v,
                 const Vec3& eta_Q, double slack, double& height) {
  height = P.height_above(f, v_P);
  return height > 0 && is_farthest(Q, v, -eta_Q, slack) && is_over_face(P, f, v_P, slack);
}

// Edge of P, vertex of Q: the edge's nearest point and the normal from P, in P's frame.
bool edge_vertex(const Polyhedron& P, int e, const Vec3& v_P, const Polyhedron& Q, int v,
                 const Mat3& R_QP, const Strictness& k, Vec3& x, Vec3& n, double& gap) {
  const Segment line = line_of(P, e);
  const double uu = line.along.squaredNorm();
  const double s = line.along.dot(v_P - line.tail) / uu;
  if (s < 0 || s > 1) return false;
  x = line.at(s);
  n = v_P - x;
  n -= line.along * (line.along.dot(n) / uu);
  gap = n.norm();
  if (!(gap > k.least_gap)) return false;
  n /= gap;
  return is_on_arc(P, e, line.along, n, k.slack) && is_farthest(Q, v, -(R_QP * n), k.slack);
}

// Where two segments are nearest, if that is inside both and they are not parallel: the points and
// the direction across, of either sense.
bool cross_inside(const Segment& e, const Segment& f, double least_sine, Vec3& n, Vec3& x,
                  Vec3& y) {
  const double ee = e.along.squaredNorm(), ff = f.along.squaredNorm();
  const Vec3 r = f.tail - e.tail, cross = e.along.cross(f.along);
  const double cc = cross.squaredNorm();
  if (cc > 1e-4 * ee * ff) {
    const double s = r.cross(f.along).dot(cross), t = r.cross(e.along).dot(cross);
    if (!(s > 0 && s < cc && t > 0 && t < cc)) return false;
    const double scale = 1 / cc;
    n = cross * std::sqrt(scale);
    x = e.at(s * scale);
    y = f.at(t * scale);
    return true;
  }
  // at a small angle rounding needs more care
  const SegmentPair q = closest_points(e, f);
  if (!(q.s > 0 && q.s < 1 && q.t > 0 && q.t < 1 && q.sine2 > least_sine * least_sine))
    return false;
  n = common_perpendicular(e, f, q.cross);
  x = q.x;
  y = q.y;
  return true;
}

}  // namespace

bool is_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                Feature b, const Strictness& k, Proximity& out) {
  using enum FeatureKind;
  const Mat3& R = X_AB.R;
  if (a.kind == face && b.kind == vertex) {
    const Vec3 v = X_AB * B.vertices[b.index];
    const Vec3& eta = A.faces[a.index].eta;
    if (!face_vertex(A, a.index, v, B, b.index, R.transpose() * eta, k.slack, out.distance))
      return false;
    out.normal = eta;
    out.p_B = v;
    out.p_A = v - out.distance * eta;
  } else if (a.kind == vertex && b.kind == face) {
    const Vec3& v = A.vertices[a.index];
    const Vec3 eta = R * B.faces[b.index].eta;
    const Vec3 v_B = R.transpose() * (v - X_AB.p);
    if (!face_vertex(B, b.index, v_B, A, a.index, eta, k.slack, out.distance)) return false;
    out.normal = -eta;
    out.p_A = v;
    out.p_B = v - out.distance * eta;
  } else if (a.kind == edge && b.kind == edge) {
    const Segment e = line_of(A, a.index), f_B = line_of(B, b.index), f = placed(X_AB, f_B);
    Vec3 n;
    if (!cross_inside(e, f, k.least_sine, n, out.p_A, out.p_B)) return false;
    // outwards from A, which the points can't tell when they are too near
    const Polyhedron::Edge& edge_A = A.edges[a.index];
    if (n.dot(A.faces[edge_A.f1].eta + A.faces[edge_A.f2].eta) < 0) n = -n;
    const double gap = n.dot(out.p_B - out.p_A);
    if (!(gap > 0) || !is_on_arc(A, a.index, e.along, n, k.slack) ||
        !is_on_arc(B, b.index, f_B.along, -(R.transpose() * n), k.slack))
      return false;
    out.distance = gap;
    out.normal = n;
  } else if (a.kind == vertex && b.kind == vertex) {
    const Vec3& v = A.vertices[a.index];
    const Vec3 w = X_AB * B.vertices[b.index];
    const double gap = (w - v).norm();
    if (!(gap > k.least_gap)) return false;
    const Vec3 n = (w - v) / gap;
    if (!is_farthest(A, a.index, n, k.slack) ||
        !is_farthest(B, b.index, -(R.transpose() * n), k.slack))
      return false;
    out.distance = gap;
    out.normal = n;
    out.p_A = v;
    out.p_B = w;
  } else if (a.kind == edge && b.kind == vertex) {
    out.p_B = X_AB * B.vertices[b.index];
    if (!edge_vertex(A, a.index, out.p_B, B, b.index, R.transpose(), k, out.p_A, out.normal,
                     out.distance))
      return false;
  } else if (a.kind == vertex && b.kind == edge) {
    const Vec3& v = A.vertices[a.index];
    Vec3 x, n;
    if (!edge_vertex(B, b.index, R.transpose() * (v - X_AB.p), A, a.index, R, k, x, n,
                     out.distance))
      return false;
    out.normal = -(R * n);
    out.p_A = v;
    out.p_B = X_AB * x;
  } else {
    return false;
  }
  out.a = a;
  out.b = b;
  out.indeterminate = out.beyond_limit = false;
  return true;
}

}  // namespace vclip_parts

bool still_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                   Feature b, Proximity& out) {
  const double L = A.size + B.size;
  return vclip_parts::is_closest(A, B, X_AB, a, b,
                                 {vclip_parts::rounding(A, B, X_AB), 1e-6 * L, 1e-6}, out);
}

}  // namespace abut
