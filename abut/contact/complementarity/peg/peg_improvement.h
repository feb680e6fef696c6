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

  // Of each island all combinations as far as the allowance goes, one pair at a time beyond. False:
  // some that could be better were not tried.
  bool run(PegScene& scene, PegProblem& problem, PegTrial& best);
  // Whether the last problem is that of the best.
  bool is_current() const { return is_current_; }

 private:
  struct Others {  // planes that could do with less motion than that of a pair
    PairKey key = 0;
    std::vector<PegOption> planes;
    int picked = 0;  // 0 keeps the plane of the pair, k takes the k-th of these
  };

  bool improve_island(PegScene& scene, PegProblem& problem, PegTrial& best, int island);
  std::int64_t find_others(PegScene& scene, const PegTrial& best, std::int64_t limit);
  void try_combinations(PegScene& scene, PegProblem& problem, PegTrial& best, std::int64_t count);
  void try_one_by_one(PegScene& scene, PegProblem& problem, PegTrial& best);
  bool pick_planes(double most);
  void try_picked(PegScene& scene, PegProblem& problem, PegTrial& best);
  bool is_better(PegScene& scene, const PegTrial& trial, const PegTrial& best);
  Vec3 first_normal(PegScene& scene, const PegTrial& trial) const;
  std::span<Others> others() { return {others_.data(), others_count_}; }

  PegDescent& descent_;
  std::vector<Others> others_;  // of the pairs of an island
  std::size_t others_count_ = 0;
  PegTrial from_, trial_, island_;
  std::vector<PairKey> firsts_;
  bool is_current_ = false;
};

}  // namespace abut
