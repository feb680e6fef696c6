#include "abut/collide/peg/applicability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/peg/tolerances.h"
#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

Vec3 nearest_on_segment(const Vec3& x, const Vec3& from, const Vec3& along) {
  return from + std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
}

// Either the lines cross inside both edges, or the nearest point is an end of one.
double distance_of_edges(const EdgeArc& a, const EdgeArc& b) {
  if (a.direction.cross(b.direction).norm() >
      kParallelEdges * a.direction.norm() * b.direction.norm()) {
    const LineParameters at = closest_on_lines(a, b);
    if (at.ta >= 0 && at.ta <= 1 && at.tb >= 0 && at.tb <= 1)
      return (b.tail + at.tb * b.direction - a.tail - at.ta * a.direction).norm();
  }
  double least = std::numeric_limits<double>::infinity();
  for (const double t : {0.0, 1.0}) {
    const Vec3 on_a = a.tail + t * a.direction, on_b = b.tail + t * b.direction;
    least = std::min(least, (on_a - nearest_on_segment(on_a, b.tail, b.direction)).norm());
    least = std::min(least, (on_b - nearest_on_segment(on_b, a.tail, a.direction)).norm());
  }
  return least;
}

double distance_to_border(const Polyhedron& p, int face, const Vec3& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const int e : p.face_edge_ring(face)) {
    const EdgeArc edge = edge_arc(p, e);
    least = std::min(least, (x - nearest_on_segment(x, edge.tail, edge.direction)).norm());
  }
  return least;
}

// A vertex above a face (P-E6): it is near the finite face. If it is beside the face, it must not
// be so low that it came from another side. x and psi are in the frame of p.
bool vertex_is_near(const Polyhedron& p, int face, const Vec3& x, double psi,
                    const FeatureLimits& limits) {
  if (std::abs(psi) > limits.eps_vf) return false;
  if (inside_face(p, face, x) >= 0) return true;
  const double distance = distance_to_border(p, face, x);
  return distance <= limits.eps_vf && psi >= -distance * std::sin(limits.theta);
}

bool edges_are_near(const EdgeArc& a, const EdgeArc& b, double sine, double eps) {
  if (distance_of_edges(a, b) > eps) return false;
  if (sine >= kNearlyParallel) return true;
  const LineParameters at = closest_on_lines(a, b);
  return at.ta >= 0 && at.ta <= 1 && at.tb >= 0 && at.tb <= 1;
}

// x (the vertex) and eta are in A's frame.
FeatureContact vertex_of_a(int v, const Vec3& x, int face, const Vec3& eta, double psi) {
  FeatureContact c;
  c.a = {FeatureKind::vertex, v};
  c.b = {FeatureKind::face, face};
  c.normal = -eta;
  c.psi = psi;
  c.p_A = x;
  c.p_B = x - psi * eta;
  return c;
}
FeatureContact vertex_of_b(int face, const Vec3& eta, int v, const Vec3& x, double psi) {
  FeatureContact c;
  c.a = {FeatureKind::face, face};
  c.b = {FeatureKind::vertex, v};
  c.normal = eta;
  c.psi = psi;
  c.p_B = x;
  c.p_A = x - psi * eta;
  return c;
}

FeatureContact edges(int i, const EdgeArc& a, int j, const EdgeArc& b) {
  FeatureContact c;
  const EdgePair pair = edge_pair(a, b);
  if (pair.sine < kNoEdgeContact) return c;
  c.a = {FeatureKind::edge, i};
  c.b = {FeatureKind::edge, j};
  c.normal = pair.normal;
  c.psi = pair.gap;
  c.p_A = a.tail + closest_on_lines(a, b).ta * a.direction;
  c.p_B = c.p_A + c.psi * c.normal;
  c.applicability = pair.applicability;
  return c;
}

// Calls fn(face, vertex, x, psi) for the vertices of Q, placed in P's frame, that are near faces of
// P.
template <class Fn>
void over_near_vertices(const Polyhedron& P, const Polyhedron& Q, const Transform& X_PQ,
                        const FeatureLimits& limits, const Fn& fn) {
  for (int v = 0; v < Q.vertex_count(); ++v) {
    const Vec3 x = X_PQ * Q.vertices[v];
    for (int f = 0; f < P.face_count(); ++f) {
      const double psi = P.height_above(f, x);
      if (vertex_is_near(P, f, x, psi, limits)) fn(f, v, x, psi);
    }
  }
}

void between_polyhedra(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                       const FeatureLimits& limits, std::vector<FeatureContact>& out) {
  const Transform X_BA = X_AB.inverse();
  const auto keep = [&](const FeatureContact& c, double eps_theta) {
    if (!limits.applicable_only || c.applicability >= -eps_theta) out.push_back(c);
  };
  over_near_vertices(B, A, X_BA, limits, [&](int f, int v, const Vec3&, double psi) {
    const Vec3 eta = X_AB.R * B.faces[f].eta;
    FeatureContact c = vertex_of_a(v, A.vertices[v], f, eta, psi);
    c.applicability = vertex_face_applicability(A, v, eta);
    keep(c, limits.theta_vf);
  });
  over_near_vertices(A, B, X_AB, limits, [&](int f, int v, const Vec3& x, double psi) {
    const Vec3& eta = A.faces[f].eta;
    FeatureContact c = vertex_of_b(f, eta, v, x, psi);
    c.applicability = vertex_face_applicability(B, v, X_BA.R * eta);
    keep(c, limits.theta_vf);
  });
  for (int i = 0; i < A.edge_count(); ++i) {
    const EdgeArc a = edge_arc(A, i);
    for (int j = 0; j < B.edge_count(); ++j) {
      // most pairs are far from each other
      const Polyhedron::Edge& e = B.edges[j];
      const Vec3 tail = X_AB * B.vertices[e.tail];
      const double reach =
          a.direction.norm() + (B.vertices[e.head] - B.vertices[e.tail]).norm() + limits.eps_ee;
      if ((tail - a.tail).squaredNorm() > reach * reach) continue;
      const EdgeArc b = edge_arc(B, j, X_AB);
      const EdgePair pair = edge_pair(a, b);
      if (pair.sine < kNoEdgeContact || !edges_are_near(a, b, pair.sine, limits.eps_ee)) continue;
      keep(edges(i, a, j, b), limits.theta_ee);
    }
  }
}

// Calls fn(feature, x, psi, applicability) for a solid over a half-space eta . x <= offset, in the
// solid's frame.
template <class Fn>
void over_half_space(const Convex& solid, const Vec3& eta, double offset,
                     const FeatureLimits& limits, ContactSet& set, const Fn& fn) {
  if (const Polyhedron* p = solid.polyhedron) {
    for (int v = 0; v < p->vertex_count(); ++v) {
      const double psi = eta.dot(p->vertices[v]) - offset;
      if (std::abs(psi) <= limits.eps_vf)
        fn(Feature{FeatureKind::vertex, v}, p->vertices[v], psi,
           vertex_face_applicability(*p, v, eta));
    }
    return;
  }
  contact_set(solid, Transform(), -eta, limits.eps_vf, set);
  for (std::size_t k = 0; k < set.points.size(); ++k) {
    const double psi = eta.dot(set.points[k]) - offset;
    if (std::abs(psi) <= limits.eps_vf) fn(set.features[k], set.points[k], psi, 0.0);
  }
}

}  // namespace

double vertex_face_applicability(const Polyhedron& p, int v, const Vec3& eta) {
  double least = std::numeric_limits<double>::infinity();
  for (const int k : p.neighbours(v))
    least = std::min(least, eta.dot((p.vertices[k] - p.vertices[v]).normalized()));
  return least;
}

FeatureContact feature_contact(const Polyhedron& A, const Feature& a, const Polyhedron& B,
                               const Feature& b, const Transform& X_AB) {
  if (a.kind == FeatureKind::vertex && b.kind == FeatureKind::face) {
    const Vec3 eta = X_AB.R * B.faces[b.index].eta, &x = A.vertices[a.index];
    const double psi = B.height_above(b.index, X_AB.R.transpose() * (x - X_AB.p));
    FeatureContact c = vertex_of_a(a.index, x, b.index, eta, psi);
    c.applicability = vertex_face_applicability(A, a.index, eta);
    return c;
  }
  if (a.kind == FeatureKind::face && b.kind == FeatureKind::vertex) {
    const Vec3 &eta = A.faces[a.index].eta, x = X_AB * B.vertices[b.index];
    FeatureContact c = vertex_of_b(a.index, eta, b.index, x, A.height_above(a.index, x));
    c.applicability = vertex_face_applicability(B, b.index, X_AB.R.transpose() * eta);
    return c;
  }
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge)
    return edges(a.index, edge_arc(A, a.index), b.index, edge_arc(B, b.index, X_AB));
  return {};
}

bool is_feasible(const FeatureContact& c, const Polyhedron& A, const Polyhedron& B,
                 const Transform& X_AB, const FeatureLimits& limits) {
  if (c.a.kind == FeatureKind::face) return vertex_is_near(A, c.a.index, c.p_B, c.psi, limits);
  if (c.a.kind == FeatureKind::vertex)
    return vertex_is_near(B, c.b.index, X_AB.R.transpose() * (c.p_A - X_AB.p), c.psi, limits);
  if (c.a.kind != FeatureKind::edge) return false;
  const EdgeArc a = edge_arc(A, c.a.index), b = edge_arc(B, c.b.index, X_AB);
  return edges_are_near(a, b, edge_pair(a, b).sine, limits.eps_ee);
}

bool feature_contacts(const Convex& A, const Convex& B, const Transform& X_AB,
                      const FeatureLimits& limits, FeatureContacts& out) {
  out.list.clear();
  const auto keep = [&](FeatureContact c, double applicability) {
    c.applicability = applicability;
    if (!limits.applicable_only || applicability >= -limits.theta_vf) out.list.push_back(c);
  };
  if (A.is_polyhedron() && B.is_polyhedron()) {
    between_polyhedra(*A.polyhedron, *B.polyhedron, X_AB, limits, out.list);
    return true;
  }
  if (A.is_half_space() == B.is_half_space()) return false;
  if (B.is_half_space()) {
    const Vec3 eta = X_AB.R.col(2);
    over_half_space(A, eta, eta.dot(X_AB.p), limits, out.set,
                    [&](Feature f, const Vec3& x, double psi, double applicability) {
                      FeatureContact c = vertex_of_a(f.index, x, 0, eta, psi);
                      c.a = f;
                      keep(c, applicability);
                    });
    return true;
  }
  const Vec3 eta_B = X_AB.R.row(2).transpose();
  over_half_space(B, eta_B, -X_AB.p.z(), limits, out.set,
                  [&](Feature f, const Vec3& x, double psi, double applicability) {
                    FeatureContact c = vertex_of_b(0, Vec3::UnitZ(), f.index, X_AB * x, psi);
                    c.b = f;
                    keep(c, applicability);
                  });
  return true;
}

}  // namespace abut
