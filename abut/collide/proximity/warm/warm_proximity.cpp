#include "abut/collide/proximity/warm/warm_proximity.h"

#include <cmath>

#include "abut/collide/proximity/cold/core_counts.h"
#include "abut/collide/proximity/cold/core_parts.h"
#include "abut/collide/proximity/cold/vclip.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/proximity/warm/depth_certificate.h"
#include "abut/collide/proximity/warm/follow_overlap.h"
#include "abut/collide/proximity/warm/warm_start.h"

namespace abut {
namespace {

using namespace core_parts;

// Upper bound of the motion of any point of B in A's frame since the warm start was stored: the
// motion of the centre, and for the rest the norm of the change of rotation, 2 sin(angle / 2).
double motion(const Convex& B, const Transform& X_AB, const WarmStart& warm_start) {
  const double* q = warm_start.quaternion;
  const Transform before(
      Quat(q[0], q[1], q[2], q[3]).toRotationMatrix(),
      Vec3(warm_start.position[0], warm_start.position[1], warm_start.position[2]));
  const double turned = (X_AB.R - before.R).norm() / std::sqrt(2.0);
  return (X_AB * B.center - before * B.center).norm() + turned * B.radius;
}

// A V-Clip walk from features that are no longer the closest. Pairs that nearly touch need a second
// method. Not inlined, like the function below: most queries end before it and need no stack for
// it.
template <typename Axes>
[[gnu::noinline]] bool walk(const Convex& A, const Convex& B, const Axes& axes,
                            WarmStart& warm_start, Proximity& d) {
  const VClipAnswer v =
      vclip(*A.polyhedron, *B.polyhedron, axes.X_AB(), unpacked_feature(warm_start.feature_a),
            unpacked_feature(warm_start.feature_b));
  if (v.status != VClipStatus::disjoint || !(v.proximity.distance > kSecondLook * pair_size(A, B)))
    return false;
  d = v.proximity;
  axes.turn(d);
  store_apart(d, warm_start);
  return true;
}

enum class Followed { lost, same, elsewhere };

// Walks from the last features downhill to the current minimum translation. `parts`: the last
// features still separate the two, by `depth` (m). For Followed::elsewhere, `d` is in A's frame.
Followed follow(const Pair& pair, const Feature& a, const Feature& b, bool parts, double depth,
                Proximity& d) {
  const double steady = kSteady * pair.L;
  DifferenceFace face;
  if (!follow_overlap({pair.A, pair.B, pair.X_AB}, a, b, parts, pair.L, parts ? steady : 0, face) ||
      !(face.distance > kSecondLook * pair.L))
    return Followed::lost;
  // features that are as good are kept
  if (parts && depth <= face.distance + steady) return Followed::same;
  Reference best{face.a, face.b, face.normal, -face.distance, -1};
  if (face.a.kind == FeatureKind::face) best.lowest = face.b.index;
  if (face.b.kind == FeatureKind::face) best.lowest = face.a.index;
  return show(pair, best, d) && points_hold_up(pair, d) ? Followed::elsewhere : Followed::lost;
}

// For features that are not certified. `parts`: they separate the two, by `d`.
template <typename Axes>
[[gnu::noinline]] bool follow(const Convex& A, const Convex& B, const Axes& axes, bool parts,
                              WarmStart& warm_start, Proximity& d) {
  const Transform X_AB = axes.X_AB();
  const Pair pair{A, B, X_AB, pair_size(A, B)};
  const double depth = -d.distance, bound = warm_start.bound + kSteady * pair.L;
  if (parts && depth <= bound && depth <= bound - motion(B, X_AB, warm_start)) return true;
  const Followed followed = follow(pair, unpacked_feature(warm_start.feature_a),
                                   unpacked_feature(warm_start.feature_b), parts, depth, d);
  if (followed == Followed::lost) return false;
  ++core_counts().followed;
  --core_counts().same_features;
  if (followed == Followed::elsewhere) axes.turn(d);
  store_overlap(d, 0, X_AB, warm_start);
  return true;
}

}  // namespace

template <typename Axes>
bool warm_proximity(const Convex& A, const Convex& B, const Axes& axes, WarmStart& warm_start,
                    Proximity& d) {
  const Feature a = unpacked_feature(warm_start.feature_a),
                b = unpacked_feature(warm_start.feature_b);
  if (!exists(*A.polyhedron, a) || !exists(*B.polyhedron, b)) return false;
  if (warm_start.bound < 0) {
    if (!(still_closest(*A.polyhedron, *B.polyhedron, axes, a, b, d) && d.distance < HUGE_VAL) &&
        !walk(A, B, axes, warm_start, d))
      return false;
  } else {
    bool certified = false;
    const bool parts = translation_along(A, B, axes, a, b, d, certified) && d.distance < 0;
    if (!(parts && certified) && !follow(A, B, axes, parts, warm_start, d)) return false;
  }
  CoreCounts& counts = core_counts();
  ++counts.queries;
  ++counts.same_features;
  return true;
}
template bool warm_proximity(const Convex&, const Convex&, const InFrameOfA&, WarmStart&,
                             Proximity&);
template bool warm_proximity(const Convex&, const Convex&, const InWorldAxes&, WarmStart&,
                             Proximity&);

}  // namespace abut
