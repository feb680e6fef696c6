#include "abut/contact/complementarity/feature_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "abut/math/index.h"

namespace abut {

namespace {

Feature vertex(int i) { return {FeatureKind::vertex, i}; }
Feature face(int i) { return {FeatureKind::face, i}; }
Feature edge(int i) { return {FeatureKind::edge, i}; }

std::string short_name(const Feature& f) { return fmt::format("{}{}", name(f.kind)[0], f.index); }

double distance_to_segment(const Vec3& x, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  return (x - from - std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along)
      .norm();
}

}  // namespace

int FeatureConstraints::find(int first, const Feature& a, const Feature& b) const {
  for (int i = first; i < static_cast<int>(contacts_.size()); ++i)
    if (contacts_[at(i)].a == a && contacts_[at(i)].b == b) return i;
  return -1;
}

// Empty sets make no constraint; what may press is marked.
void FeatureConstraints::constrain(FeatureConstraint::Kind kind, std::vector<int> iota,
                                   std::vector<int> kappa) {
  if (iota.empty() && kappa.empty()) return;
  if (kind != FeatureConstraint::Kind::X)
    for (const int c : iota) contacts_[at(c)].presses = true;
  constraints_.push_back({kind, std::move(iota), std::move(kappa)});
}

// One vertex against all the faces it is near, of the contacts from `first` on: U if it is one,
// else I (20, 22). Without a contact that may press there is nothing to hold it with (10).
void FeatureConstraints::constrain_vertices(int first, double eps) {
  const int end = static_cast<int>(contacts_.size());
  std::vector<char> done(at(end - first), 0);
  for (int i = first; i < end; ++i) {
    const LocalContact& c = contacts_[at(i)];
    if (done[at(i - first)] || c.a.kind == FeatureKind::edge) continue;
    const bool of_a = c.a.kind != FeatureKind::face;
    std::vector<int> iota, kappa;
    for (int k = i; k < end; ++k) {
      const LocalContact& other = contacts_[at(k)];
      if (of_a ? other.a != c.a : other.b != c.b) continue;
      done[at(k - first)] = 1;
      (other.applicability >= -eps ? iota : kappa).push_back(k);
    }
    if (iota.empty()) continue;
    const bool alone = iota.size() + kappa.size() == 1;
    constrain(alone ? FeatureConstraint::Kind::U : FeatureConstraint::Kind::I, iota, kappa);
  }
}

void FeatureConstraints::add(const PlanePair& view, double reach, const FeatureChoice& choice) {
  if (view.is_flat())
    add_flat(view, reach, choice);
  else
    add_solid(view, reach, choice);
}

// 2D ------------------------------------------------------------------------------------

void FeatureConstraints::add_flat(const PlanePair& view, double reach,
                                  const FeatureChoice& choice) {
  const int first = static_cast<int>(contacts_.size());
  find_features(view.polygon_a(), view.polygon_b(), reach, flat_);
  const WorldPlane& plane = view.world_plane();
  for (const PlanarContact& c : flat_.contacts) {
    LocalContact& out = contacts_.emplace_back();
    out.geom_a = view.geom_a(), out.geom_b = view.geom_b();
    out.a = c.vertex_of_a ? vertex(c.vertex) : face(c.edge);
    out.b = c.vertex_of_a ? face(c.edge) : vertex(c.vertex);
    out.normal = plane.lifted(c.normal);
    out.p_A = view.origin() + plane.lifted(c.p_A);
    out.p_B = view.origin() + plane.lifted(c.p_B);
    out.psi = c.psi;
    out.applicability = c.applicability;
  }
  constrain_vertices(first, choice.eps);
  if (!choice.cross) return;
  for (const PlanarCorner& corner : flat_.corners) {
    const auto [c1, c2, c3, c4] = corner.contact;
    constrain(FeatureConstraint::Kind::X, {first + c1}, {first + c4});
    constrain(FeatureConstraint::Kind::X, {first + c2}, {first + c3});
  }
}

// 3D ------------------------------------------------------------------------------------

void FeatureConstraints::add_solid(const PlanePair& view, double reach,
                                   const FeatureChoice& choice) {
  const int first = static_cast<int>(contacts_.size());
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = reach;
  limits.theta = std::numbers::pi / 2;
  limits.applicable_only = false;
  const Convex &A = view.a(), &B = view.b();
  if (!feature_contacts(A, B, view.X_AB(), limits, found_)) return;
  for (const FeatureContact& c : found_.list) {
    const bool edges = c.a.kind == FeatureKind::edge;
    if (edges && c.applicability < -1e-6) continue;
    // behind a face, not beside it: the vertex has come by another way (Fig. 4)
    if (!edges && c.psi < 0 && c.applicability < -choice.eps && view.is_over_face(c)) continue;
    LocalContact& out = contacts_.emplace_back();
    out.geom_a = view.geom_a(), out.geom_b = view.geom_b();
    out.a = c.a, out.b = c.b;
    out.normal = view.X_WA().q * c.normal;
    out.p_A = view.X_WA() * c.p_A;
    out.p_B = out.p_A + c.psi * out.normal;
    out.psi = c.psi;
    out.applicability = c.applicability;
    out.presses = edges;
  }
  constrain_vertices(first, choice.eps);
  if (!A.is_polyhedron() || !B.is_polyhedron()) return;
  // edges that are what is nearest (19)
  const Proximity nearest = view.proximity();
  if (nearest.a.kind == FeatureKind::edge && nearest.b.kind == FeatureKind::edge)
    if (const int c = find(first, nearest.a, nearest.b); c >= 0)
      constrain(FeatureConstraint::Kind::U, {c}, {});
  if (choice.cross) add_crossings(view, first, reach);
}

void FeatureConstraints::add_crossings(const PlanePair& view, int first, double reach) {
  const Polyhedron &A = *view.a().polyhedron, &B = *view.b().polyhedron;
  const Transform& X_AB = view.X_AB();
  const auto present = [&](std::initializer_list<std::pair<Feature, Feature>> pairs) {
    std::vector<int> out;
    for (const auto& [a, b] : pairs)
      if (const int c = find(first, a, b); c >= 0) out.push_back(c);
    return out;
  };

  // a vertex near a vertex (24)
  const auto near_vertex = [&](const Vec3& x, const Polyhedron& p, int i, const Transform* X) {
    const Vec3 v = X != nullptr ? *X * p.vertices[at(i)] : p.vertices[at(i)];
    return (v - x).norm() <= reach;
  };
  for (int va = 0; va < A.vertex_count(); ++va)
    for (int vb = 0; vb < B.vertex_count(); ++vb) {
      if (!near_vertex(A.vertices[at(va)], B, vb, &X_AB)) continue;
      for (const int fa : A.faces_around(va))
        for (const int fb : B.faces_around(vb)) {
          std::vector<int> iota = present({{vertex(va), face(fb)}, {face(fa), vertex(vb)}}), kappa;
          if (iota.empty()) continue;
          for (const int ea : A.edges_around(va))
            for (const int eb : B.edges_around(vb)) {
              const Polyhedron::Edge &a = A.edges[at(ea)], &b = B.edges[at(eb)];
              if ((a.f1 != fa && a.f2 != fa) || (b.f1 != fb && b.f2 != fb)) continue;
              if (const int c = find(first, edge(ea), edge(eb)); c >= 0) kappa.push_back(c);
            }
          constrain(FeatureConstraint::Kind::X, iota, kappa);
        }
    }

  // a vertex of one near the middle of an edge of the other (21): P has the vertex, Q the edge
  const auto over = [&](const Polyhedron& P, const Polyhedron& Q, const Transform& X_QP,
                        bool p_is_a) {
    for (int v = 0; v < P.vertex_count(); ++v) {
      const Vec3 x = X_QP * P.vertices[at(v)];
      for (int e = 0; e < Q.edge_count(); ++e) {
        const Polyhedron::Edge& eb = Q.edges[at(e)];
        const Vec3 &tail = Q.vertices[at(eb.tail)], &head = Q.vertices[at(eb.head)];
        if (distance_to_segment(x, tail, head) > reach) continue;
        if ((tail - x).norm() <= reach || (head - x).norm() <= reach) continue;
        const Vec3 O = (head - tail).cross(-(Q.faces[at(eb.f1)].eta + Q.faces[at(eb.f2)].eta));
        const auto pair = [&](const Feature& of_p, const Feature& of_q) {
          return p_is_a ? std::pair{of_p, of_q} : std::pair{of_q, of_p};
        };
        for (const int ep : P.edges_around(v)) {
          const Polyhedron::Edge& ea = P.edges[at(ep)];
          const int other = ea.tail == v ? ea.head : ea.tail;
          const Vec3 w = X_QP.R * (P.vertices[at(other)] - P.vertices[at(v)]);
          const int f = w.dot(O) > 0 ? eb.f1 : eb.f2;
          std::vector<int> iota = present({pair(vertex(v), face(f))});
          std::vector<int> kappa = present({pair(edge(ep), edge(e))});
          if (!iota.empty() && !kappa.empty()) constrain(FeatureConstraint::Kind::X, iota, kappa);
        }
      }
    }
  };
  over(A, B, X_AB.inverse(), true);
  over(B, A, X_AB, false);
}

std::string FeatureConstraints::text(int constraint) const {
  const FeatureConstraint& c = constraints_[at(constraint)];
  const auto list = [&](const std::vector<int>& of) {
    std::string s;
    for (const int i : of)
      s += fmt::format("{}C({},{})", s.empty() ? "" : ", ", short_name(contacts_[at(i)].a),
                       short_name(contacts_[at(i)].b));
    return s;
  };
  if (c.kind == FeatureConstraint::Kind::U) return "U(" + list(c.iota) + ")";
  return fmt::format("{}({{{}}}, {{{}}})", c.kind == FeatureConstraint::Kind::I ? 'I' : 'X',
                     list(c.iota), list(c.kappa));
}

}  // namespace abut
