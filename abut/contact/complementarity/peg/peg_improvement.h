// Whether other planes than those of a branch would do with less motion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/contact/complementarity/peg/peg_descent.h"

namespace abut {

class PegImprovement {
 public:
  explicit PegImprovement(PegDescent& descent) : descent_(descent) {}

  // All combinations as far as the allowance goes, one pair at a time beyond. False: some that
  // could be better were not tried.
  bool run(PegScene& scene, PegProblem& problem, PegTrial& best);
  // Whether the last problem is that of the best.
  bool is_current() const { return is_current_; }

 private:
  std::int64_t find_others(PegScene& scene, const PegTrial& best, std::int64_t limit);
  void try_combinations(PegScene& scene, PegProblem& problem, PegTrial& best, std::int64_t count);
  void try_one_by_one(PegScene& scene, PegProblem& problem, PegTrial& best);
  void try_picked(PegScene& scene, PegProblem& problem, std::span<const int> picked,
                  PegTrial& best);
  bool is_better(PegScene& scene, const PegTrial& trial, const PegTrial& best);
  Vec3 first_normal(PegScene& scene, const PegTrial& trial) const;

  PegDescent& descent_;
  std::vector<std::vector<PegOption>> others_;  // one list a choice of from_
  PegTrial from_, trial_;
  std::vector<int> picked_, now_;
  bool is_current_ = false;
};

}  // namespace abut
