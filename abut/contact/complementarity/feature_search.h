// Which contacts to hold apart so that all constraints of a step are satisfied (P-N3, P-N8). Each
// of them is a disjunction: some psi >= 0.
//
//   dive   one solution, from no contacts: a constraint that is violated, and has one contact that
//          could satisfy it, gets that; where there are none of these, the constraint most violated
//          gets the contact that is nearest to open. A contact that presses where (15) lets it not
//          is let go for good.
//   least  the solution of least motion: best first over sets of contacts, beginning with none.
//          Motion only grows on the way, so the first set that satisfies everything is the best
//          (without friction; with it, the best but for what friction makes of it).
//
// Contacts that are one and the same plane and point (the corners of cubes that stand on each
// other) are tried once.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "abut/contact/complementarity/feature_branch.h"

namespace abut {

// Of several solutions. first, last: that of the dive which takes, of the contacts that could
// satisfy a constraint, the first or the last of its list; as solvers do that know no motion.
enum class WhichSolution { least, first, last };

class FeatureSearch {
 public:
  static constexpr int kMostBranches = 4096;

  FeatureSearch(const Model& model, WhichSolution which) : which_(which), branch_(model) {}

  // False: no set of contacts was found that satisfies everything.
  bool run(const PegStep& step, const FeatureConstraints& set, TimeStepping& stepping,
           std::span<double> change, PegReport& report);

  FeatureBranch& branch() { return branch_; }
  const FeatureBranch& branch() const { return branch_; }

 private:
  struct Node {
    std::vector<int> held;  // contacts, ascending
    double motion = 0;
    int order = 0;  // of making: equal motion goes to the first
  };
  struct Problem {  // what run() is given
    const PegStep& step;
    const FeatureConstraints& set;
    TimeStepping& stepping;
    std::span<double> change;
    PegReport& report;
  };

  const FeatureBranch::Verdict& evaluate(const Problem& p, const std::vector<int>& held);
  void find_same(const Problem& p);
  bool has(const std::vector<int>& held, int contact) const;
  void find_options(const Problem& p, int constraint, const std::vector<int>& held);
  bool hold_forced(const Problem& p, const std::vector<int>& violated, std::vector<int>& held);
  bool dive(const Problem& p);
  bool hold_next(const Problem& p, const std::vector<int>& violated);
  int preferred(const Problem& p) const;
  bool find_least(const Problem& p);
  void branch_out(const Problem& p, const Node& node, const std::vector<int>& violated);
  static bool is_later(const Node& a, const Node& b);
  void open(Node node);

  const WhichSolution which_;
  FeatureBranch branch_;
  std::vector<int> same_;     // of each contact: the first that is the same
  std::vector<int> options_;  // of one constraint
  std::vector<int> banned_;   // by a dive
  Node best_;
  std::vector<Node> open_;  // a heap
  std::vector<std::vector<int>> seen_;
  int made_ = 0;
};

}  // namespace abut
