// The velocity that a step of Peg (peg.h, `energy` and `momentum`) ends with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/constrain/stabilize/keep_momentum.h"
#include "abut/contact/complementarity/peg/peg_problem.h"

namespace abut {

class PegEndVelocity {
 public:
  explicit PegEndVelocity(const Model& model) : keeper_(model) {}
  void clear();

  // Velocities at the end of the step with J u >= min(J u', 0), by the rows of the problem that
  // touch: what would part by the curvature of its way alone does not. Wants the last problem to be
  // that of the branch taken, about the end that its change leads to.
  void find(PegScene& scene, PegProblem& problem, std::span<const double> change);

  // v; empty: that of the motion.
  std::span<const double> velocity() const { return velocity_; }
  // What it has beside the impulses, in solver coordinates; or empty.
  std::span<const double> handed() const { return handed_; }
  double handed_momentum() const { return momentum_; }  // N s, in the last find()

 private:
  void find_alone(const PegScene& scene, const PegProblem& problem, std::span<const double> change);
  void restore_momentum(const PegScene& scene, const PegProblem& problem);
  bool find_parting(const Model& model, const PegProblem& problem);
  template <class Fn>
  void for_parting(const Model& model, const Fn& fn) const;
  void keep_touching(const PegScene& scene, PegProblem& problem);

  MomentumKeeper keeper_;
  std::vector<double> u_end_, u_alone_, u_solve_, v_alone_, next_, before_;
  std::vector<double> parting_, fastest_, raised_, gaps_;
  std::vector<char> parts_;         // one a row group
  std::vector<std::uint8_t> kept_;  // one a patch: of islands in which nothing parts
  std::vector<int> parting_trees_;
  std::vector<double> velocity_, handed_;
  double momentum_ = 0;
};

}  // namespace abut
