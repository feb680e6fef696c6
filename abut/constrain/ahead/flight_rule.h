// FlightRule: how a contact model treats the bounces of flying bodies. These bounces are computed within
// the step and do not end a substep (contact/impact/flights.h).
#pragma once

#include "abut/constrain/ahead/step_motion.h"

namespace abut {

// A bounce that is computed within the step.
struct FollowedBounce {
  double time = 0;  // s
  int geom_a = 0, geom_b = 0;
  bool slow = false;  // too slow to bounce
};

class FlightRule {
 public:
  virtual ~FlightRule() = default;

  // Whether the bounces of the pair are computed within the step: one body flies, and the other flies
  // or is fixed.
  virtual bool follows(int geom_a, int geom_b, const StepMotion& step) const = 0;
  // m/s: approaches above this bounce.
  virtual double slowest(int geom_a, int geom_b) const = 0;
};

}  // namespace abut
