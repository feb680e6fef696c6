// lnc and peg-paper: the step with the constraints of Williams, Lu and Trinkle as they are printed,
// with the signs put right (feature_constraints.h; P-E1, P-E2, P-E5, P-E13, P-N4). Gaps are linear
// about the start of the step (28).
//
//   lnc        U and I: a vertex needs to be in front of one of the faces it is near. What it
//              lacks is Fig. 11 d: two bodies may end in each other, each vertex in front of some
//              face (Nguyen's locally non-convex model)
//   peg-paper  X as well
//
// Which contacts press is found by a search (feature_search.h). With `--solver lmmcp` it is looked
// for among the solutions of the printed problem (29), by LMMCP from 20 random starts
// (printed_problem.h): the one of least motion that it finds.
//
// Where no set of contacts does, it falls back and says so: 1 without X, 2 st on all contacts that
// may press, 3 ap on them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/contact/complementarity/feature_search.h"
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

  void solve(const PegStep& step, std::span<const double> reach, TimeStepping& stepping,
             std::span<double> change);

  // For st and ap with `--data features`: the contacts of features of the pairs that are near, each
  // as a patch of its own. `near` may be `out`.
  void find(const Derived& d, const ContactData& near, std::span<const double> reach,
            ContactData& out);

  const ContactData& data() const { return search_.branch().data(); }
  const PegReport& report() const { return report_; }
  const FeatureConstraints& constraints() const { return set_; }
  const PrintedProblem* printed() const { return printed_.get(); }  // null: another solver
  // Gaps (m) of the contacts at the end of the step, to first order.
  std::span<const double> end_gaps() const { return search_.branch().gaps(); }

 private:
  void find(const PegStep& step, std::span<const double> reach, Crossings crossings);
  void release_what_parts(const PegStep& step);
  bool look(const PegStep& step, TimeStepping& stepping, std::span<double> change);
  bool look_printed(const PegStep& step, TimeStepping& stepping, std::span<double> change);
  void fall_back(const PegStep& step, TimeStepping& stepping, std::span<double> change);

  const Model& model_;
  const Crossings crossings_;
  FeatureChoice choice_;
  const bool releases_;  // `velocity`
  PlanePair view_;
  FeatureConstraints set_;
  FeatureSearch search_;
  std::unique_ptr<PrintedProblem> printed_;  // with lmmcp
  PegReport report_;
};

}  // namespace abut
