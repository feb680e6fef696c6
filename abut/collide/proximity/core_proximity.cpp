#include "abut/collide/proximity/core_proximity.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/cold/core_counts.h"
#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/proximity/warm/warm_start.h"

namespace abut {
namespace {

using namespace core_parts;

// Turns the answer about the cores into the answer about the solids.
void add_rounding(const Convex& A, const Convex& B, Proximity& d) {
  d.p_A += A.rounding * d.normal;
  d.p_B -= B.rounding * d.normal;
  d.distance -= A.rounding + B.rounding;
}

// Keeps the features of the last query if they are as good, and stores a certificate for the next
// query: `others` (m) is a lower bound of the translation along any other direction.
void store_overlap_of(const Pair& pair, double others, Proximity& d, WarmStart& warm_start) {
  // if the last features are kept, the minimum translation is one of the others
  const double least = -d.distance;
  const bool kept = keep_steady(pair.A, pair.B, pair.X_AB, warm_start, d);
  store_overlap(d, kept ? least : others, pair.X_AB, warm_start);
}

}  // namespace

Proximity core_proximity(const Convex& A, const Convex& B, const Transform& X_AB,
                         WarmStart* warm_start, double limit) {
  CoreCounts& counts = core_counts();
  ++counts.queries;
  const Pair pair{A, B, X_AB, pair_size(A, B)};
  const double rounding = A.rounding + B.rounding;
  // warm starts are for polyhedra: other cores are cheap
  if (!pair.polyhedra()) warm_start = nullptr;
  Proximity d;
  Expansion& e = thread_expansion();
  const double tolerance = kAgree * pair.L;
  // start from the last query's face of the difference, which is still the nearest or close to it
  const bool small = A.axes && B.axes;
  std::array<DifferenceVertex, 3> face;
  if (warm_start && !small && last_face(A, B, X_AB, *warm_start, face) &&
      e.begin_at(*A.support, *B.support, X_AB, face, A.center - X_AB * B.center, pair.L) &&
      e.grow(tolerance) == Expansion::Status::certain &&
      e.nearest_distance() > kSecondLook * pair.L && surely_overlapping(pair, e, d)) {
    ++counts.expansions;
    counts.expansion_iterations += e.iterations();
    store_overlap_of(pair, e.bound_of_others(), d, *warm_start);
    return d;
  }

  // with few vertices a good guess costs more than it saves
  const bool guess = pair.polyhedra();
  Vec3 start;
  if (!(warm_start && small && last_normal(A, B, X_AB, *warm_start, start)))
    start = guess && A.support->vertex_count() + B.support->vertex_count() > 24
                ? likely_normal(pair)
                : Vec3(X_AB * B.center - A.center);
  const double length = start.norm();
  const bool guessed = length > 0 && std::isfinite(length);
  start = guessed ? Vec3(start / length) : Vec3::UnitX();
  // axes that motion may make the best are needed for a warm start only
  double others = -1;
  if (guess && guessed &&
      from_guess(pair, limit + rounding, start, e, d, warm_start ? kCoherentMotion * pair.L : 0,
                 others)) {
    if (warm_start && d.distance > 0) store_apart(d, *warm_start);
    if (warm_start && d.distance <= 0)
      store_overlap_of(pair, others < 0 ? e.bound_of_others() : others, d, *warm_start);
    add_rounding(A, B, d);
    return d;
  }

  GjkOptions options;
  options.limit = limit + rounding;
  options.touch = kGjkTouch * pair.L;
  const GjkAnswer g = gjk(*A.support, *B.support, X_AB, start, options);
  counts.gjk_iterations += g.iterations;

  if (g.status == GjkStatus::beyond_limit) {
    d.beyond_limit = true;
    d.distance = g.lower_bound - rounding;
    if (warm_start) clear(*warm_start);
    return d;
  }
  if (g.status == GjkStatus::apart && surely_apart(pair, g, d)) {
    if (warm_start) store_apart(d, *warm_start);
  } else {
    ++counts.expansions;
    if (e.begin(*A.support, *B.support, X_AB, g.simplex, pair.L) &&
        e.grow(tolerance) == Expansion::Status::certain && surely_overlapping(pair, e, d)) {
      counts.expansion_iterations += e.iterations();
      if (warm_start) store_overlap_of(pair, e.bound_of_others(), d, *warm_start);
    } else {
      ++counts.fallbacks;
      d = slow_and_sure(pair, d);
      if (warm_start) store_overlap(d, 0, X_AB, *warm_start);
    }
  }
  add_rounding(A, B, d);
  return d;
}

}  // namespace abut
