// ForcedMotion: how the bodies move and accelerate under given forces, in solver coordinates
// (solver_velocity.h).
//
//   motion.find(model, stage, d, force);
//   law.hold(scene, motion.u(), motion.u_rate(), forces);
#pragma once

#include <span>
#include <vector>

#include "abut/model/kinematics.h"
#include "abut/model/state.h"

namespace abut {

class ForcedMotion {
 public:
  // `force`: generalized forces of the contacts, beside d.tau.
  void find(const Model& model, const State& stage, Derived& d, std::span<const double> force);
  std::span<const double> u() const { return u_; }            // m/s, rad/s
  std::span<const double> u_rate() const { return u_rate_; }  // m/s^2, rad/s^2

 private:
  std::vector<double> tau_, acceleration_, u_, u_rate_;
};

}  // namespace abut
