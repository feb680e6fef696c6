// From some planes to a branch that ends without overlap: pairs that overlap get a plane, the
// cheapest first, and planes that do not part their pairs are replaced.
#pragma once

#include <vector>

#include "abut/contact/complementarity/peg/peg_branch.h"
#include "abut/contact/complementarity/peg/peg_options.h"

namespace abut {

class PegDescent {
 public:
  PegDescent(const Model& model, const Collider& collider, bool relinearizes, PegReport& report)
      : branch_(model, relinearizes, report), options_(model, collider) {}

  // False if it does not come to an end.
  bool run(PegScene& scene, PegProblem& problem, PegTrial& trial);
  // With the planes of `trial`, and more for pairs that overlap under these alone. False: it moves
  // more than `most` (J), or some plane does not hold.
  bool try_planes(PegScene& scene, PegProblem& problem, PegTrial& trial, double most);

  PegBranch& branch() { return branch_; }
  PegOptions& options() { return options_; }

 private:
  void find_violated(PegScene& scene, const PegTrial& trial);
  bool stays_deep(PegScene& scene, const Patch& patch, double size) const;
  bool add_violated(PegScene& scene, PegTrial& trial);
  void solve_without_failed(PegScene& scene, PegProblem& problem, PegTrial& trial);
  bool replace_failed(PegScene& scene, PegProblem& problem, PegTrial& trial);
  bool ends_apart(PegScene& scene, const PegChoice& choice);

  PegBranch branch_;
  PegOptions options_;
  std::vector<PegChoice> violated_;
  PegTrial without_;
  ContactData found_;
  std::vector<PairQuery> queries_;
};

}  // namespace abut
