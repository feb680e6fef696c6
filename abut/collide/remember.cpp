#include "abut/collide/remember.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/face_witness.h"
#include "abut/collide/vclip.h"

namespace abut {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Rounding of a height, relative to L.
constexpr double kRounding = 1e-14;

bool exists(const Polyhedron& p, const Feature& f) {
  switch (f.kind) {
    case FeatureKind::vertex:
      return f.index < p.vertex_count();
    case FeatureKind::edge:
      return f.index < p.edge_count();
    case FeatureKind::face:
      return f.index < p.face_count();
    default:
      return false;
  }
}

// How far any point of B has moved in A's frame, at most: its centre, and the rest by the
// norm of the change of rotation, 2 sin(angle / 2).
double motion(const Convex& B, const Transform& X_AB, const PairHint& hint) {
  const double* q = hint.quaternion;
  const Transform before(Quat(q[0], q[1], q[2], q[3]).toRotationMatrix(),
                         Vec3(hint.position[0], hint.position[1], hint.position[2]));
  const double turned = (X_AB.R - before.R).norm() / std::sqrt(2.0);
  return (X_AB * B.center - before * B.center).norm() + turned * B.radius;
}

// The translation along the normal of a face of P that vertex v of Q is deepest under;
// X_PQ places Q in P. False if another vertex is deeper, or none is under the face.
// v = -1: whichever vertex, edge or face is deepest. `room`: how far the point is from the
// border of the face (m).
bool face_vertex(const Polyhedron& P, int face, const Convex& Q, int v, const Transform& X_PQ,
                 double L, Proximity& d, double& room) {
  const Polyhedron::Face& f = P.faces[at(face)];
  const Vec3 n_Q = X_PQ.R.transpose() * f.eta;
  const int deepest = Q.support->farthest(-n_Q);
  const Vec3& lowest = Q.support->vertex(v < 0 ? deepest : v);
  if (n_Q.dot(lowest - Q.support->vertex(deepest)) > kRounding * L) return false;
  const Vec3 x = X_PQ * lowest;
  d.normal = f.eta;
  d.distance = f.eta.dot(x) - f.offset;
  d.a = {FeatureKind::face, face};
  if (v >= 0) {
    room = inside_face(P, face, x);
    if (room < -kWitness * L) return false;
    d.p_A = x - d.distance * d.normal;
    d.b = {FeatureKind::vertex, v};
  } else {
    const FaceWitness w = face_witness(P, face, *Q.polyhedron, X_PQ, L, deepest);
    if (!w.inside) return false;
    room = inside_face(P, face, w.on_face);
    d.p_A = w.on_face;
    d.b = w.other;
  }
  d.p_B = d.p_A + d.distance * d.normal;
  return true;
}

bool edge_edge(const Convex& A, const Convex& B, int e, int f, const Transform& X_AB, double L,
               Proximity& d, double& room) {
  const double rounding = kRounding * L;
  const Polyhedron &P = *A.polyhedron, &Q = *B.polyhedron;
  const Polyhedron::Edge &ea = P.edges[at(e)], &eb = Q.edges[at(f)];
  const Vec3 &p = P.vertices[at(ea.tail)], q = X_AB * Q.vertices[at(eb.tail)];
  const Vec3 u = P.vertices[at(ea.head)] - p;
  const Vec3 v = X_AB.R * (Q.vertices[at(eb.head)] - Q.vertices[at(eb.tail)]);
  const Vec3 cross = u.cross(v);
  const double squared = cross.squaredNorm();
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  if (squared <= 1e-18 * uu * vv) return false;
  Vec3 n = cross / std::sqrt(squared);
  if (n.dot(P.faces[at(ea.f1)].eta + P.faces[at(ea.f2)].eta) < 0) n = -n;
  // still the highest of A and the lowest of B
  const Vec3& top = A.support->vertex(A.support->farthest(n));
  const Vec3 n_B = X_AB.R.transpose() * n;
  const Vec3& bottom = B.support->vertex(B.support->farthest(-n_B));
  if (n.dot(top - p) > rounding || n_B.dot(Q.vertices[at(eb.tail)] - bottom) > rounding)
    return false;
  // where the two lines pass each other
  const Vec3 between = q - p;
  const double s = between.cross(v).dot(cross) / squared, t = between.cross(u).dot(cross) / squared;
  constexpr double kBeyond = 1e-9;  // of the edge's length
  if (std::min(s, t) < -kBeyond || std::max(s, t) > 1 + kBeyond) return false;
  room = std::sqrt(squared / std::max(uu, vv)) * std::min(std::min(s, 1 - s), std::min(t, 1 - t));
  d.normal = n;
  d.distance = n.dot(between);
  d.p_A = p + s * u;
  d.p_B = d.p_A + d.distance * n;
  d.a = {FeatureKind::edge, e};
  d.b = {FeatureKind::edge, f};
  return true;
}

// The translation along last time's features, if they still define one. `room`: the difference has
// a disc of this radius (m), across the normal, around its point nearest to the origin.
bool translation(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                 const Feature& b, double L, Proximity& d, double& room) {
  const auto vertex_of = [](const Feature& f) {
    return f.kind == FeatureKind::vertex ? f.index : -1;
  };
  if (a.kind == FeatureKind::face)
    return face_vertex(*A.polyhedron, a.index, B, vertex_of(b), X_AB, L, d, room);
  if (b.kind == FeatureKind::face) {
    const Transform X_BA = X_AB.inverse();
    if (!face_vertex(*B.polyhedron, b.index, A, vertex_of(a), X_BA, L, d, room)) return false;
    d = swapped(d);
    d.normal = X_AB.R * d.normal;
    d.p_A = X_AB * d.p_A;
    d.p_B = d.p_A + d.distance * d.normal;
    return true;
  }
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge)
    return edge_edge(A, B, a.index, b.index, X_AB, L, d, room);
  return false;
}

// Whether no direction at all needs less than this translation, by two things that are within the
// difference: a disc of radius `room` in the face that it is the distance of, and the sum of the
// balls inside the two solids. At an angle x from the normal the disc needs d cos x + room sin x,
// which is no less than d up to tan(x/2) = room / d; beyond that the ball must do.
bool is_surely_least(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                     double room) {
  const double depth = -d.distance, ball = A.inner + B.inner - depth;
  if (!(ball > 0 && room > 0)) return false;
  const Vec3 c = X_AB * B.center - A.center;
  const double along = d.normal.dot(c), squared = c.squaredNorm();
  if (!(along > 0)) return false;
  // the ball does from phi + beta on: phi between the normal and c, cos beta = ball / |c|
  const double across = std::max(0.0, squared - along * along);
  const double open = std::max(0.0, squared - ball * ball);
  const double cosine = along * ball - std::sqrt(across * open);
  return (squared - cosine) * depth * depth <= (squared + cosine) * room * room;
}

}  // namespace

Remembered recall(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint) {
  Remembered last;
  const Feature a = unpacked_feature(hint.feature_a), b = unpacked_feature(hint.feature_b);
  if (!exists(*A.polyhedron, a) || !exists(*B.polyhedron, b)) return last;
  const double L = pair_size(A, B);
  if (hint.bound < 0) {
    last.answered = still_closest(*A.polyhedron, *B.polyhedron, X_AB, a, b, last.proximity);
    if (last.answered) return last;
    // a walk from there, but for those that all but touch: they need a second look
    const VClipAnswer v = vclip(*A.polyhedron, *B.polyhedron, X_AB, a, b);
    last.answered = v.status == VClipStatus::disjoint && v.proximity.distance > kNear * L;
    last.proximity = v.proximity;
    return last;
  }
  double room = 0;
  if (!translation(A, B, X_AB, a, b, L, last.proximity, room)) return last;
  const double depth = -last.proximity.distance;
  last.answered = depth > 0 && (is_surely_least(A, B, X_AB, last.proximity, room) ||
                                depth <= hint.bound - motion(B, X_AB, hint) + kSteady * L);
  return last;
}

bool last_normal(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                 Vec3& normal) {
  const Feature a = unpacked_feature(hint.feature_a), b = unpacked_feature(hint.feature_b);
  const Polyhedron &P = *A.polyhedron, &Q = *B.polyhedron;
  if (hint.bound < 0 || !exists(P, a) || !exists(Q, b)) return false;
  if (a.kind == FeatureKind::face) {
    normal = P.faces[at(a.index)].eta;
  } else if (b.kind == FeatureKind::face) {
    normal = -(X_AB.R * Q.faces[at(b.index)].eta);
  } else if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Polyhedron::Edge &e = P.edges[at(a.index)], &f = Q.edges[at(b.index)];
    normal = (P.vertices[at(e.head)] - P.vertices[at(e.tail)])
                 .cross(X_AB.R * (Q.vertices[at(f.head)] - Q.vertices[at(f.tail)]));
    if (normal.dot(P.faces[at(e.f1)].eta + P.faces[at(e.f2)].eta) < 0) normal = -normal;
  } else {
    return false;
  }
  return normal.squaredNorm() > 0;
}

bool last_face(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
               std::array<DifferenceVertex, 3>& face) {
  if (hint.bound < 0) return false;
  return difference_face(A, B, X_AB, unpacked_feature(hint.feature_a),
                         unpacked_feature(hint.feature_b), face);
}

bool difference_face(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                     const Feature& b, std::array<DifferenceVertex, 3>& face) {
  if (!exists(*A.polyhedron, a) || !exists(*B.polyhedron, b)) return false;
  const auto corner = [&](int va, int vb) {
    return DifferenceVertex{X_AB * B.support->vertex(vb) - A.support->vertex(va), va, vb};
  };
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Polyhedron::Edge &e = A.polyhedron->edges[at(a.index)],
                           &f = B.polyhedron->edges[at(b.index)];
    face = {corner(e.tail, f.tail), corner(e.head, f.tail), corner(e.tail, f.head)};
    return true;
  }
  const bool of_a = a.kind == FeatureKind::face;
  if (!of_a && b.kind != FeatureKind::face) return false;
  const Polyhedron& p = of_a ? *A.polyhedron : *B.polyhedron;
  const int index = of_a ? a.index : b.index;
  const Vec3& eta = p.faces[at(index)].eta;
  const SupportMap& other = of_a ? *B.support : *A.support;
  const Vec3 down = of_a ? Vec3(-(X_AB.R.transpose() * eta)) : Vec3(-(X_AB.R * eta));
  const int v = other.farthest(down);
  const Vec3 x =
      of_a ? X_AB * other.vertex(v) : Vec3(X_AB.R.transpose() * (other.vertex(v) - X_AB.p));
  // the triangle of the face's fan that holds x
  const std::span<const int> loop = p.face_loop(index);
  std::size_t k = 1;
  const Vec3& hub = p.vertices[at(loop[0])];
  while (k + 2 < loop.size() && eta.dot((p.vertices[at(loop[k + 1])] - hub).cross(x - hub)) > 0)
    ++k;
  for (std::size_t i = 0; i < 3; ++i) {
    const int u = loop[i == 0 ? 0 : k + i - 1];
    face[i] = of_a ? corner(u, v) : corner(v, u);
  }
  return true;
}

bool keep_steady(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                 Proximity& d) {
  if (hint.bound < 0) return false;
  const Feature a = unpacked_feature(hint.feature_a), b = unpacked_feature(hint.feature_b);
  if ((a == d.a && b == d.b) || !exists(*A.polyhedron, a) || !exists(*B.polyhedron, b))
    return false;
  const double L = pair_size(A, B);
  Proximity last;
  double room = 0;
  if (!translation(A, B, X_AB, a, b, L, last, room)) return false;
  // the same normal with another vertex, edge or face under it is what was found already
  if (last.distance <= d.distance - kSteady * L || last.normal.dot(d.normal) >= 1 - 1e-12)
    return false;
  d = last;
  return true;
}

void remember_apart(const Proximity& d, PairHint& hint) {
  hint.feature_a = packed(d.a);
  hint.feature_b = packed(d.b);
  hint.bound = -1;
}

void remember_overlap(const Proximity& d, double bound_of_others, const Transform& X_AB,
                      PairHint& hint) {
  hint.feature_a = packed(d.a);
  hint.feature_b = packed(d.b);
  hint.bound = std::max(0.0, bound_of_others);
  const Quat q(X_AB.R);
  hint.quaternion[0] = q.w(), hint.quaternion[1] = q.x();
  hint.quaternion[2] = q.y(), hint.quaternion[3] = q.z();
  for (int i = 0; i < 3; ++i) hint.position[i] = X_AB.p[i];
}

void forget(PairHint& hint) { hint = {}; }

}  // namespace abut
