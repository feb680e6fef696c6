// The planes that may part two convex polyhedra: those of their faces, and those that two edges
// span (Williams, Lu and Trinkle; P-E7, K-3). Two are apart if and only if one of these planes has
// one on either side, so that "some plane parts them" is exact, where one half-space for each face
// traps what only passes a corner (the Stewart-Trinkle trap).
//
// A plane belongs to features, not to a pose: it goes with the body as it moves. In planar worlds
// the edges of polygons take the part of faces, and there are no pairs of edges. A half-space has
// its one face; it is the only solid that curved ones are taken against.
//
//   abut::PlanePair pair(collider);
//   pair.place(geom_a, geom_b, X_WA, X_WB);
//   pair.planes(planes, deepest);
//   if (pair.normal(planes[0], n)) gap = pair.separation(n);
#pragma once

#include <cstdint>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/collide/peg/applicability.h"
#include "abut/collide/proximity/cold/edge_pair.h"

namespace abut {

struct SeparatingPlane {
  Feature a, b;  // {face, -}, {-, face}, {edge, edge}

  bool operator==(const SeparatingPlane&) const = default;
  bool is_none() const { return a.kind == FeatureKind::none && b.kind == FeatureKind::none; }
};

// In 32 bits, as contact memory keeps it: 0 is none, also for features too many to be named.
std::int32_t packed(const SeparatingPlane& plane);
SeparatingPlane unpacked_plane(std::int32_t bits);

class PlanePair {
 public:
  explicit PlanePair(const Collider& collider);

  // False for a pair that has no planes: a curved solid and anything but a half-space.
  bool place(int geom_a, int geom_b, const Pose& X_WA, const Pose& X_WB);

  // All of them, faces of A first, then of B, then pairs of edges that face each other here and
  // whose plane is not that of a face. Of solids with many edges, no pairs of edges whose plane is
  // deeper than `deepest` (m).
  void planes(std::vector<SeparatingPlane>& out, double deepest) const;
  // Unit, from A to B, world; false if edges are parallel here, or turned away from each other.
  bool normal(const SeparatingPlane& plane, Vec3& n) const;
  // How far B is beyond A along n (m); negative: the plane does not part them.
  double separation(const Vec3& n) const;
  // The vertex of A that is farthest along n, that of B along -n (world). False: not of polyhedra.
  bool farthest(const Vec3& n, Vec3& p_A, Vec3& p_B) const;
  // Signed distance (m).
  Proximity proximity() const;
  // Where B is above A along n, points on both surfaces with a gap up to `reach` (m). False: none.
  bool append_patch(const Vec3& n, double reach, ContactData& out, int max_points = 0);
  // One point, where the two are nearest: its gap is how far they are from each other along n.
  bool append_witness(const Vec3& n, ContactData& out) const;
  // The vertices of each over the plane of the other's face, wherever they are beside it, and the
  // crossing of two edges: the linear constraints of Williams, Lu and Trinkle, up to `reach` (m).
  bool append_vertices(const SeparatingPlane& plane, const Vec3& n, double reach, ContactData& out);

  // Whether a point on the plane (world) lies on the finite features that make it, and not where
  // only their extensions meet.
  bool is_on_features(const SeparatingPlane& plane, const Vec3& point) const;

  double size() const { return size_; }    // L (m)
  double width() const { return width_; }  // m: of the thinner, along its thinnest direction
  // As placed.
  int geom_a() const { return geom_a_; }
  int geom_b() const { return geom_b_; }
  const Convex& a() const { return *A_; }
  const Convex& b() const { return *B_; }
  const Pose& X_WA() const { return X_WA_; }
  const Transform& X_AB() const { return X_AB_; }
  bool is_flat() const { return flat_; }  // a pair of a planar world: the polygons are what counts
  const Polygon& polygon_a() const { return polygon_A_; }
  const Polygon& polygon_b() const { return polygon_B_; }
  const WorldPlane& world_plane() const { return *collider_.plane(); }
  const Vec3& origin() const { return origin_; }  // world: what polygons are relative to
  // Whether the vertex of a contact of vertex and face is over the finite face.
  bool is_over_face(const FeatureContact& contact) const;
  bool has_half_space() const { return A_->is_half_space() || B_->is_half_space(); }

 private:
  double support(bool of_a, const Vec3& n) const;

  const Collider& collider_;
  int geom_a_ = -1, geom_b_ = -1;
  const Convex *A_ = nullptr, *B_ = nullptr;
  Pose X_WA_, X_WB_;
  Transform X_AB_;
  Vec3 origin_ = Vec3::Zero();
  bool flat_ = false;
  Polygon polygon_A_, polygon_B_;
  double size_ = 0, width_ = 0;
  std::vector<double> widths_;          // of each geom
  mutable std::vector<EdgeArc> arcs_;   // of edges of B, in A
  mutable std::vector<int> arc_edges_;  // and which they are
  PatchScratch scratch_;
};

// Least extent of a solid over the normals of its faces (m); infinite for a half-space.
double width_of(const Convex& solid);

}  // namespace abut
