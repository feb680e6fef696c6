#include "abut/collide/proximity/cold/sat.h"

#include <cmath>

#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

using Coordinates = Eigen::Map<const Eigen::Array<double, Eigen::Dynamic, 3>>;

// A separation (m) along a normal from A to B, and the face or edges that define the normal.
struct Axis {
  double separation = -std::numeric_limits<double>::infinity();
  Vec3 normal = Vec3::Zero();
  int a = -1, b = -1;
};

struct Projected {
  Coordinates a, b;

  static auto along(const Coordinates& c, const Vec3& n) {
    return c.col(0) * n.x() + c.col(1) * n.y() + c.col(2) * n.z();
  }
  // Gap between the solids along n (unit, from A to B), by projecting all vertices.
  double separation(const Vec3& n) const { return along(b, n).minCoeff() - along(a, n).maxCoeff(); }
};

void lay_out(std::span<const Vec3> points, const Transform& X, std::vector<double>& out) {
  const std::size_t n = points.size();
  out.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = X * points[i];
    out[i] = p.x(), out[n + i] = p.y(), out[2 * n + i] = p.z();
  }
}

Coordinates mapped(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size() / 3), 3};
}

// The face of A whose normal has the largest separation.
Axis best_face_of_a(const Polyhedron& A, const Projected& projected, double limit) {
  Axis best;
  for (int f = 0; f < A.face_count(); ++f) {
    const Vec3& n = A.faces[f].eta;
    if (Projected::along(projected.b, n).minCoeff() - A.faces[f].offset <= best.separation)
      continue;
    const double separation = projected.separation(n);
    if (separation > best.separation) best = {separation, n, f, -1};
    if (separation > limit) break;
  }
  return best;
}

Axis best_face_of_b(const Polyhedron& B, const Transform& X_AB, const Projected& projected,
                    double limit) {
  Axis best;
  for (int f = 0; f < B.face_count(); ++f) {
    const Vec3 n = -(X_AB.R * B.faces[f].eta);
    const double base = n.dot(X_AB.p) - B.faces[f].offset;
    if (base - Projected::along(projected.a, n).maxCoeff() <= best.separation) continue;
    const double separation = projected.separation(n);
    if (separation > best.separation) best = {separation, n, -1, f};
    if (separation > limit) break;
  }
  return best;
}

// All pairs of edges whose arcs cross. The sides of B's faces about an edge of A are computed once
// for all edges of B and discard most pairs. The loops have no branches, because they would be
// unpredictable.
Axis best_edges(const Polyhedron& A, const Polyhedron& B, const Projected& projected,
                SatScratch& scratch, double limit) {
  const Coordinates normals = mapped(scratch.b_normals);
  Eigen::Map<Eigen::ArrayXd> sides(scratch.sides.data(), normals.rows());
  int* const through = scratch.through.data();
  Axis best;
  for (int i = 0; i < A.edge_count(); ++i) {
    const EdgeArc a = edge_arc(A, i);
    sides = Projected::along(normals, a.direction);
    int passed = 0;
    for (int j = 0; j < B.edge_count(); ++j) {
      through[passed] = j;
      passed += sides[B.edges[j].f1] * sides[B.edges[j].f2] < 0;
    }
    int crossing = 0;
    for (int k = 0; k < passed; ++k) {
      const int j = through[k];
      const Vec3& direction = scratch.b_directions[static_cast<std::size_t>(j)];
      through[crossing] = j;
      crossing += arcs_cross({direction.dot(a.eta1), direction.dot(a.eta2), sides[B.edges[j].f1],
                              sides[B.edges[j].f2]});
    }
    for (int k = 0; k < crossing; ++k) {
      const int j = through[k];
      const Vec3& direction = scratch.b_directions[static_cast<std::size_t>(j)];
      const Vec3 cross = a.direction.cross(direction);
      const double squared = cross.squaredNorm();
      const double shortest = kParallelEdges * kParallelEdges * a.direction.squaredNorm();
      if (squared < shortest * direction.squaredNorm()) continue;
      const Vec3 n = (direction.dot(a.eta1) > 0 ? 1 : -1) / std::sqrt(squared) * cross;
      const Vec3 tail = projected.b.row(B.edges[j].tail);
      if (n.dot(tail - a.tail) <= best.separation) continue;
      const double separation = projected.separation(n);
      if (separation > best.separation) best = {separation, n, i, j};
      if (separation > limit) return best;
    }
  }
  return best;
}

SatProximity on_face_of_a(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                          const Axis& axis, double L) {
  const FaceWitness w = face_witness(A, axis.a, B, X_AB, L);
  SatProximity d;
  d.a = {FeatureKind::face, axis.a};
  d.b = w.other;
  d.p_A = w.on_face;
  d.exact = w.inside;
  return d;
}

SatProximity on_face_of_b(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                          const Axis& axis, double L) {
  const FaceWitness w = face_witness(B, axis.b, A, X_AB.inverse(), L);
  SatProximity d;
  d.a = w.other;
  d.b = {FeatureKind::face, axis.b};
  d.p_A = X_AB * w.on_face - axis.separation * axis.normal;
  d.exact = w.inside;
  return d;
}

SatProximity on_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                      const Axis& axis, double L) {
  const EdgeArc a = edge_arc(A, axis.a), b = edge_arc(B, axis.b, X_AB);
  const LineParameters at = closest_on_lines(a, b);
  const auto is_on = [L](double t, const Vec3& direction) {
    return std::max(-t, t - 1) * direction.norm() <= kWitness * L;
  };
  SatProximity d;
  d.a = {FeatureKind::edge, axis.a};
  d.b = {FeatureKind::edge, axis.b};
  d.p_A = a.tail + std::clamp(at.ta, 0.0, 1.0) * a.direction;
  d.exact = is_on(at.ta, a.direction) && is_on(at.tb, b.direction);
  return d;
}

}  // namespace

SatProximity sat_proximity(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           SatScratch& scratch, double limit) {
  const double L = A.size + B.size;
  lay_out(A.vertices, {}, scratch.a);
  lay_out(B.vertices, X_AB, scratch.b);
  const Projected projected{mapped(scratch.a), mapped(scratch.b)};

  const auto beyond = [](const Axis& axis) {
    SatProximity d;
    d.distance = axis.separation;
    d.normal = axis.normal;
    d.beyond_limit = true;
    return d;
  };
  const Axis face_a = best_face_of_a(A, projected, limit);
  if (face_a.separation > limit) return beyond(face_a);
  const Axis face_b = best_face_of_b(B, X_AB, projected, limit);
  if (face_b.separation > limit) return beyond(face_b);

  const auto faces = static_cast<std::size_t>(B.face_count());
  scratch.b_normals.resize(3 * faces);
  scratch.sides.resize(faces);
  for (std::size_t f = 0; f < faces; ++f) {
    const Vec3 n = X_AB.R * B.faces[f].eta;
    for (std::size_t k = 0; k < 3; ++k) scratch.b_normals[k * faces + f] = n[static_cast<int>(k)];
  }
  scratch.b_directions.clear();
  for (const Polyhedron::Edge& e : B.edges)
    scratch.b_directions.push_back(X_AB.R * (B.vertices[e.head] - B.vertices[e.tail]));
  scratch.through.resize(B.edges.size() + 1);
  const Axis edges = best_edges(A, B, projected, scratch, limit);
  if (edges.separation > limit) return beyond(edges);

  // of axes as good as the best, the first that has witness points
  const double good_enough =
      std::max({face_a.separation, face_b.separation, edges.separation}) - kFaceBias * L;
  SatProximity answer;
  const auto settled = [&](const Axis& axis) {
    if (!(axis.separation >= good_enough)) return false;
    SatProximity d = axis.b < 0   ? on_face_of_a(A, B, X_AB, axis, L)
                     : axis.a < 0 ? on_face_of_b(A, B, X_AB, axis, L)
                                  : on_edges(A, B, X_AB, axis, L);
    d.distance = axis.separation;
    d.normal = axis.normal;
    d.p_B = d.p_A + d.distance * d.normal;
    if (d.exact || answer.a.kind == FeatureKind::none) answer = d;
    return answer.exact;
  };
  if (!settled(face_a) && !settled(face_b)) settled(edges);
  return answer;
}

}  // namespace abut
