// The planes that may separate two convex polyhedra: the planes of their faces, and the planes that
// two edges span (Williams, Lu and Trinkle; P-E7, K-3). Two polyhedra are apart if and only if one
// of these planes has one polyhedron on each side. So "some plane separates them" is exact. One
// half-space for each face would instead trap a body that only passes a corner (the Stewart-Trinkle
// trap).
//
// A plane belongs to features and not to a pose: it moves with the body. In planar worlds the edges
// of polygons replace the faces, and there are no pairs of edges. A half-space has one face. Curved
// solids are supported against half-spaces only.
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

// A plane in 32 bits, for the contact memory. 0 means none; features with too large an index also
// give 0.
std::int32_t packed(const SeparatingPlane& plane);
SeparatingPlane unpacked_plane(std::int32_t bits);

class PlanePair {
 public:
  explicit PlanePair(const Collider& collider);

  // Returns false for a pair that has no planes: a curved solid and any solid but a half-space.
  bool place(int geom_a, int geom_b, const Pose& X_WA, const Pose& X_WB);

  // Lists all planes: faces of A, then faces of B, then pairs of edges that face each other here
  // and whose plane is not that of a face. For solids with many edges, pairs of edges whose plane
  // is deeper than `deepest` (m) are left out.
  void planes(std::vector<SeparatingPlane>& out, double deepest) const;
  // The plane's normal: unit, from A to B, world. Returns false if the edges are parallel here, or
  // face away from each other.
  bool normal(const SeparatingPlane& plane, Vec3& n) const;
  // Gap from A to B along n (m); negative: the plane does not separate them.
  double separation(const Vec3& n) const;
  // The vertex of A farthest along n and the vertex of B farthest along -n (world). Returns false
  // if a solid is not a polyhedron.
  bool farthest(const Vec3& n, Vec3& p_A, Vec3& p_B) const;
  // Signed distance (m).
  Proximity proximity() const;
  // Where B is above A along n, points on both surfaces with a gap up to `reach` (m). False: none.
  bool append_patch(const Vec3& n, double reach, ContactData& out, int max_points = 0);
  // One point, where the two are nearest: its gap is how far they are from each other along n.
  bool append_witness(const Vec3& n, ContactData& out) const;
  // Appends the vertices of each solid over the plane of the other's face, also beside the face,
  // and the crossing of two edges: the linear constraints of Williams, Lu and Trinkle, up to
  // `reach` (m).
  bool append_vertices(const SeparatingPlane& plane, const Vec3& n, double reach, ContactData& out);

  // Whether a point on the plane (world) lies on the finite features that define the plane, and not
  // only on their extensions.
  bool is_on_features(const SeparatingPlane& plane, const Vec3& point) const;

  double size() const { return size_; }    // L (m)
  double width() const { return width_; }  // m: least width of the thinner solid
  // The arguments of place().
  int geom_a() const { return geom_a_; }
  int geom_b() const { return geom_b_; }
  const Convex& a() const { return *A_; }
  const Convex& b() const { return *B_; }
  const Pose& X_WA() const { return X_WA_; }
  const Transform& X_AB() const { return X_AB_; }
  bool is_flat() const { return flat_; }  // a pair of a planar world, represented by polygons
  const Polygon& polygon_a() const { return polygon_A_; }
  const Polygon& polygon_b() const { return polygon_B_; }
  const WorldPlane& world_plane() const { return *collider_.plane(); }
  const Vec3& origin() const { return origin_; }  // world: origin of the polygons
  // Whether the vertex of a vertex-face contact is over the finite face.
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
  std::vector<double> widths_;          // m: width of each geom
  mutable std::vector<EdgeArc> arcs_;   // edges of B, in A's frame
  mutable std::vector<int> arc_edges_;  // their indices
  PatchScratch scratch_;
};

// Least width of a solid over the normals of its faces (m); infinite for a half-space.
double width_of(const Convex& solid);

}  // namespace abut
