// The X-constraints of FeatureConstraints (17, 21, 24; P-E5, P-E7, P-E13).
#include <algorithm>

#include "abut/contact/complementarity/feature_constraints.h"
#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

double distance_to_segment(const Vec3& x, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  return (x - from - std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along)
      .norm();
}

SeparatingPlane plane_of(const LocalContact& c) {
  SeparatingPlane plane{c.a, c.b};
  if (plane.a.kind == FeatureKind::vertex) plane.a = {};
  if (plane.b.kind == FeatureKind::vertex) plane.b = {};
  return plane;
}

}  // namespace

// Of the contacts from `first` on: the deepest one of each plane, of those that face it.
void FeatureConstraints::find_planes(int first, double size) {
  size_ = size;
  planes_.clear();
  for (int i = first; i < static_cast<int>(contacts_.size()); ++i) {
    const LocalContact& c = contacts_[at(i)];
    if (c.applicability < -peg_tolerance::kFacing) continue;
    const auto same = std::find_if(planes_.begin(), planes_.end(), [&](int k) {
      return plane_of(contacts_[at(k)]) == plane_of(c);
    });
    if (same == planes_.end())
      planes_.push_back(i);
    else if (c.psi < contacts_[at(*same)].psi)
      *same = i;
  }
}

// Whether the features of an X lie on a plane of other features, as all corners of a face do that
// lies on another: their own planes stand for it then. If they did not, each corner would be content
// with another one that is held.
bool FeatureConstraints::is_flush(const LocalContact& far) const {
  const double flush = peg_tolerance::kFlush * size_;
  return std::all_of(points_a_.begin(), points_a_.end(),
                     [&](const Vec3& p) { return far.normal.dot(far.p_A - p) <= flush; }) &&
         std::all_of(points_b_.begin(), points_b_.end(),
                     [&](const Vec3& p) { return far.normal.dot(p - far.p_B) <= flush; });
}

// X(iota, kappa) of the features whose contacts are `local`. joined: kappa has the planes of the
// other features of the pair as well, since one of these may be what parts it.
void FeatureConstraints::cross(const std::vector<int>& local, std::vector<int> iota,
                               std::vector<int> kappa, Crossings kind) {
  if (kind == Crossings::joined)
    for (const int far : planes_) {
      if (is_flush(contacts_[at(far)])) continue;
      const SeparatingPlane plane = plane_of(contacts_[at(far)]);
      if (std::none_of(local.begin(), local.end(),
                       [&](int k) { return plane_of(contacts_[at(k)]) == plane; }))
        kappa.push_back(far);
    }
  constrain(FeatureConstraint::Kind::X, std::move(iota), std::move(kappa));
}

// (24) as one constraint: of the planes of two vertices that face the other solid some one parts
// the two. A plane of the two vertices that does not face them is none of the constraint's own: where
// it faces other features, it may be what parts the solids.
void FeatureConstraints::join(const std::vector<int>& local) {
  std::vector<int> facing, iota, kappa;
  for (const int k : local) {
    const LocalContact& c = contacts_[at(k)];
    if (c.applicability < -peg_tolerance::kFacing) continue;
    facing.push_back(k);
    (c.a.kind == FeatureKind::edge ? kappa : iota).push_back(k);
  }
  if (!facing.empty()) cross(facing, std::move(iota), std::move(kappa), Crossings::joined);
}

void FeatureConstraints::add_crossings(const PlanePair& view, int first, double reach,
                                       Crossings kind) {
  find_planes(first, view.size());
  cross_vertices(view, first, reach, kind);
  cross_edges(view, first, reach, kind, true);
  cross_edges(view, first, reach, kind, false);
}

// (24): one for each pair of faces.
void FeatureConstraints::cross_faces(const Polyhedron& A, int va, const Polyhedron& B, int vb,
                                     int first) {
  for (const int fa : A.faces_around(va))
    for (const int fb : B.faces_around(vb)) {
      std::vector<int> iota, kappa;
      append(first, vertex_feature(va), face_feature(fb), iota);
      append(first, face_feature(fa), vertex_feature(vb), iota);
      if (iota.empty()) continue;
      for (const int ea : A.edges_around(va))
        for (const int eb : B.edges_around(vb)) {
          const Polyhedron::Edge &a = A.edges[at(ea)], &b = B.edges[at(eb)];
          if ((a.f1 != fa && a.f2 != fa) || (b.f1 != fb && b.f2 != fb)) continue;
          append(first, edge_feature(ea), edge_feature(eb), kappa);
        }
      cross({}, iota, kappa, Crossings::printed);
    }
}

// A vertex near a vertex (24).
void FeatureConstraints::cross_vertices(const PlanePair& view, int first, double reach,
                                        Crossings kind) {
  const Polyhedron &A = *view.a().polyhedron, &B = *view.b().polyhedron;
  for (int va = 0; va < A.vertex_count(); ++va)
    for (int vb = 0; vb < B.vertex_count(); ++vb) {
      if ((view.X_AB() * B.vertices[at(vb)] - A.vertices[at(va)]).norm() > reach) continue;
      if (kind == Crossings::printed) {
        cross_faces(A, va, B, vb, first);
        continue;
      }
      points_a_ = {view.X_WA() * A.vertices[at(va)]};
      points_b_ = {view.X_WA() * (view.X_AB() * B.vertices[at(vb)])};
      std::vector<int> local;
      for (const int fb : B.faces_around(vb))
        append(first, vertex_feature(va), face_feature(fb), local);
      for (const int fa : A.faces_around(va))
        append(first, face_feature(fa), vertex_feature(vb), local);
      for (const int ea : A.edges_around(va))
        for (const int eb : B.edges_around(vb))
          append(first, edge_feature(ea), edge_feature(eb), local);
      join(local);
    }
}

// A vertex of one near the middle of an edge of the other (21): P has the vertex, Q the edge.
void FeatureConstraints::cross_edges(const PlanePair& view, int first, double reach, Crossings kind,
                                     bool vertex_of_a) {
  const Polyhedron &A = *view.a().polyhedron, &B = *view.b().polyhedron;
  const Polyhedron &P = vertex_of_a ? A : B, &Q = vertex_of_a ? B : A;
  const Transform X_QP = vertex_of_a ? view.X_AB().inverse() : view.X_AB();
  for (int v = 0; v < P.vertex_count(); ++v) {
    const Vec3 x = X_QP * P.vertices[at(v)];
    for (int e = 0; e < Q.edge_count(); ++e) {
      const Polyhedron::Edge& edge_of_q = Q.edges[at(e)];
      const Vec3 &tail = Q.vertices[at(edge_of_q.tail)], &head = Q.vertices[at(edge_of_q.head)];
      if (distance_to_segment(x, tail, head) > reach) continue;
      if ((tail - x).norm() <= reach || (head - x).norm() <= reach) continue;
      const auto world = [&](const Vec3& of_q) -> Vec3 {
        return view.X_WA() * (vertex_of_a ? view.X_AB() * of_q : of_q);
      };
      (vertex_of_a ? points_a_ : points_b_) = {world(x)};
      (vertex_of_a ? points_b_ : points_a_) = {world(tail), world(head)};
      cross_edge(P, v, Q, e, X_QP, first, kind, vertex_of_a);
    }
  }
}

// One X for each edge of the vertex, with the face on its side: w . O > 0 (P-E5).
void FeatureConstraints::cross_edge(const Polyhedron& P, int v, const Polyhedron& Q, int e,
                                    const Transform& X_QP, int first, Crossings kind,
                                    bool vertex_of_a) {
  const Polyhedron::Edge& edge_of_q = Q.edges[at(e)];
  const Vec3 along = Q.vertices[at(edge_of_q.head)] - Q.vertices[at(edge_of_q.tail)];
  const Vec3 O = along.cross(-(Q.faces[at(edge_of_q.f1)].eta + Q.faces[at(edge_of_q.f2)].eta));
  const auto append_of = [&](const Feature& of_p, const Feature& of_q, std::vector<int>& out) {
    vertex_of_a ? append(first, of_p, of_q, out) : append(first, of_q, of_p, out);
  };
  std::vector<int> local;
  for (const int f : {edge_of_q.f1, edge_of_q.f2})
    append_of(vertex_feature(v), face_feature(f), local);
  for (const int ep : P.edges_around(v)) append_of(edge_feature(ep), edge_feature(e), local);
  for (const int ep : P.edges_around(v)) {
    const Polyhedron::Edge& edge_of_p = P.edges[at(ep)];
    const int other = edge_of_p.tail == v ? edge_of_p.head : edge_of_p.tail;
    const Vec3 w = X_QP.R * (P.vertices[at(other)] - P.vertices[at(v)]);
    std::vector<int> iota, kappa;
    append_of(vertex_feature(v), face_feature(w.dot(O) > 0 ? edge_of_q.f1 : edge_of_q.f2), iota);
    append_of(edge_feature(ep), edge_feature(e), kappa);
    if (!iota.empty() && !kappa.empty()) cross(local, iota, kappa, kind);
  }
}

}  // namespace abut
