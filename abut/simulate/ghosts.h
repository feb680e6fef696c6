// Ghost contacts: pairs that push each other without touching. A pair with an impulse in a step
// must end the step at a gap of at most
//
//   kGhostWay |u_rel| h + kGhostSize L
//
// where u_rel is the relative velocity at the contact before the step, and L the pair's size. Pairs
// that bounce are exempt, because they separate. The gap is measured from the poses at the end by
// exact queries, like the overlap.
//
//   abut::Ghosts ghosts(model);
//   int n = ghosts.count(simulator, forces, overlap_measure);
#pragma once

#include "abut/constrain/rows/material.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"
#include "abut/simulate/tolerances.h"

namespace abut {

class Ghosts {
 public:
  explicit Ghosts(const Model& model) : model_(model), materials_(model) {}

  // `forces` are those of the simulator's last step, and `end` has measured the poses after it.
  // Returns 0 under penalty models, whose forces act on overlapping pairs only.
  int count(const Simulator& simulator, const ContactForces& forces, OverlapMeasure& end) const;

 private:
  const Model& model_;
  Materials materials_;
};

}  // namespace abut
