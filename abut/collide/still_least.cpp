#include "abut/collide/still_least.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/face_witness.h"

namespace abut {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Relative to L: rounding of a height, and what a ball is made smaller by, so that none touches a
// face of the difference.
constexpr double kRounding = 1e-14, kBallRounding = 1e-12;
// Relative to L^2: twice the area between an edge of the face and the origin's projection, that
// is surely not zero.
constexpr double kInside = 1e-12;

// Balls inside the difference: under the vertices a and b, and around the centers. In the owner's
// frame, where X places the other.
struct Balls {
  Vec3 center[2];
  double radius[2];

  Balls(const Convex& owner, int a, const Convex& other, int b, const Transform& X, double L) {
    const InnerBall &p = owner.balls->under(a), &q = other.balls->under(b);
    center[0] = p.center - X * q.center;
    radius[0] = p.radius + q.radius - kBallRounding * L;
    center[1] = owner.center - X * other.center;
    radius[1] = owner.inner + other.inner - kBallRounding * L;
  }
};

// Whether a face of the difference, d away from the origin along n, is surely the nearest.
//
// A corner v of the face rules out the directions u with v . u >= d: a cap of the sphere, with n
// on its border. The caps of two neighbours v, w meet again at n mirrored at the plane of v and w:
// up to there, each covers the other's border on the side of the face. If a ball within the
// difference reaches d there as well, at every edge of the face, then no border is left that the
// ball does not rule out, and so no direction (cap_cover.h says more).
class NearestProof {
 public:
  NearestProof(const Vec3& n, double d, double L, const Balls& balls)
      : n_(n), grain_(kInside * L * L), balls_(balls) {
    for (int i = 0; i < 2; ++i) reach_[i] = n.dot(balls.center[i]) + balls.radius[i] - d;
  }
  // An edge of the face, counter-clockwise from v to w, as v x w. False: no ball does.
  bool pass(const Vec3& x) {
    const double inside = n_.dot(x), squared = x.squaredNorm();
    for (int i = 0; i < 2; ++i)
      holds_[i] &= reach_[i] * squared >= 2 * inside * x.dot(balls_.center[i]);
    return inside > grain_ && (holds_[0] || holds_[1]);
  }

 private:
  const Vec3& n_;
  double grain_;
  const Balls& balls_;
  double reach_[2];
  bool holds_[2] = {true, true};
};

// Whether a point is over a face, or beyond its border by no more than `slack` (m).
bool is_over(const Polyhedron& p, int face, const Vec3& point, double slack) {
  const std::span<const int> loop = p.face_loop(face);
  const Vec3& eta = p.faces[at(face)].eta;
  const Vec3* tail = &p.vertices[at(loop.back())];
  for (const int v : loop) {
    const Vec3& head = p.vertices[at(v)];
    const Vec3 along = head - *tail;
    const double inside = eta.dot(along.cross(point - *tail));
    if (inside < 0 && inside * inside > slack * slack * along.squaredNorm()) return false;
    tail = &head;
  }
  return true;
}

// Whether no vertex of Q is farther along n (unit) than v by more than `slack` (m). With some
// neighbours as far as v, one behind them could be farther.
bool is_farthest(const Convex& Q, int v, const Vec3& n, double slack) {
  const Polyhedron& p = *Q.polyhedron;
  const Vec3& here = p.vertices[at(v)];
  double most = -std::numeric_limits<double>::infinity();
  for (const int w : p.neighbours(v)) most = std::max(most, n.dot(p.vertices[at(w)] - here));
  if (most > slack) return false;
  return most < -slack || n.dot(Q.support->vertex(Q.support->farthest(n)) - here) <= slack;
}

// A face of one solid and what is deepest under it of the other: vertex v, or v = -1: whichever
// vertex, edge or face it is.
bool under_face(const Convex& A, const Convex& B, const Transform& X_AB, bool of_a, int face, int v,
                Proximity& d, bool& least) {
  const double L = pair_size(A, B);
  const Convex &owner = of_a ? A : B, &other = of_a ? B : A;
  const Polyhedron& p = *owner.polyhedron;
  const Polyhedron::Face& f = p.faces[at(face)];
  const Transform X = of_a ? X_AB : X_AB.inverse();  // of the other in the owner's frame
  const Vec3 down = -(X.R.transpose() * f.eta);
  Feature of_other{FeatureKind::vertex, v};
  Vec3 x;
  if (v >= 0) {
    if (!is_farthest(other, v, down, kRounding * L)) return false;
    x = X * other.polyhedron->vertices[at(v)];
    d.distance = f.eta.dot(x) - f.offset;
  } else {
    v = other.support->farthest(down);
    const FaceWitness w = face_witness(p, face, *other.polyhedron, X, L, v);
    if (!w.inside) return false;
    of_other = w.other;
    d.distance = f.eta.dot(X * other.polyhedron->vertices[at(v)]) - f.offset;
    x = w.on_face + d.distance * f.eta;
  }
  const std::span<const int> loop = p.face_loop(face);
  const Balls balls(owner, loop[0], other, v, X, L);
  NearestProof proof(f.eta, -d.distance, L, balls);
  Vec3 tail = p.vertices[at(loop.back())] - x;
  least = true;
  for (std::size_t k = 0; k < loop.size() && least; ++k) {
    const Vec3 head = p.vertices[at(loop[k])] - x;
    least = proof.pass(tail.cross(head));
    tail = head;
  }
  if (!least && !is_over(p, face, x, 2 * kWitness * L)) return false;
  if (of_a) {
    d.normal = f.eta;
    d.p_A = x - d.distance * f.eta;
    d.p_B = x;
    d.a = {FeatureKind::face, face};
    d.b = of_other;
  } else {
    d.normal = -(X_AB.R * f.eta);
    d.p_A = X_AB * x;
    d.p_B = d.p_A + d.distance * d.normal;
    d.a = of_other;
    d.b = {FeatureKind::face, face};
  }
  return true;
}

// Whether no vertex is farther along n, unit and across an edge, than the edge by more than `slack`
// (m). Between the normals of its faces it is the farthest, unless they are bumpy, or so sharp an
// edge that bumps grow over it.
bool is_highest(const Convex& c, int edge, const Vec3& along, const Vec3& n, double slack) {
  const Polyhedron& p = *c.polyhedron;
  const Polyhedron::Edge& e = p.edges[at(edge)];
  const Vec3 &eta1 = p.faces[at(e.f1)].eta, &eta2 = p.faces[at(e.f2)].eta;
  if (c.bumps <= 0.1 * slack && eta1.dot(eta2) > -0.95)
    return n.dot(eta1.cross(along)) <= 0 && n.dot(along.cross(eta2)) <= 0;
  return n.dot(c.support->vertex(c.support->farthest(n)) - p.vertices[at(e.tail)]) <= slack;
}

bool edge_edge(const Convex& A, const Convex& B, int e, int f, const Transform& X_AB, Proximity& d,
               bool& least) {
  const double L = pair_size(A, B), rounding = kRounding * L;
  const Polyhedron &P = *A.polyhedron, &Q = *B.polyhedron;
  const Polyhedron::Edge &ea = P.edges[at(e)], &eb = Q.edges[at(f)];
  const Vec3 &p = P.vertices[at(ea.tail)], q = X_AB * Q.vertices[at(eb.tail)];
  const Vec3 u = P.vertices[at(ea.head)] - p;
  const Vec3 v_B = Q.vertices[at(eb.head)] - Q.vertices[at(eb.tail)], v = X_AB.R * v_B;
  const Vec3 cross = u.cross(v);
  const double squared = cross.squaredNorm();
  if (!(squared > 1e-18 * u.squaredNorm() * v.squaredNorm())) return false;
  // where the two lines pass each other
  const Vec3 between = q - p;
  const double scale = 1 / squared;
  const Vec3 by_u = between.cross(u), by_v = between.cross(v);
  const double s = by_v.dot(cross) * scale, t = by_u.dot(cross) * scale;
  constexpr double kBeyond = 1e-9;  // of the edge's length
  if (std::min(s, t) < -kBeyond || std::max(s, t) > 1 + kBeyond) return false;
  const bool left = cross.dot(P.faces[at(ea.f1)].eta + P.faces[at(ea.f2)].eta) < 0;
  const Vec3 n = cross * (left ? -std::sqrt(scale) : std::sqrt(scale));
  if (!is_highest(A, e, u, n, rounding) ||
      !is_highest(B, f, v_B, -(X_AB.R.transpose() * n), rounding))
    return false;
  d.normal = n;
  d.distance = n.dot(between);
  d.p_A = p + s * u;
  d.p_B = d.p_A + d.distance * n;
  d.a = {FeatureKind::edge, e};
  d.b = {FeatureKind::edge, f};
  // the edges of their parallelogram, each as the cross product of its ends
  const double turn = left ? 1 : -1;
  const Vec3 x0 = -turn * by_u, x3 = -turn * by_v, x1 = -x3 - turn * cross, x2 = -x0 - turn * cross;
  const Balls balls(A, ea.tail, B, eb.tail, X_AB, L);
  NearestProof proof(n, -d.distance, L, balls);
  least = proof.pass(x0) && proof.pass(x1) && proof.pass(x2) && proof.pass(x3);
  return true;
}

}  // namespace

bool translation_along(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                       const Feature& b, Proximity& d, bool& least) {
  const auto vertex_of = [](const Feature& f) {
    return f.kind == FeatureKind::vertex ? f.index : -1;
  };
  if (a.kind == FeatureKind::face)
    return under_face(A, B, X_AB, true, a.index, vertex_of(b), d, least);
  if (b.kind == FeatureKind::face)
    return under_face(A, B, X_AB, false, b.index, vertex_of(a), d, least);
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge)
    return edge_edge(A, B, a.index, b.index, X_AB, d, least);
  return false;
}

}  // namespace abut
