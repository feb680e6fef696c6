// Measures: coordinates between two bodies, computed from their poses. In maximal coordinates
// (maximal.h) they replace the coordinates of joints, which are not part of the state then. Tendons
// sum measures as they sum coordinates: springs, dampers, limits, dry friction and motors of a
// joint become those of a tendon over its measure.
//
// With F the frame of the first body and G that of the second, both in the world:
//
//   turn    angle of G's x about F's z, from F's x (hinge). It is known up to whole turns: the
//           value nearest to that of the last step is taken (State::turn)
//   shift   G.p - F.p along F's z (slide)
//   angle   of the rotation between F and G, 0 to pi (ball: spring, limit)
//   spin    only a rate: of the second body about an axis fixed in it, or in the first (ball:
//           damping, friction, motors); its value is the rotation vector along that axis
//
//   MeasureNow now = measure(m, X_WF, X_WG, last);
//   rate = dot(now.w, twist of second - twist of first), both at now.p
#pragma once

#include "abut/math/spatial.h"
#include "abut/model/world.h"

namespace abut {

struct JointMeasure {
  MeasureKind kind = MeasureKind::turn;
  int first = 0, second = 0;  // bodies
  Pose frame, other;          // F in the first, G in the second
  Vec3 axis = Vec3::UnitX();  // spin: unit, in F or G
  bool axis_in_first = false;
  double scale = 1, offset = 0;  // value = offset + scale * measured; offset: at qpos0
};

struct MeasureNow {
  double value = 0;  // rad, m
  Vec3 p = Vec3::Zero();
  Spatial w;
};

// `last`: a turn takes the value nearest to this.
MeasureNow measure(const JointMeasure& m, const Pose& F, const Pose& G, double last);

}  // namespace abut
