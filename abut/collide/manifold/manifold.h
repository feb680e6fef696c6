// The kissing manifold of two solids: where they touch once they are moved along the normal until
// they touch (Cheng Yi and Drumwright, III-A, IV-D to F; K-4, K-5, K-9, K-12 to K-14, K-E7, K-E8,
// K-N3).
//
// Each solid is moved by half the distance, so that the contact plane lies midway and the result is
// symmetric in A and B. The points of each solid on that plane (within kKissing L) form a point, a
// segment or a polygon; the intersection of the two is the manifold. Its corners are the contact
// points: if no gap at a corner closes, the solids do not approach each other (eq. 2).
//
// The normal is that of the query (K-E7); crossing edges give one point with it (K-E8). If the
// solids really touch (|distance| <= kKissing L) and the features that meet are vertex and vertex
// or vertex and edge, many normals are valid, and `indeterminate` says that the query's normal is
// one of them (K-9). Many normals are also valid for parallel edges that share a segment, but these
// count as determinate (K-T9: two points); parallel edges that meet end to end are a vertex on a
// vertex. A curved surface has its own normal: contact_set.h says what touches there.
//
//   abut::ManifoldScratch scratch;
//   abut::KissingManifold m;
//   abut::kissing_manifold(a, X_WA, b, X_WB, proximity(a, X_WA, b, X_WB), {}, scratch, m);
#pragma once

#include <cstdint>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/manifold/contact_set.h"
#include "abut/collide/manifold/planar_set.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

enum class ManifoldKind : std::uint8_t { none, point, segment, polygon };
const char* name(ManifoldKind kind);

struct KissingManifold {
  ManifoldKind kind = ManifoldKind::none;
  Vec3 normal = Vec3::Zero();  // contact plane: normal . x = offset, from A to B
  double offset = 0;           // m
  double distance = 0;         // of the solids along the normal (m): points +- half of it
                               // along the normal lie on B and on A
  Feature a, b;                // features of least dimension that contain the manifold
  bool indeterminate = false;
  std::vector<Vec3> points;        // counter-clockwise about the normal
  std::vector<std::uint64_t> ids;  // point_id()

  int count() const { return static_cast<int>(points.size()); }
};

struct ManifoldOptions {
  // As in the paper: points only for a face on a vertex, an edge or a face.
  bool paper_strict = false;
};

struct ManifoldScratch {
  ContactSet set_a, set_b;
  std::vector<Vec2> flat;
  PlanarSet a, b;
  PlanarIntersection common;
  KissingManifold touch;
  std::vector<int> order;
};

// The first form works in A's frame, the second in the world; `d` is in the same frame. Only the
// normal of `d` is used.
void kissing_manifold(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                      const ManifoldOptions& options, ManifoldScratch& scratch,
                      KissingManifold& out);
void kissing_manifold(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                      const Proximity& d, const ManifoldOptions& options, ManifoldScratch& scratch,
                      KissingManifold& out);

// The manifold as a patch, its points moved back to the solids: all have the distance for their gap,
// in ascending order of their ids. Returns false, and appends nothing, beyond reach and where the
// normal is indeterminate (K-9). The caller fills in the geoms. All in the world.
struct PlacedSolids {
  const Convex& A;
  const Pose& X_WA;
  const Convex& B;
  const Pose& X_WB;
};
bool append_kissing(const PlacedSolids& pair, const Proximity& d, double reach,
                    ManifoldScratch& scratch, KissingManifold& m, ContactData& out);

// Whether two touching solids have more than one valid normal, of which `d` (in A's frame) has one:
// the meaning of Proximity::indeterminate. False if the solids are apart or overlap.
bool is_indeterminate(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                      ManifoldScratch& scratch);

}  // namespace abut
