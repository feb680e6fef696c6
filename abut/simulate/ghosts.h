// Ghost contacts: pairs that push each other without touching. A pair with an impulse in a step
// must end the step at a gap of at most
//
//   kOfWay |u_rel| h + kOfSize L
//
// u_rel being the velocity of the two where they push, before the step, and L the pair's size.
// Pairs that bounce are not asked: they leave. Measured from the poses at the end by exact queries,
// as overlap is.
//
//   abut::Ghosts ghosts(model);
//   int n = ghosts.count(simulator, forces, overlap_measure);
#pragma once

#include "abut/constrain/rows/material.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"

namespace abut {

class Ghosts {
 public:
  static constexpr double kOfWay = 1e-4, kOfSize = 1e-6;

  explicit Ghosts(const Model& model) : model_(model), materials_(model) {}

  // `forces` are those of the simulator's last step, and `end` has looked at the poses it led to.
  // 0 under models whose contacts are forces, which act on what overlaps alone.
  int count(const Simulator& simulator, const ContactForces& forces, OverlapMeasure& end) const;

 private:
  const Model& model_;
  Materials materials_;
};

}  // namespace abut
