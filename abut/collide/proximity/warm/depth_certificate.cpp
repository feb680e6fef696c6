#include "abut/collide/proximity/warm/depth_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/proximity/warm/cap_gaps.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// The sum of a ball inside A and a mirrored ball inside B.
template <typename Axes>
DifferenceBall difference(const Vec3& a, const Vec3& b, double radii, const Axes& axes, double L) {
  return {axes.template point<0>(a) - axes.template point<1>(b), radii - kBallRounding * L};
}
// The same in the frame of the owner, for the difference of the owner and the other solid.
template <int owner, typename Axes>
DifferenceBall local_difference(const Vec3& p, const Vec3& q, double radii, const Axes& axes,
                                double L) {
  return {p - axes.template local_point<owner>(axes.template point<1 - owner>(q)),
          radii - kBallRounding * L};
}

// The edges of a face that a ball leaves open.
struct Left {
  int count = 0;
  int edge[2];  // the first two of them

  void add(int k) {
    if (count < 2) edge[count] = k;
    ++count;
  }
};

// Proof that a face of the difference, at distance d from the origin along n, is the nearest.
//
// A corner v of the face rules out the directions u with v . u >= d: a cap of the sphere, with n on
// its border. The caps of two neighbours v, w meet again at n mirrored at the plane of v and w. Up
// to there, each covers the border of the other on the side of the face. If a ball inside the
// difference reaches d there as well, at every edge of the face, then the ball rules out every
// remaining border, and so every direction (cap_certificate.h has details).
class NearestProof {
 public:
  NearestProof(const Vec3& n, double d, const DifferenceBall& ball)
      : up_(n.dot(ball.center)), reach_(up_ + ball.radius - d) {}
  // Tests an edge of the face, counter-clockwise from v to w. With v x w = inside n + across, of
  // any length: the component along n, the square of the rest, and the product of the rest with the
  // ball's centre.
  bool pass(double inside, double across_squared, double across_center) const {
    return reach_ * (inside * inside + across_squared) >=
           2 * inside * (inside * up_ + across_center);
  }
  // Whether the directions that the ball leaves are around the normal.
  bool is_around() const { return reach_ < 0; }

 private:
  double up_, reach_;
};

// Whether no vertex of Q is farther along n (unit) than v by more than `slack` (m). If some
// neighbours are as far as v, a vertex behind them could be farther.
bool is_farthest(const Convex& Q, int v, const Vec3& n, double slack) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& spoke : Q.polyhedron->spokes_of(v)) most = std::max(most, n.dot(spoke));
  if (most > slack) return false;
  const SupportMap& support = *Q.support;
  return most < -slack || n.dot(support.vertex(support.farthest(n)) - support.vertex(v)) <= slack;
}

// Whether vertices in between close the gap beyond an edge from v to w, counter-clockwise, of a
// face with normal n (cap_certificate.h).
template <typename Axes>
bool is_closed(CapGaps<Axes>& gaps, const Vec3& n, const DifferenceFace::Corner& v,
               const DifferenceFace::Corner& w) {
  const Vec3 x = v.v.cross(w.v);
  return gaps.close({v, w, 0}, {n - (2 * n.dot(x) / x.squaredNorm()) * x, n});
}

// The same for the edges of a face of one solid that a ball left open, with the other solid's
// vertex v at `x` under the face; all in the common axes.
template <int owner, typename Axes>
bool are_closed(const Convex& P, int face, const Convex& Q, int v, const Vec3& x,
                const Vec3& normal, double depth, const DifferenceBall& ball, const Left& left,
                const Axes& axes) {
  const Convex &A = owner == 0 ? P : Q, &B = owner == 0 ? Q : P;
  CapGaps<Axes> gaps(A, B, axes, ball, depth, 0);
  const std::span<const int> loop = P.polyhedron->face_loop(face);
  const auto corner = [&](std::size_t k) -> DifferenceFace::Corner {
    const int u = loop[k % loop.size()];
    const Vec3 y = axes.template point<owner>(P.polyhedron->vertices[at(u)]);
    if constexpr (owner == 0) return {y - x, u, v};
    return {x - y, v, u};
  };
  for (int i = 0; i < left.count; ++i) {
    const DifferenceFace::Corner tail = corner(at(left.edge[i])),
                                 head = corner(at(left.edge[i] + 1));
    // a mirrored solid runs the other way round
    if (!(owner == 0 ? is_closed(gaps, normal, tail, head) : is_closed(gaps, normal, head, tail)))
      return false;
  }
  return true;
}

// A face of one solid and the deepest feature of the other under it: vertex v, or for v = -1 any
// vertex, edge or face.
template <int owner, typename Axes>
bool under_face(const Convex& P, int face, const Convex& Q, int v, const Axes& axes, Proximity& d,
                bool& certified) {
  const double L = pair_size(P, Q);
  const Polyhedron &p = *P.polyhedron, &q = *Q.polyhedron;
  const Polyhedron::Face& f = p.faces[at(face)];
  const Vec3 eta = axes.template direction<owner>(f.eta);
  const Vec3 down = -axes.template local_direction<1 - owner>(eta);
  Feature of_other{FeatureKind::vertex, v};
  Vec3 x, x_P;  // the deepest point, in the common axes and in the owner's frame
  if (v >= 0) {
    if (!is_farthest(Q, v, down, kHeightRounding * L)) return false;
    x = axes.template point<1 - owner>(q.vertices[at(v)]);
    x_P = axes.template local_point<owner>(x);
    d.distance = f.eta.dot(x_P) - f.offset;
  } else {
    v = Q.support->farthest(down);
    const Transform X_AB = axes.X_AB(), X_PQ = owner == 0 ? X_AB : X_AB.inverse();
    const FaceWitness w = face_witness(p, face, q, X_PQ, L, v);
    if (!w.inside) return false;
    of_other = w.other;
    d.distance = f.eta.dot(X_PQ * q.vertices[at(v)]) - f.offset;
    x_P = w.on_face + d.distance * f.eta;
    x = axes.template point<owner>(x_P);
  }
  const double depth = -d.distance;
  const Vec3 from_center = x_P - p.center;
  const std::span<const Polyhedron::Border> borders = p.face_borders(face);
  double inside = std::numeric_limits<double>::infinity();
  const auto left_by = [&](const DifferenceBall& ball) {
    // v x w, divided by the edge's length, is s n + d inward
    const NearestProof proof(f.eta, depth, ball);
    Left left;
    for (std::size_t k = 0; k < borders.size(); ++k) {
      const double s = borders[k].inward.dot(from_center) - borders[k].offset;
      inside = std::min(inside, s);
      if (!proof.pass(s, depth * depth, depth * borders[k].inward.dot(ball.center)))
        left.add(static_cast<int>(k));
    }
    if (!proof.is_around()) left.count = std::max(left.count, 3);
    return left;
  };
  const InnerBall &ball_P = P.balls->under(p.face_vertices[at(f.begin)]),
                  &ball_Q = Q.balls->under(v);
  DifferenceBall ball =
      local_difference<owner>(ball_P.center, ball_Q.center, ball_P.radius + ball_Q.radius, axes, L);
  Left left = left_by(ball);
  if (inside < -2 * kWitness * L) return false;
  if (left.count > 0) {
    const DifferenceBall center =
        local_difference<owner>(P.center, Q.center, P.inner + Q.inner, axes, L);
    if (const Left by_center = left_by(center); by_center.count < left.count) {
      left = by_center;
      ball = center;
    }
    if (left.count == 1 || left.count == 2) {
      const Vec3 turned = axes.template direction<owner>(ball.center);
      ball.center = owner == 0 ? turned : Vec3(-turned);
      const Vec3 normal = owner == 0 ? eta : Vec3(-eta);
      if (inside > kInsideFace * L &&
          are_closed<owner>(P, face, Q, v, x, normal, depth, ball, left, axes))
        left.count = 0;
    }
  }
  certified = inside > kInsideFace * L && left.count == 0;
  const Vec3 on_face = x - d.distance * eta;
  if constexpr (owner == 0) {
    d.normal = eta;
    d.p_A = on_face;
    d.p_B = x;
    d.a = {FeatureKind::face, face};
    d.b = of_other;
  } else {
    d.normal = -eta;
    d.p_A = x;
    d.p_B = on_face;
    d.a = of_other;
    d.b = {FeatureKind::face, face};
  }
  return true;
}

// Whether no vertex is farther along n (unit, perpendicular to an edge) than the edge by more than
// `slack` (m). Between the normals of its faces the edge is the farthest, unless the faces have
// bumps, or the edge is so sharp that bumps extend over it.
bool is_highest(const Convex& c, int edge, const Vec3& n, double slack) {
  const Polyhedron& p = *c.polyhedron;
  const Vec3 &into_1 = p.into_f1(edge), &into_2 = p.into_f2(edge);
  if (c.bumps <= 0.1 * slack && into_1.dot(into_2) < 0.95)
    return n.dot(into_1) <= 0 && n.dot(into_2) <= 0;
  const Vec3& tail = p.vertices[at(p.edges[at(edge)].tail)];
  return n.dot(c.support->vertex(c.support->farthest(n)) - tail) <= slack;
}

struct EdgePair {
  const Vec3 &p, &u, &q, &v;  // tails and directions in the common axes
};

// The same for the face of two edges: 0 and 1 are at the tail and the head of A's edge, 2 and 3 of
// B's edge.
template <typename Axes>
bool are_closed(const Convex& A, const Polyhedron::Edge& e, const Convex& B,
                const Polyhedron::Edge& f, const EdgePair& at_hand, bool left, const Vec3& n,
                double depth, const DifferenceBall& ball, const Left& edges, const Axes& axes) {
  CapGaps<Axes> gaps(A, B, axes, ball, depth, 0);
  const auto corner = [&](bool head_A, bool head_B) -> DifferenceFace::Corner {
    Vec3 x = at_hand.p - at_hand.q;
    if (head_A) x += at_hand.u;
    if (head_B) x -= at_hand.v;
    return {x, head_A ? e.head : e.tail, head_B ? f.head : f.tail};
  };
  for (int i = 0; i < edges.count; ++i) {
    const int k = edges.edge[i];
    const DifferenceFace::Corner from = corner(k == 1 || k == 3, k == 0 || k == 3);
    const DifferenceFace::Corner to = corner(k == 1 || k == 2, k == 1 || k == 3);
    if (!(left ? is_closed(gaps, n, from, to) : is_closed(gaps, n, to, from))) return false;
  }
  return true;
}

template <typename Axes>
bool edge_edge(const Convex& A, int e, const Convex& B, int f, const Axes& axes, Proximity& d,
               bool& certified) {
  const double L = pair_size(A, B), rounding = kHeightRounding * L;
  const Polyhedron &P = *A.polyhedron, &Q = *B.polyhedron;
  const Polyhedron::Edge &ea = P.edges[at(e)], &eb = Q.edges[at(f)];
  const Vec3 &tail_A = P.vertices[at(ea.tail)], &tail_B = Q.vertices[at(eb.tail)];
  const Vec3 p = axes.template point<0>(tail_A), q = axes.template point<1>(tail_B);
  const Vec3 u = axes.template direction<0>(P.vertices[at(ea.head)] - tail_A);
  const Vec3 v = axes.template direction<1>(Q.vertices[at(eb.head)] - tail_B);
  const Vec3 cross = u.cross(v);
  const double squared = cross.squaredNorm();
  if (!(squared > kParallelEdges2 * u.squaredNorm() * v.squaredNorm())) return false;
  // where the two lines cross
  const Vec3 between = q - p;
  const double scale = 1 / squared;
  const Vec3 by_u = between.cross(u), by_v = between.cross(v);
  const double s = by_v.dot(cross) * scale, t = by_u.dot(cross) * scale;
  if (std::min(s, t) < -kBeyondEdge || std::max(s, t) > 1 + kBeyondEdge) return false;
  Vec3 n = cross * std::sqrt(scale), n_A = axes.template local_direction<0>(n);
  const bool left = n_A.dot(P.faces[at(ea.f1)].eta + P.faces[at(ea.f2)].eta) < 0;
  if (left) {
    n = -n;
    n_A = -n_A;
  }
  if (!is_highest(A, e, n_A, rounding) ||
      !is_highest(B, f, -axes.template local_direction<1>(n), rounding))
    return false;
  d.normal = n;
  d.distance = n.dot(between);
  d.p_A = p + s * u;
  d.p_B = d.p_A + d.distance * n;
  d.a = {FeatureKind::edge, e};
  d.b = {FeatureKind::edge, f};
  // The edges of the parallelogram: each with its component along n (how far the crossing is
  // inside) and its inward component (by the depth), both scaled by the length of the other edge.
  const double length = squared * std::sqrt(scale);
  const double inside[4] = {s * length, (1 - s) * length, t * length, (1 - t) * length};
  const double across_v = d.distance * d.distance * v.squaredNorm();
  const double across_u = d.distance * d.distance * u.squaredNorm();
  const auto left_by = [&](const DifferenceBall& ball) {
    const NearestProof proof(n, -d.distance, ball);
    const Vec3 aside = (left ? -d.distance : d.distance) * ball.center.cross(n);
    const double along_v = aside.dot(v), along_u = aside.dot(u);
    Left edges;
    if (!proof.pass(inside[0], across_v, along_v)) edges.add(0);
    if (!proof.pass(inside[1], across_v, -along_v)) edges.add(1);
    if (!proof.pass(inside[2], across_u, along_u)) edges.add(2);
    if (!proof.pass(inside[3], across_u, -along_u)) edges.add(3);
    if (!proof.is_around()) edges.count = std::max(edges.count, 3);
    return edges;
  };
  const InnerBall &ball_A = A.balls->under(ea.tail), &ball_B = B.balls->under(eb.tail);
  DifferenceBall ball =
      difference(ball_A.center, ball_B.center, ball_A.radius + ball_B.radius, axes, L);
  Left edges = left_by(ball);
  certified = std::min(std::min(s, t), std::min(1 - s, 1 - t)) * length > kInsideFace * L * L;
  if (certified && edges.count > 0) {
    const DifferenceBall center = difference(A.center, B.center, A.inner + B.inner, axes, L);
    if (const Left by_center = left_by(center); by_center.count < edges.count) {
      edges = by_center;
      ball = center;
    }
    certified = edges.count == 0 ||
                (edges.count <= 2 &&
                 are_closed(A, ea, B, eb, {p, u, q, v}, left, n, -d.distance, ball, edges, axes));
  }
  return true;
}

}  // namespace

template <typename Axes>
bool translation_along(const Convex& A, const Convex& B, const Axes& axes, const Feature& a,
                       const Feature& b, Proximity& d, bool& certified) {
  const auto vertex_of = [](const Feature& f) {
    return f.kind == FeatureKind::vertex ? f.index : -1;
  };
  if (a.kind == FeatureKind::face)
    return under_face<0>(A, a.index, B, vertex_of(b), axes, d, certified);
  if (b.kind == FeatureKind::face)
    return under_face<1>(B, b.index, A, vertex_of(a), axes, d, certified);
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge)
    return edge_edge(A, a.index, B, b.index, axes, d, certified);
  return false;
}
template bool translation_along(const Convex&, const Convex&, const InFrameOfA&, const Feature&,
                                const Feature&, Proximity&, bool&);
template bool translation_along(const Convex&, const Convex&, const InWorldAxes&, const Feature&,
                                const Feature&, Proximity&, bool&);

}  // namespace abut
