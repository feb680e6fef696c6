// What the parts of core_proximity() share: the pair, the features that vertices span, how well an
// answer's points hold up, and the face of the difference that an answer is shown on.
#pragma once

#include <array>
#include <limits>

#include "abut/collide/proximity/cold/expansion.h"
#include "abut/collide/proximity/cold/gjk.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/index.h"
#include "abut/math/transform.h"

namespace abut::core_parts {

// A face whose normal is within this of the one found (1 - cosine) may be the one meant.
constexpr double kAligned = 1e-7;

// Relative to L: when the bounds of the least translation agree.
constexpr double kAgree = 1e-12;

// Relative to L: nearer than this, features that are all but parallel can lead a walk
// astray, and an answer is looked at twice.
constexpr double kSecondLook = 1e-5;

// The different vertices of one solid in a simplex or a face of the difference.
struct VertexSet {
  std::array<int, 4> vertex{};
  int count = 0;

  void add(int v) {
    for (int i = 0; i < count; ++i)
      if (vertex[at(i)] == v) return;
    vertex[at(count++)] = v;
  }
};

// The least feature that holds the vertices.
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

  // Gap of the planes across n that hold the two cores between them: > 0 parts them.
  double separation(const Vec3& n) const {
    const int a = A.support->farthest(n);
    const int b = B.support->farthest(-(X_AB.R.transpose() * n));
    return n.dot(X_AB * B.support->vertex(b) - A.support->vertex(a));
  }
  // The normal a pair of features defines, from A to B, on the side of `near`; false if
  // it defines none.
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
      if (length <= 1e-9 * e.norm() * f.norm()) return false;
      n = cross / (cross.dot(near) < 0 ? -length : length);
    } else {
      return false;
    }
    return true;
  }
};

// ---- from a guess (core_guess.cpp) ----

// A guess of the normal, from A to B, of any length: that of the difference if the two were
// ellipsoids of the same spread. The way between the centres would be the guess for balls,
// and far off for a small thing on the end of a plank.
Vec3 likely_normal(const Pair& pair);

// The quick ways, from a guess of the normal. If it parts the two, V-Clip finds the distance
// faster than GJK. If not, most likely they overlap, and the least translation is somewhere
// around it. False: neither was sure. `u` is the guess, `margin` (m) how much worse axes are of
// interest, `others` what any other axis needs at least, where axes were searched.
bool from_guess(const Pair& pair, double limit, const Vec3& u, Expansion& e, Proximity& d,
                double margin, double& others);

// ---- apart (core_apart.cpp) ----

// Distance, points and features from what GJK ended with. So near, or where it stopped
// short, V-Clip has the last word. False: they are all but touching, and features that
// are all but parallel have no good normal of their own; the polytope will find one.
bool surely_apart(const Pair& pair, const GjkAnswer& g, Proximity& d);

// V-Clip's walk, and its answer only if it certifies itself: features that are all but parallel
// can end the walk 1e-7 L short. False: they are not surely apart.
bool apart_by_walk(const Pair& pair, const Feature& a, const Feature& b, Proximity& d);

// How far the points of an answer are from its features, and from being the distance
// apart along the normal (m).
double points_off(const Pair& pair, const Proximity& d);
bool points_hold_up(const Pair& pair, const Proximity& d);

// ---- overlapping (core_overlap.cpp) ----

// The feature pair whose plane is the nearest face of the difference.
struct Reference {
  Feature a, b;
  Vec3 normal;
  double distance = -std::numeric_limits<double>::infinity();
  int lowest = -1;  // on a face: the deepest vertex of the other solid
};

// The axis of a face of one solid. `others`: if it is known, some vertices of the other solid one
// of which is the deepest.
Reference on_face(const Pair& pair, bool of_a, int face, const VertexSet* others = nullptr);

// Fills in points and features from the reference. False if no part of the other solid
// that is deepest lies under the face: another axis is as good, and the right one.
bool show(const Pair& pair, const Reference& best, Proximity& d);
// Points of a segment's own axis: those of the origin's projection on the triangle.
void show_triangle(const Pair& pair, const std::array<DifferenceVertex, 3>& t,
                   const Reference& best, Proximity& d);

// What the expanding polytope ended with. False if its nearest face is none of the difference's,
// or the points do not hold up.
bool surely_overlapping(const Pair& pair, const Expansion& e, Proximity& d);

// ---- where the quick ways fail (core_slow.cpp) ----

// The separating axes are right about distance and normal; of all the points that were found, take
// those that fit the best. `tried` is what did not hold up.
Proximity slow_and_sure(const Pair& pair, const Proximity& tried);

}  // namespace abut::core_parts
