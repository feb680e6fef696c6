#include "abut/collide/proximity.h"

#include <cmath>
#include <utility>

#include "abut/collide/core_proximity.h"
#include "abut/collide/curved.h"
#include "abut/collide/face_witness.h"
#include "abut/collide/manifold.h"
#include "abut/collide/primitive_pairs.h"
#include "abut/collide/remember.h"
#include "abut/collide/sat.h"

namespace abut {
namespace {

// In place, and by the matrix: three rotations by a quaternion cost 18 ns more, a fifth of a
// coherent query.
void place(Proximity& d, const Pose& X_WA) {
  const Mat3 R = X_WA.q.toRotationMatrix();
  d.normal = R * d.normal;
  d.p_A = X_WA.p + R * d.p_A;
  d.p_B = X_WA.p + R * d.p_B;
}

bool boxes(const Convex& A, const Convex& B) {
  return A.kind == ShapeKind::box && B.kind == ShapeKind::box;
}

// Fifteen axes, and last time's again if it is as good. False where the nearest features
// are vertices, or a vertex and an edge, of boxes apart: axes can't tell how far.
bool box_proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                   double limit, Proximity& out) {
  const SatProximity d = box_box_proximity(A.dimensions, B.dimensions, X_AB, limit);
  if (!d.exact && !d.beyond_limit) return false;
  out = d;
  if (!hint) return true;
  if (d.beyond_limit) {
    forget(*hint);
  } else if (d.distance > 0) {
    remember_apart(d, *hint);
  } else {
    keep_steady(A, B, X_AB, *hint, out);
    remember_overlap(out, 0, X_AB, *hint);
  }
  return true;
}

Proximity find(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
               double limit) {
  if (A.polyhedron && B.polyhedron && !boxes(A, B)) return core_proximity(A, B, X_AB, hint, limit);
  Proximity d;
  if (boxes(A, B)) {
    if (box_proximity(A, B, X_AB, hint, limit, d)) return d;
  } else if (analytic_proximity(A, B, X_AB, d)) {
    d.beyond_limit = d.distance > limit;
    return d;
  }
  if (A.has_core() && B.has_core()) return core_proximity(A, B, X_AB, hint, limit);
  return curved_proximity(A, B, X_AB, limit);
}

// Well inside a face there is but one normal.
bool surely_determinate(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                        double margin) {
  if (A.is_half_space() || B.is_half_space()) return true;
  if (d.a.kind == FeatureKind::face && inside_face(*A.polyhedron, d.a.index, d.p_A) > margin)
    return true;
  return d.b.kind == FeatureKind::face &&
         inside_face(*B.polyhedron, d.b.index, X_AB.R.transpose() * (d.p_B - X_AB.p)) > margin;
}

}  // namespace

Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                    double limit) {
  // nothing is known of what is nowhere
  if (!X_AB.p.allFinite() || !X_AB.R.allFinite()) {
    Proximity nowhere;
    nowhere.beyond_limit = true;
    return nowhere;
  }
  Proximity d = find(A, B, X_AB, hint, limit);
  const double touching = kKissing * pair_size(A, B);
  if (!d.beyond_limit && std::abs(d.distance) <= touching &&
      !surely_determinate(A, B, X_AB, d, 2 * touching)) {
    thread_local ManifoldScratch scratch;
    d.indeterminate = d.indeterminate || is_indeterminate(A, B, X_AB, d, scratch);
  }
  return d;
}

Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    PairHint* hint, double limit) {
  Proximity d = proximity(A, B, relative(X_WA, X_WB), hint, limit);
  place(d, X_WA);
  return d;
}

Proximity swapped(const Proximity& d) {
  Proximity s = d;
  s.normal = -d.normal;
  std::swap(s.p_A, s.p_B);
  std::swap(s.a, s.b);
  return s;
}

Proximity placed(const Proximity& d, const Pose& X_WA) {
  Proximity w = d;
  place(w, X_WA);
  return w;
}

}  // namespace abut
