// LinearContact: the contacts of a posed pointer, made linear, for ticks whose step is late.
//
// Each pair that pressed the pointer is a spring: the force of the last step, plus a stiffness
// times the way that the pointer has gone into the surface since, never negative; friction keeps
// its ratio to the normal force. The stiffness is the pair's force divided by its depth, at most
// kStiffest, since a device could not render more. Six degrees of freedom: each spring has its own
// point.
#pragma once

#include <array>

#include "abut/collide/contact_data.h"
#include "abut/math/spatial.h"
#include "abut/model/model.h"
#include "abut/simulate/contact_forces.h"

namespace abut::haptic {

class LinearContact {
 public:
  static constexpr int kMost = 32;           // pairs; the rest keep their force
  static constexpr double kStiffest = 1000;  // N/m

  void clear() { count_ = 0, rest_ = {}; }
  // Of the last step, whose pointer was at X.
  void take(const Model& model, int body, const Pose& X, const ContactForces& forces,
            const ContactData& data);
  // The wrench on the pointer at `now`, about its origin.
  Spatial wrench(const Pose& now) const;
  int count() const { return count_; }

 private:
  struct Spring {
    Vec3 point;                      // m, in the pointer
    Vec3 normal;                     // the direction in which the pointer is pushed, world
    Vec3 force;                      // N, on the pointer
    double load = 0, stiffness = 0;  // N, N/m
  };
  Pose X_;
  std::array<Spring, kMost> springs_;
  int count_ = 0;
  Spatial rest_;
};

}  // namespace abut::haptic
