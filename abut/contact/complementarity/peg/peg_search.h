// How Peg (peg.h) takes a step:
//
//   PegDescent       a branch that ends without overlap
//   PegImprovement   the one that moves least
//   PegEndVelocity   the velocity that it ends with
//
// all on the poses of a PegScene, by solving a PegProblem.
#pragma once

#include <span>

#include "abut/contact/complementarity/peg/peg_end_velocity.h"
#include "abut/contact/complementarity/peg/peg_improvement.h"
#include "abut/contact/settings.h"

namespace abut {

class PegSearch {
 public:
  PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider);

  void start_step() { report_ = {}; }
  bool solve(const PegStep& step, TimeStepping& stepping, std::span<double> change);

  const PegProblem& problem() const { return problem_; }
  const PegEndVelocity& end() const { return end_; }
  const PegReport& report() const { return report_; }

 private:
  void begin(const PegStep& step, TimeStepping& stepping);
  bool find_branch();
  void take_last_planes();
  void take_best(std::span<double> change);
  void finish();
  void fall_back(std::span<double> change);

  const Model& model_;
  PegReport report_;
  PegScene scene_;
  PegProblem problem_;
  PegDescent descent_;
  PegImprovement improvement_;
  PegEndVelocity end_;
  PegTrial best_;
  std::vector<double> kept_;
};

}  // namespace abut
