// FlightRule: what a contact model says of bounces of bodies that fly, which are followed within
// the step and end no substep (contact/impact/flights.h).
#pragma once

#include "abut/constrain/ahead/step_motion.h"

namespace abut {

// A meeting that is followed.
struct FollowedBounce {
  double time = 0;  // s
  int geom_a = 0, geom_b = 0;
  bool slow = false;  // too slow to bounce
};

class FlightRule {
 public:
  virtual ~FlightRule() = default;

  // Whether meetings of the pair are followed: one flies, and the other flies or is fixed.
  virtual bool follows(int geom_a, int geom_b, const StepMotion& step) const = 0;
  // m/s: approaches above this bounce.
  virtual double slowest(int geom_a, int geom_b) const = 0;
};

}  // namespace abut
