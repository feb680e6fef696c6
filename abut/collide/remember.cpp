#include "abut/collide/remember.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/face_witness.h"
#include "abut/collide/vclip.h"

namespace abut {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Rounding of a height, relative to L.
constexpr double kRounding = 1e-14;

// How far any point of B has moved in A's frame, at most: its centre, and the rest by the
// norm of the change of rotation, 2 sin(angle / 2).
double motion(const Convex& B, const Transform& X_AB, const PairHint& hint) {
  const double* q = hint.quaternion;
  const Transform before(Quat(q[0], q[1], q[2], q[3]).toRotationMatrix(),
                         Vec3(hint.position[0], hint.position[1], hint.position[2]));
  const double turned = (X_AB.R - before.R).norm() / std::sqrt(2.0);
  return (X_AB * B.center - before * B.center).norm() + turned * B.radius;
}

// A squared length as a fraction: quotients wait for each other, products do not.
struct Room {
  double over, under = 1;  // m^2
};

// Whether a face of the difference, d away from the origin, is surely the nearest, by two things
// that are within the difference: a disc in the face around the point nearest to the origin, of
// radius r = root of `room`, and a ball around -c. At an angle x from the normal the disc needs
// d cos x + r sin x, which is no less than d up to tan(x/2) = r / d; beyond that the ball must do.
bool is_nearest(const Vec3& n, double d, const Room& room, const Vec3& c, double radius) {
  const double ball = radius - d;
  const double along = n.dot(c), squared = c.squaredNorm();
  if (!(ball > 0 && along > 0)) return false;
  // the ball does from phi + beta on: phi between the normal and c, cos beta = ball / |c|
  const double across = std::max(0.0, squared - along * along);
  const double open = std::max(0.0, squared - ball * ball);
  const double cosine = along * ball - std::sqrt(across * open);
  return d * d * (squared - cosine) * room.under <= room.over * (squared + cosine);
}

// The same with the balls under a vertex of each, or those around their centers.
bool is_nearest(const Convex& A, int a, const Convex& B, int b, const Transform& X_AB,
                const Proximity& d, const Room& room) {
  const InnerBall &p = A.balls->under(a), &q = B.balls->under(b);
  return room.over > 0 &&
         (is_nearest(d.normal, -d.distance, room, X_AB * q.center - p.center,
                     p.radius + q.radius) ||
          is_nearest(d.normal, -d.distance, room, X_AB * B.center - A.center, A.inner + B.inner));
}

// Whether a point is over a face, or beyond its border by no more than `slack` (m), and how far it
// is inside: 0 if it is not.
bool is_over(const Polyhedron& p, int face, const Vec3& point, double slack, Room& room) {
  const std::span<const int> loop = p.face_loop(face);
  const Vec3& eta = p.faces[at(face)].eta;
  const Vec3* tail = &p.vertices[at(loop.back())];
  room = {std::numeric_limits<double>::infinity()};
  for (const int v : loop) {
    const Vec3& head = p.vertices[at(v)];
    const Vec3 along = head - *tail;
    const double inside = eta.dot(along.cross(point - *tail)), squared = inside * inside;
    const double length = along.squaredNorm();
    if (inside <= 0) {
      if (squared > slack * slack * length) return false;
      room = {0};
    } else if (squared * room.under < room.over * length) {
      room = {squared, length};
    }
    tail = &head;
  }
  return true;
}

// The translation along the normal of a face of one solid that vertex v of the other is deepest
// under. False if another vertex is deeper, or none is under the face. v = -1: whichever vertex,
// edge or face is deepest. `least`: no other needs less.
bool face_vertex(const Convex& A, const Convex& B, const Transform& X_AB, bool of_a, int face,
                 int v, double L, Proximity& d, bool& least) {
  const Convex &owner = of_a ? A : B, &other = of_a ? B : A;
  const Polyhedron& p = *owner.polyhedron;
  const Polyhedron::Face& f = p.faces[at(face)];
  const Vec3 n = of_a ? f.eta : Vec3(-(X_AB.R * f.eta));
  const Vec3 down = of_a ? Vec3(-(X_AB.R.transpose() * f.eta)) : n;
  const int deepest = other.support->farthest(down);
  const int u = v < 0 ? deepest : v;
  const Vec3& lowest = other.support->vertex(u);
  if (down.dot(other.support->vertex(deepest) - lowest) > kRounding * L) return false;
  // in the owner's frame
  const Vec3 x = of_a ? Vec3(X_AB * lowest) : Vec3(X_AB.R.transpose() * (lowest - X_AB.p));
  d.normal = n;
  d.distance = f.eta.dot(x) - f.offset;
  Feature of_other{FeatureKind::vertex, v};
  Room room;
  if (v >= 0) {
    if (!is_over(p, face, x, kWitness * L, room)) return false;
    d.p_A = of_a ? Vec3(x - d.distance * n) : lowest;
  } else {
    const FaceWitness w =
        face_witness(p, face, *other.polyhedron, of_a ? X_AB : X_AB.inverse(), L, deepest);
    if (!w.inside || !is_over(p, face, w.on_face, 2 * kWitness * L, room)) return false;
    of_other = w.other;
    d.p_A = of_a ? w.on_face : Vec3(X_AB * w.on_face - d.distance * n);
  }
  const int corner = p.face_vertices[at(f.begin)];
  least = is_nearest(A, of_a ? corner : u, B, of_a ? u : corner, X_AB, d, room);
  d.p_B = d.p_A + d.distance * n;
  d.a = of_a ? Feature{FeatureKind::face, face} : of_other;
  d.b = of_a ? of_other : Feature{FeatureKind::face, face};
  return true;
}

bool edge_edge(const Convex& A, const Convex& B, int e, int f, const Transform& X_AB, double L,
               Proximity& d, bool& least) {
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
  d.normal = n;
  d.distance = n.dot(between);
  d.p_A = p + s * u;
  d.p_B = d.p_A + d.distance * n;
  d.a = {FeatureKind::edge, e};
  d.b = {FeatureKind::edge, f};
  const double inside = std::min(std::min(s, 1 - s), std::min(t, 1 - t));
  least = inside > 0 && is_nearest(A, ea.tail, B, eb.tail, X_AB, d,
                                   {inside * inside * squared, std::max(uu, vv)});
  return true;
}

// The translation along last time's features, if they still define one. `least`: no other needs
// less, for sure.
bool translation(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                 const Feature& b, double L, Proximity& d, bool& least) {
  const auto vertex_of = [](const Feature& f) {
    return f.kind == FeatureKind::vertex ? f.index : -1;
  };
  if (a.kind == FeatureKind::face)
    return face_vertex(A, B, X_AB, true, a.index, vertex_of(b), L, d, least);
  if (b.kind == FeatureKind::face)
    return face_vertex(A, B, X_AB, false, b.index, vertex_of(a), L, d, least);
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge)
    return edge_edge(A, B, a.index, b.index, X_AB, L, d, least);
  return false;
}

}  // namespace

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

Recalled recall(const Convex& A, const Convex& B, const Transform& X_AB, const PairHint& hint,
                Proximity& d) {
  const Feature a = unpacked_feature(hint.feature_a), b = unpacked_feature(hint.feature_b);
  if (!exists(*A.polyhedron, a) || !exists(*B.polyhedron, b)) return Recalled::nothing;
  const double L = pair_size(A, B);
  if (hint.bound < 0) {
    if (still_closest(*A.polyhedron, *B.polyhedron, X_AB, a, b, d)) return Recalled::answer;
    // a walk from there, but for those that all but touch: they need a second look
    const VClipAnswer v = vclip(*A.polyhedron, *B.polyhedron, X_AB, a, b);
    if (v.status != VClipStatus::disjoint || !(v.proximity.distance > kNear * L))
      return Recalled::nothing;
    d = v.proximity;
    return Recalled::answer;
  }
  bool least = false;
  if (!translation(A, B, X_AB, a, b, L, d, least) || !(d.distance < 0)) return Recalled::nothing;
  const double bound = hint.bound + kSteady * L;
  return least || (-d.distance <= bound && -d.distance <= bound - motion(B, X_AB, hint))
             ? Recalled::answer
             : Recalled::translation;
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
  bool least = false;
  if (!translation(A, B, X_AB, a, b, L, last, least)) return false;
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
  if (!(hint.bound > 0)) return;
  const Quat q(X_AB.R);
  hint.quaternion[0] = q.w(), hint.quaternion[1] = q.x();
  hint.quaternion[2] = q.y(), hint.quaternion[3] = q.z();
  for (int i = 0; i < 3; ++i) hint.position[i] = X_AB.p[i];
}

void forget(PairHint& hint) { hint = {}; }

}  // namespace abut
