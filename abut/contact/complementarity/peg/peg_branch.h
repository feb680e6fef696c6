// Solves one branch of Peg (peg.h): the step in which given pairs are held apart by given planes.
#pragma once

#include <span>
#include <vector>

#include "abut/contact/complementarity/mixing.h"
#include "abut/contact/complementarity/peg/peg_problem.h"

namespace abut {

class PegBranch {
 public:
  PegBranch(bool relinearizes, PegReport& report) : relinearizes_(relinearizes), report_(report) {}

  // Solves the branch, and says whether its planes part their pairs.
  bool evaluate(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // To first order, from what the start of the step shows.
  void solve_at_start(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // With rows of the end that trial.change leads to: the change that comes of it.
  std::span<const double> solve_at_end(PegScene& scene, PegProblem& problem, const PegTrial& trial);

  // J: the motion to beat; a branch that cannot is given up.
  void set_bound(double motion) { bound_ = motion; }
  bool relinearizes() const { return relinearizes_; }

 private:
  void relinearize(PegScene& scene, PegProblem& problem, PegTrial& trial);
  void settle(PegScene& scene, PegProblem& problem, PegTrial& trial);
  bool find_remote(PegScene& scene, const PegProblem& problem, PegTrial& trial);
  double greatest_shift(const PegScene& scene, const PegProblem& problem, PegTrial& trial);
  bool is_beaten(double motion, double moved) const;
  bool hold_all(PegScene& scene, const PegProblem& problem, PegTrial& trial);
  bool holds(PegScene& scene, const PegChoice& choice, bool pressed);

  const bool relinearizes_;
  PegReport& report_;
  double bound_ = kInfinity;
  Mixing mixing_;
  std::vector<double> next_, difference_, rates_;
};

}  // namespace abut
