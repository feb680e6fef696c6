// Solves one branch of Peg (peg.h): the step in which given pairs are held apart by given planes.
#pragma once

#include <span>
#include <vector>

#include "abut/contact/complementarity/mixing.h"
#include "abut/contact/complementarity/peg/peg_islands.h"
#include "abut/contact/complementarity/peg/peg_problem.h"

namespace abut {

class PegBranch {
 public:
  PegBranch(const Model& model, bool relinearizes, PegReport& report)
      : relinearizes_(relinearizes), report_(report), islands_(model) {}

  // Solves the branch, and says whether its planes part their pairs: the islands in which something
  // is fresh, one after the other.
  bool evaluate(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // All of it, in one problem.
  bool evaluate_whole(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // Whether the last problem was that of all pairs of the branch.
  bool shows_whole() const { return shows_whole_; }
  // To first order, from what the start of the step shows.
  void solve_at_start(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // With rows of the end that trial.about leads to: the change that comes of it.
  std::span<const double> solve_at_end(PegScene& scene, PegProblem& problem, const PegTrial& trial);

  // J: the motion to beat; a branch that cannot is given up.
  void set_bound(double motion) { bound_ = motion; }
  bool relinearizes() const { return relinearizes_; }
  const PegIslands& islands() const { return islands_; }

 private:
  bool evaluate_part(PegScene& scene, PegProblem& problem, PegTrial& part);
  bool evaluate_island(PegScene& scene, PegProblem& problem, PegTrial& trial, int island);
  void relinearize(PegScene& scene, PegProblem& problem, PegTrial& trial);
  void settle(PegScene& scene, PegProblem& problem, PegTrial& trial);
  bool find_remote(PegScene& scene, const PegProblem& problem, PegTrial& trial);
  double greatest_shift(const PegScene& scene, const PegProblem& problem, PegTrial& trial);
  bool is_beaten(double motion, double moved) const;
  bool hold_all(PegScene& scene, const PegProblem& problem, PegTrial& trial);
  bool holds(PegScene& scene, const PegChoice& choice, bool pressed);

  const bool relinearizes_;
  PegReport& report_;
  PegIslands islands_;
  double bound_ = kInfinity;
  double left_ = kInfinity;  // J: of the bound, for the part that is solved
  bool shows_whole_ = false;
  bool settled_ = false;  // gaps of the part are what they seem
  int restless_ = 0;      // of its choices: whose contacts moved most in the last iteration
  PegTrial part_;
  Mixing mixing_;
  std::vector<double> next_, difference_, rates_;
};

}  // namespace abut
