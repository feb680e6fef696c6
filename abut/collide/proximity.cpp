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
void place(Proximity& d, const Transform& X_WA) {
  d.normal = X_WA.R * d.normal;
  d.p_A = X_WA * d.p_A;
  d.p_B = X_WA * d.p_B;
}

// A sum is finite only if all its terms are.
bool is_somewhere(const Transform& X) {
  return std::isfinite((X.R.col(0) + X.R.col(1) + X.R.col(2) + X.p).sum());
}

bool boxes(const Convex& A, const Convex& B) {
  return A.kind == ShapeKind::box && B.kind == ShapeKind::box;
}

// Boxes that lie on each other with an edge or a face: their fifteen axes take less time than to
// look again for what is deepest.
bool are_boxes_that_lie(const Convex& A, const Convex& B, const PairHint& hint) {
  if (!boxes(A, B) || hint.bound < 0) return false;
  const FeatureKind a = unpacked_feature(hint.feature_a).kind,
                    b = unpacked_feature(hint.feature_b).kind;
  return (a == FeatureKind::face && b != FeatureKind::vertex) ||
         (b == FeatureKind::face && a != FeatureKind::vertex);
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
  Proximity d;
  if (!(hint && A.polyhedron && B.polyhedron && !are_boxes_that_lie(A, B, *hint) &&
        from_memory(A, B, X_AB, *hint, d))) {
    d = {};
    // nothing is known of what is nowhere
    if (!is_somewhere(X_AB)) {
      d.beyond_limit = true;
      return d;
    }
    d = find(A, B, X_AB, hint, limit);
  }
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
  place(d, Transform(X_WA));
  return d;
}

Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, PairHint* hint, double limit) {
  // straight to where it stays: a copy would wait for the numbers
  Transform X_AB;
  X_AB.R.noalias() = A.X.R.transpose() * B.X.R;
  X_AB.p.noalias() = A.X.R.transpose() * (B.X.p - A.X.p);
  Proximity d = proximity(A.solid, B.solid, X_AB, hint, limit);
  place(d, A.X);
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
  place(w, Transform(X_WA));
  return w;
}

}  // namespace abut
