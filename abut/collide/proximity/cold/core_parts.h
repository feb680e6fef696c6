// Functions that the parts of core_proximity() share: the pair, the features that vertices span,
// the check of witness points, and the face of the difference that an answer is based on.
#pragma once

#include <array>
#include <limits>

#include "abut/collide/proximity/cold/expansion.h"
#include "abut/collide/proximity/cold/gjk.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/index.h"
#include "abut/math/transform.h"

namespace abut::core_parts {

// The distinct vertices of one solid in a simplex or in a face of the difference.
struct VertexSet {
  std::array<int, 4> vertex{};
  int count = 0;

  void add(int v) {
    for (int i = 0; i < count; ++i)
      if (vertex[at(i)] == v) return;
    vertex[at(count++)] = v;
  }
};

// The feature of least dimension that contains the vertices.
Feature spanned(const Convex& c, const VertexSet& set);

bool has_face(const Polyhedron& p, int vertex, int face);

inline Vec3 edge_vector(const Polyhedron& p, int e) {
  return p.vertices[at(p.edges[at(e)].head)] - p.vertices[at(p.edges[at(e)].tail)];
}

struct Pair {
  const Convex& A;
  const Convex& B;
  const Transform& X_AB;
  double L;

  bool polyhedra() const { return A.polyhedron && B.polyhedron; }

  // Gap (m) between the planes perpendicular to n that enclose the two cores; positive: n separates
  // them.
  double separation(const Vec3& n) const {
    const int a = A.support->farthest(n);
    const int b = B.support->farthest(-(X_AB.R.transpose() * n));
    return n.dot(X_AB * B.support->vertex(b) - A.support->vertex(a));
  }
  // The normal that a pair of features defines, from A to B, on the side of `near`. Returns false
  // if the pair defines none.
  bool normal_of(const Feature& a, const Feature& b, const Vec3& near, Vec3& n) const {
    if (a.kind == FeatureKind::face) {
      n = A.polyhedron->faces[at(a.index)].eta;
    } else if (b.kind == FeatureKind::face) {
      n = -(X_AB.R * B.polyhedron->faces[at(b.index)].eta);
    } else if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
      const Vec3 e = edge_vector(*A.polyhedron, a.index);
      const Vec3 f = X_AB.R * edge_vector(*B.polyhedron, b.index);
      const Vec3 cross = e.cross(f);
      const double length = cross.norm();
      if (length <= kParallelEdges * e.norm() * f.norm()) return false;
      n = cross / (cross.dot(near) < 0 ? -length : length);
    } else {
      return false;
    }
    return true;
  }
};

// ---- from a guess (core_guess.cpp) ----

// A guess of the normal, from A to B, of any length: the normal of the difference if the solids
// were ellipsoids of the same spread. The line between the centres would be the guess for balls; it
// is far off for a small solid on the end of a plank.
Vec3 likely_normal(const Pair& pair);

// The fast methods, from a guess `u` of the normal. If the guess separates the two, V-Clip finds
// the distance faster than GJK. If it does not, the solids most likely overlap, and the minimum
// translation is near the guess. Returns false if neither is certain. `margin` (m): axes worse by
// up to this are searched as well. `others`: a lower bound of the translation along any other axis,
// where axes were searched.
bool from_guess(const Pair& pair, double limit, const Vec3& u, Expansion& e, Proximity& d,
                double margin, double& others);

// ---- apart (core_apart.cpp) ----

// Distance, points and features from GJK's last simplex. For solids that are nearly touching, or if
// GJK stopped early, V-Clip decides. Returns false if the solids nearly touch and their features
// are nearly parallel, so that they define no accurate normal; then the polytope finds one.
bool surely_apart(const Pair& pair, const GjkAnswer& g, Proximity& d);

// V-Clip's walk. Its answer is used only if it passes its own check, because features that are
// nearly parallel can end the walk 1e-7 L too early. Returns false if the solids are not certainly
// apart.
bool apart_by_walk(const Pair& pair, const Feature& a, const Feature& b, Proximity& d);

// The error of witness points (m): their distance from their features, and from being `distance`
// apart along the normal.
double points_off(const Pair& pair, const Proximity& d);
bool points_hold_up(const Pair& pair, const Proximity& d);

// ---- overlapping (core_overlap.cpp) ----

// The pair of features whose plane is the nearest face of the difference.
struct Reference {
  Feature a, b;
  Vec3 normal;
  double distance = -std::numeric_limits<double>::infinity();
  int lowest = -1;  // on a face: the deepest vertex of the other solid
};

// The axis of a face of one solid. `others`: if known, some vertices of the other solid that
// include the deepest.
Reference on_face(const Pair& pair, bool of_a, int face, const VertexSet* others = nullptr);

// Fills in points and features from the reference. Returns false if no deepest part of the other
// solid lies under the face: then another axis is equally good, and is the right one.
bool show(const Pair& pair, const Reference& best, Proximity& d);
// Points for an axis of a segment: those of the origin's projection onto the triangle.
void show_triangle(const Pair& pair, const std::array<DifferenceVertex, 3>& t,
                   const Reference& best, Proximity& d);

// The answer from the final expanding polytope. Returns false if its nearest face is not a face of
// the difference, or if the witness points fail their check.
bool surely_overlapping(const Pair& pair, const Expansion& e, Proximity& d);

// ---- where the fast methods fail (core_slow.cpp) ----

// The separating axes give the right distance and normal. Of all witness points that were found,
// the best are taken. `tried` is an answer that failed its check.
Proximity slow_and_sure(const Pair& pair, const Proximity& tried);

}  // namespace abut::core_parts
