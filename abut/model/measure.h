// Measures: coordinates between two bodies, read off their poses. In maximal coordinates
// (maximal.h) they stand for the coordinates of joints, which are then no part of the state, and
// tendons add them up as they do coordinates: springs, dampers, limits, dry friction and motors of
// a joint are those of a tendon over its measure.
//
// With F the frame that the first body carries and G the second's, both in the world:
//
//   turn    angle of G's x about F's z, from F's x (hinge). Known but for whole turns: of those
//           it takes the one nearest to the last step's (State::turn)
//   shift   G.p - F.p along F's z (slide)
//   angle   of the rotation between F and G, 0 to pi (ball: spring, limit)
//   spin    rate alone: of the second about an axis that it carries, or the first does (ball:
//           damping, friction, motors); its value is the rotation vector along that axis
//
//   MeasureNow now = measure(m, X_WF, X_WG, last);
//   rate = dot(now.w, twist of second - twist of first), both named at now.p
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
  double scale = 1, offset = 0;  // value = offset + scale * what is measured; offset: at qpos0
};

struct MeasureNow {
  double value = 0;  // rad, m
  Vec3 p = Vec3::Zero();
  Spatial w;
};

// `last`: the value that a turn is nearest to.
MeasureNow measure(const JointMeasure& m, const Pose& F, const Pose& G, double last);

}  // namespace abut
