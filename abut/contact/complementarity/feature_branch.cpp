#include "abut/contact/complementarity/feature_branch.h"

#include <algorithm>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"

namespace abut {

using Kind = FeatureConstraint::Kind;

void append_contact(const LocalContact& c, ContactData& out) {
  Patch patch;
  patch.geom_a = c.geom_a, patch.geom_b = c.geom_b;
  patch.normal = c.normal;
  patch.distance = c.psi;
  patch.a = c.a, patch.b = c.b;
  patch.begin = out.points.count();
  out.points.add(c.p_A, c.p_B, c.psi, point_id(c.a, c.b));
  patch.end = out.points.count();
  out.patches.push_back(patch);
}

void FeatureBranch::begin(const PegStep& step, const FeatureConstraints& set) {
  const StepMoment& start = step.start;
  const std::span<const LocalContact> contacts = set.contacts();
  rows_.begin(start.d);
  driven_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const LocalContact& c = contacts[i];
    const int body_a = model_.geoms[at(c.geom_a)].body, body_b = model_.geoms[at(c.geom_b)].body;
    const Vec3 p = 0.5 * (c.p_A + c.p_B);
    const int g = rows_.add(1, body_a, body_b);
    rows_.add_point(g, 0, body_b, p, c.normal, 1);
    rows_.add_point(g, 0, body_a, p, c.normal, -1);
    driven_[i] = c.normal.dot(driven_twist(model_, start.input, start.d, body_b, p).lin -
                              driven_twist(model_, start.input, start.d, body_a, p).lin);
  }
  rows_.finish();
}

double FeatureBranch::tolerance(const PegStep& step, const LocalContact& c) const {
  const std::vector<double>& sizes = step.collider.sizes();
  return peg_tolerance::kApart * (sizes[at(c.geom_a)] + sizes[at(c.geom_b)]);
}

// Contacts of one pair follow each other in the list of all, so the order of pairs is kept.
void FeatureBranch::hold(const FeatureConstraints& set, std::span<const int> held) {
  data_.clear();
  for (const int i : held) append_contact(set.contacts()[at(i)], data_);
}

void FeatureBranch::find_gaps(const PegStep& step, const FeatureConstraints& set,
                              std::span<const double> change) {
  u_.resize(step.u_free.size());
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = step.u_free[i] + change[i];
  rates_.resize(set.contacts().size());
  gaps_.resize(set.contacts().size());
  rows_.velocities(u_, rates_);
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    rates_[i] += driven_[i];
    gaps_[i] = set.contacts()[i].psi + step.h * rates_[i];
  }
}

double FeatureBranch::greatest_gap(const FeatureConstraint& c) const {
  double most = -kInfinity;
  for (const std::vector<int>* of : {&c.iota, &c.kappa})
    for (const int k : *of) most = std::max(most, gaps_[at(k)]);
  return most;
}

bool FeatureBranch::is_blocked(const PegStep& step, const FeatureConstraints& set,
                               int contact) const {
  const double open = tolerance(step, set.contacts()[at(contact)]);
  return std::any_of(set.constraints().begin(), set.constraints().end(), [&](const auto& c) {
    return c.kind == Kind::I && std::find(c.iota.begin(), c.iota.end(), contact) != c.iota.end() &&
           greatest_gap(c) > open;
  });
}

void FeatureBranch::find_blocked(const PegStep& step, const FeatureConstraints& set,
                                 std::span<const int> held, const TimeStepping& stepping) {
  for (std::size_t i = 0; i < held.size(); ++i)
    if (stepping.impulses()[i].squaredNorm() > 0 && is_blocked(step, set, held[i]))
      verdict_.blocked.push_back(held[i]);
}

// Equally violated ones in the order of the list, which is that of their features.
void FeatureBranch::find_violated(const PegStep& step, const FeatureConstraints& set) {
  std::vector<double> most(at(set.count()));
  for (int i = 0; i < set.count(); ++i) {
    const FeatureConstraint& c = set.constraints()[at(i)];
    const int any = c.iota.empty() ? c.kappa.front() : c.iota.front();
    const double tolerance_of = tolerance(step, set.contacts()[at(any)]);
    most[at(i)] = greatest_gap(c);
    if (most[at(i)] >= -tolerance_of) continue;
    verdict_.violated.push_back(i);
  }
  std::stable_sort(verdict_.violated.begin(), verdict_.violated.end(),
                   [&](int a, int b) { return most[at(a)] < most[at(b)]; });
}

const FeatureBranch::Verdict& FeatureBranch::evaluate(const PegStep& step,
                                                      const FeatureConstraints& set,
                                                      std::span<const int> held,
                                                      TimeStepping& stepping,
                                                      std::span<double> change) {
  hold(set, held);
  stepping.solve(step.h, step.start, nullptr, data_, step.u_free, change);
  verdict_.blocked.clear();
  verdict_.violated.clear();
  verdict_.motion = stepping.motion();
  verdict_.solved = stepping.report().unsolved == 0;
  if (!verdict_.solved) return verdict_;
  find_gaps(step, set, change);
  find_blocked(step, set, held, stepping);
  find_violated(step, set);
  return verdict_;
}

}  // namespace abut
