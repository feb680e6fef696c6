#include "abut/collide/proximity.h"

#include <cmath>
#include <utility>

#include "abut/collide/core_proximity.h"
#include "abut/collide/curved.h"
#include "abut/collide/face_witness.h"
#include "abut/collide/manifold.h"
#include "abut/collide/pair_axes.h"
#include "abut/collide/primitive_pairs.h"
#include "abut/collide/recall.h"
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

// What there is to remember is asked first.
bool may_recall(const Convex& A, const Convex& B, const PairHint* hint) {
  return hint && A.polyhedron && B.polyhedron && !are_boxes_that_lie(A, B, *hint);
}

bool is_touching(const Convex& A, const Convex& B, const Proximity& d) {
  return !d.beyond_limit && std::abs(d.distance) <= kKissing * pair_size(A, B);
}

// Of two that touch, with `d` in A's frame: whether more than one normal would do.
bool is_indeterminate(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d) {
  if (surely_determinate(A, B, X_AB, d, 2 * kKissing * pair_size(A, B))) return d.indeterminate;
  thread_local ManifoldScratch scratch;
  return d.indeterminate || is_indeterminate(A, B, X_AB, d, scratch);
}

bool is_indeterminate(const PlacedConvex& A, const PlacedConvex& B, const InWorldAxes& axes,
                      Proximity d) {
  axes.turn_back(d);
  return is_indeterminate(A.solid, B.solid, axes.X_AB(), d);
}

// In A's frame, where nothing that is remembered helps.

Proximity anew(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
               double limit) {
  Proximity d;
  // nothing is known of what is nowhere
  if (!is_somewhere(X_AB)) {
    d.beyond_limit = true;
    return d;
  }
  d = find(A, B, X_AB, hint, limit);
  if (is_touching(A, B, d)) d.indeterminate = is_indeterminate(A, B, X_AB, d);
  return d;
}

}  // namespace

Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                    double limit) {
  Proximity d;
  if (!may_recall(A, B, hint) || !recall(A, B, InFrameOfA(X_AB), *hint, d))
    return anew(A, B, X_AB, hint, limit);
  if (is_touching(A, B, d)) d.indeterminate = is_indeterminate(A, B, X_AB, d);
  return d;
}

Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    PairHint* hint, double limit) {
  Proximity d = proximity(A, B, relative(X_WA, X_WB), hint, limit);
  place(d, Transform(X_WA));
  return d;
}

Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, PairHint* hint, double limit) {
  const InWorldAxes axes(A.X, B.X);
  Proximity d;
  if (!may_recall(A.solid, B.solid, hint) || !recall(A.solid, B.solid, axes, *hint, d)) {
    d = anew(A.solid, B.solid, axes.X_AB(), hint, limit);
    place(d, A.X);
    return d;
  }
  if (is_touching(A.solid, B.solid, d)) d.indeterminate = is_indeterminate(A, B, axes, d);
  d.p_A += A.X.p;
  d.p_B += A.X.p;
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
