// What comes of holding some contacts of features apart: the step is st's with a row for each of
// them. Says which constraints (feature_constraints.h) the end of the step violates, to first order
// (28).
#pragma once

#include <span>
#include <vector>

#include "abut/contact/complementarity/feature_constraints.h"
#include "abut/contact/complementarity/peg_step.h"

namespace abut {

// Where a row of one contact is; for lists of data that TimeStepping takes.
void append_contact(const LocalContact& c, ContactData& out);

class FeatureBranch {
 public:
  explicit FeatureBranch(const Model& model) : model_(model), rows_(model) {}

  struct Verdict {
    bool solved = false;
    double motion = 0;          // J
    std::vector<int> blocked;   // contacts that press where (15) lets them not
    std::vector<int> violated;  // constraints, the one most violated first

    bool holds() const { return solved && blocked.empty() && violated.empty(); }
  };

  void begin(const PegStep& step, const FeatureConstraints& set);
  // `held`: contacts, ascending. `change` is what they add to u_free.
  const Verdict& evaluate(const PegStep& step, const FeatureConstraints& set,
                          std::span<const int> held, TimeStepping& stepping,
                          std::span<double> change);

  // The contacts held last, a patch of one point each.
  const ContactData& data() const { return data_; }
  ContactData& data() { return data_; }
  void hold(const FeatureConstraints& set, std::span<const int> held);
  // m: gaps of all contacts at the end of the step, and how fast they change.
  std::span<const double> gaps() const { return gaps_; }
  std::span<const double> rates() const { return rates_; }
  void find_gaps(const PegStep& step, const FeatureConstraints& set,
                 std::span<const double> change);
  // (15): whether another contact of its I-constraint is open, so that this one must not press.
  bool is_blocked(const PegStep& step, const FeatureConstraints& set, int contact) const;
  double tolerance(const PegStep& step, const LocalContact& c) const;  // m: a gap of less is none

 private:
  double greatest_gap(const FeatureConstraint& c) const;
  void find_blocked(const PegStep& step, const FeatureConstraints& set, std::span<const int> held,
                    const TimeStepping& stepping);
  void find_violated(const PegStep& step, const FeatureConstraints& set);

  const Model& model_;
  ConstraintRows rows_;
  ContactData data_;
  std::vector<double> gaps_, rates_, driven_, u_;
  Verdict verdict_;
};

}  // namespace abut
