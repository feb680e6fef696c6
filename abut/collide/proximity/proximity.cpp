#include "abut/collide/proximity/proximity.h"

#include <cmath>

#include "abut/collide/manifold/manifold.h"
#include "abut/collide/proximity/cold/curved.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/cold/primitive_pairs.h"
#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/core_proximity.h"
#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/warm/warm_proximity.h"
#include "abut/collide/proximity/warm/warm_start.h"
#include "abut/collide/tolerances.h"

namespace abut {
namespace {

// A sum is finite only if all its terms are.
bool is_somewhere(const Transform& X) {
  return std::isfinite((X.R.col(0) + X.R.col(1) + X.R.col(2) + X.p).sum());
}

bool boxes(const Convex& A, const Convex& B) {
  return A.kind == ShapeKind::box && B.kind == ShapeKind::box;
}

// Boxes that lie on each other with an edge or a face. For these, testing all fifteen axes is
// faster than searching the deepest feature again.
bool are_boxes_that_lie(const Convex& A, const Convex& B, const WarmStart& warm_start) {
  if (!boxes(A, B) || warm_start.bound < 0) return false;
  const FeatureKind a = unpacked_feature(warm_start.feature_a).kind,
                    b = unpacked_feature(warm_start.feature_b).kind;
  return (a == FeatureKind::face && b != FeatureKind::vertex) ||
         (b == FeatureKind::face && a != FeatureKind::vertex);
}

// Tests fifteen axes and keeps the last one if it is as good. Returns false for boxes apart whose
// nearest features are two vertices, or a vertex and an edge: separating axes do not give that
// distance.
bool box_proximity(const Convex& A, const Convex& B, const Transform& X_AB, WarmStart* warm_start,
                   double limit, Proximity& out) {
  const SatProximity d = box_box_proximity(A.dimensions, B.dimensions, X_AB, limit);
  if (!d.exact && !d.beyond_limit) return false;
  out = d;
  if (!warm_start) return true;
  if (d.beyond_limit) {
    clear(*warm_start);
  } else if (d.distance > 0) {
    store_apart(d, *warm_start);
  } else {
    keep_steady(A, B, X_AB, *warm_start, out);
    store_overlap(out, 0, X_AB, *warm_start);
  }
  return true;
}

Proximity find(const Convex& A, const Convex& B, const Transform& X_AB, WarmStart* warm_start,
               double limit) {
  if (A.polyhedron && B.polyhedron && !boxes(A, B))
    return core_proximity(A, B, X_AB, warm_start, limit);
  Proximity d;
  if (boxes(A, B)) {
    if (box_proximity(A, B, X_AB, warm_start, limit, d)) return d;
  } else if (analytic_proximity(A, B, X_AB, d)) {
    d.beyond_limit = d.distance > limit;
    return d;
  }
  if (A.has_core() && B.has_core()) return core_proximity(A, B, X_AB, warm_start, limit);
  return curved_proximity(A, B, X_AB, limit);
}

// Well inside a face there is only one normal.
bool surely_determinate(const Convex& A, const Convex& B, const Transform& X_AB, const Proximity& d,
                        double margin) {
  if (A.is_half_space() || B.is_half_space()) return true;
  if (d.a.kind == FeatureKind::face && inside_face(*A.polyhedron, d.a.index, d.p_A) > margin)
    return true;
  return d.b.kind == FeatureKind::face &&
         inside_face(*B.polyhedron, d.b.index, X_AB.R.transpose() * (d.p_B - X_AB.p)) > margin;
}

// Whether the query should try the warm start first.
bool may_start_warm(const Convex& A, const Convex& B, const WarmStart* warm_start) {
  return warm_start && A.polyhedron && B.polyhedron && !are_boxes_that_lie(A, B, *warm_start);
}

bool is_touching(const Convex& A, const Convex& B, const Proximity& d) {
  return !d.beyond_limit && std::abs(d.distance) <= kKissing * pair_size(A, B);
}

// For touching solids, with `d` in A's frame: whether more than one normal is valid.
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

// The cold query, in A's frame.

Proximity anew(const Convex& A, const Convex& B, const Transform& X_AB, WarmStart* warm_start,
               double limit) {
  Proximity d;
  // a pose that is not finite has no answer
  if (!is_somewhere(X_AB)) {
    d.beyond_limit = true;
    return d;
  }
  d = find(A, B, X_AB, warm_start, limit);
  if (is_touching(A, B, d)) d.indeterminate = is_indeterminate(A, B, X_AB, d);
  return d;
}

}  // namespace

Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB, WarmStart* warm_start,
                    double limit) {
  Proximity d;
  if (!may_start_warm(A, B, warm_start) || !warm_proximity(A, B, InFrameOfA(X_AB), *warm_start, d))
    return anew(A, B, X_AB, warm_start, limit);
  if (is_touching(A, B, d)) d.indeterminate = is_indeterminate(A, B, X_AB, d);
  return d;
}

Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    WarmStart* warm_start, double limit) {
  Proximity d = proximity(A, B, relative(X_WA, X_WB), warm_start, limit);
  place(d, Transform(X_WA));
  return d;
}

Proximity proximity(const PlacedConvex& A, const PlacedConvex& B, WarmStart* warm_start,
                    double limit) {
  const InWorldAxes axes(A.X, B.X);
  Proximity d;
  if (!may_start_warm(A.solid, B.solid, warm_start) ||
      !warm_proximity(A.solid, B.solid, axes, *warm_start, d)) {
    d = anew(A.solid, B.solid, axes.X_AB(), warm_start, limit);
    place(d, A.X);
    return d;
  }
  if (is_touching(A.solid, B.solid, d)) d.indeterminate = is_indeterminate(A, B, axes, d);
  d.p_A += A.X.p;
  d.p_B += A.X.p;
  return d;
}

}  // namespace abut
