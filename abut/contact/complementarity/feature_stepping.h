// lnc and peg-paper: the step with the constraints of Williams, Lu and Trinkle as they are printed,
// with the signs put right (feature_constraints.h; P-E1, P-E2, P-E5, P-N3, P-N4). Gaps are linear
// about the start of the step (28).
//
//   lnc        U and I: a vertex needs to be in front of one of the faces it is near. What it
//              lacks is Fig. 11 d: two bodies may end in each other, each vertex in front of some
//              face (Nguyen's locally non-convex model)
//   peg-paper  X as well
//
// Each constraint is a disjunction: some psi >= 0. The one solution taken is that of least motion:
// best first over sets of contacts held apart, beginning with none; where a constraint is violated,
// one of its contacts is added. Motion only grows on the way, so the first set that satisfies
// everything is the best (without friction; with it, the best but for what friction makes of it).
//
// With `--solver lmmcp` that set is looked for among the solutions of the printed problem (29), by
// LMMCP from 20 random starts (printed_problem.h): the one of least motion that it finds.
//
// Beyond 4,096 sets, or where none does, it falls back and says so: 1 without X, 2 st on all
// contacts that may press, 3 ap on them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/contact/complementarity/feature_constraints.h"
#include "abut/contact/complementarity/peg.h"
#include "abut/contact/complementarity/printed_problem.h"
#include "abut/contact/settings.h"

namespace abut {

// Contacts of features of all pairs that are near, with their constraints; `reach` of each geom
// (m).
void find_feature_constraints(const Model& model, const Derived& d, const ContactData& near,
                              std::span<const double> reach, const FeatureChoice& choice,
                              PlanePair& view, FeatureConstraints& out);

class FeatureStepping {
 public:
  FeatureStepping(const Model& model, const ContactSettings& settings, const Collider& collider);

  void solve(const Peg::Step& step, std::span<const double> reach, TimeStepping& stepping,
             std::span<double> change);

  // For st and ap with `--data features`: the contacts of features of the pairs that are near, each
  // as a patch of its own. `near` may be `out`.
  void find(const Derived& d, const ContactData& near, std::span<const double> reach,
            ContactData& out);

  const ContactData& data() const { return data_; }
  const PegReport& report() const { return report_; }
  const FeatureConstraints& constraints() const { return set_; }
  const PrintedProblem* printed() const { return printed_.get(); }  // null: another solver
  // Gaps (m) of the contacts at the end of the step, to first order.
  std::span<const double> end_gaps() const { return gaps_; }

 private:
  struct Node {
    std::vector<int> held;  // contacts, ascending
    double motion = 0;
    int order = 0;  // of making: equal motion goes to the first
  };
  enum class Outcome { holds, violated, invalid };

  bool search(const Peg::Step& step, TimeStepping& stepping, std::span<double> change);
  bool search_printed(const Peg::Step& step, TimeStepping& stepping, std::span<double> change);
  Outcome evaluate(const Peg::Step& step, TimeStepping& stepping, Node& node,
                   std::span<double> change, int& violated);
  void hold(const std::vector<int>& held);
  void end_gaps(const Peg::Step& step, std::span<const double> change);

  const Model& model_;
  const ContactSettings& settings_;
  PlanePair view_;
  FeatureConstraints set_;
  ConstraintRows rows_;
  ContactData data_;
  std::vector<double> gaps_, driven_, u_;
  std::unique_ptr<PrintedProblem> printed_;  // with lmmcp
  PegReport report_;
};

}  // namespace abut
