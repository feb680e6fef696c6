#include "abut/contact/impact/impact_set.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/impact/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/math/index.h"

namespace abut {

double bounce_speed(double e, double a, double h) {
  return e > 0 ? a * h * std::clamp(2 * (1 - e) / e, 0.5, 2.0) : kInfinity;
}

ImpactSet::ImpactSet(const Model& model, const ContactSettings& settings)
    : model_(model),
      law_(settings.law),
      frictionless_(settings.friction == FrictionKind::none),
      contacts_(model),
      joints_(model),
      rows_(model),
      round_(settings) {}

bool ImpactSet::resolve(double h, double touch, const ContactData& data,
                        std::span<const double> sizes, const State& state, const Input& input,
                        const Derived& d, std::span<double> u, std::span<const double> slowest) {
  h_ = h;
  slowest_ = slowest;
  work_ = 0;
  rounds_ = 0;
  exhausted_ = false;
  impulses_.clear();
  build(touch, data, sizes, state, input, d);
  if (contacts_.contacts().empty()) return false;
  measure(u);
  const int count = static_cast<int>(rows_.groups().size());
  bool any = false;
  for (int g = 0; g < count; ++g) any = any || bounces(g);
  if (!any) return false;

  rows_.finish();
  islands_.find(rows_.groups(), static_cast<int>(model_.trees.size()));
  p_.assign(w_.size(), 0.0);
  fastest_.resize(data.patches.size());
  for (int i = 0; i < islands_.count(); ++i) {
    const std::span<const int> groups = islands_.groups(i);
    if (std::any_of(groups.begin(), groups.end(), [&](int g) { return bounces(g); }))
      strike(groups, u);
  }
  note_impulses();
  return true;
}

void ImpactSet::build(double touch, const ContactData& data, std::span<const double> sizes,
                      const State& state, const Input& input, const Derived& d) {
  const auto size_of = [&](const Patch& p) { return sizes[at(p.geom_a)] + sizes[at(p.geom_b)]; };
  rows_.begin(d);
  joints_.add(state, input, d, rows_);
  contacts_.build(data, input, d, frictionless_, rows_, [&](const Patch& patch, int i) {
    return data.points.psi[at(i)] <= touch * size_of(patch);
  });
  slow_.clear();
  for (const Contact& c : contacts_.contacts())
    slow_.push_back(
        slowest_approach(gravity(model_).norm(), size_of(data.patches[at(c.patch)]), h_));
}

void ImpactSet::measure(std::span<const double> u) {
  w_.resize(at(rows_.rows()));
  rows_.velocities(u, w_);
  const std::span<const double> driven = joints_.driven();
  for (std::size_t i = 0; i < driven.size(); ++i) w_[i] += driven[i];
  for (const Contact& c : contacts_.contacts()) {
    const RowGroup& g = rows_.groups()[at(c.group)];
    for (int k = 0; k < g.size; ++k) w_[at(g.row + k)] += c.driven[k];
  }
}

// Joints come first, then the contacts in their order.
const Contact* ImpactSet::contact_of(int group) const {
  const int index = group - joints_.groups();
  return index < 0 ? nullptr : &contacts_.contacts()[at(index)];
}

double ImpactSet::approach(int group) const {
  if (contact_of(group) == nullptr) return 0;
  const double v = -w_[at(rows_.groups()[at(group)].row)];
  return std::abs(v) <= slow_[at(group - joints_.groups())] ? 0 : v;
}

bool ImpactSet::bounces(int group) const {
  const Contact* c = contact_of(group);
  if (c == nullptr || !(approach(group) > 0)) return false;
  return approach(group) > (slowest_.empty()
                                ? bounce_speed(c->material.restitution, gravity(model_).norm(), h_)
                                : slowest_[at(c->patch)]);
}

// All rounds of an island.
void ImpactSet::strike(std::span<const int> groups, std::span<double> u) {
  const int most = kRounds + 4 * static_cast<int>(groups.size());
  int round = 0;
  for (; pick(groups); ++round) {
    if (round == most) {
      exhausted_ = true;
      members_.clear();
      for (const int g : groups) add(g);
      solve_round(true, u);
      break;
    }
    solve_round(false, u);
  }
  rounds_ = std::max(rounds_, round);
}

void ImpactSet::add(int group) {
  const Contact* c = contact_of(group);
  members_.push_back({group, c, bounces(group) ? c->material.restitution : 0});
}

// The members of the next round; false: nothing approaches.
bool ImpactSet::pick(std::span<const int> groups) {
  members_.clear();
  double fastest = 0;
  for (const int g : groups) {
    fastest = std::max(fastest, approach(g));
    if (approach(g) >= 0) add(g);
  }
  if (fastest > 0 && law_ == RestitutionLaw::sequential) pick_fastest(fastest);
  return fastest > 0;
}

// Leaves the contacts of the pairs that approach fastest, and the joints.
void ImpactSet::pick_fastest(double fastest) {
  std::fill(fastest_.begin(), fastest_.end(), 0.0);
  for (const ImpactRound::Member& m : members_)
    if (m.contact != nullptr)
      fastest_[at(m.contact->patch)] = std::max(fastest_[at(m.contact->patch)], approach(m.group));
  std::erase_if(members_, [&](const ImpactRound::Member& m) {
    return m.contact != nullptr && fastest_[at(m.contact->patch)] < (1 - kSameMoment) * fastest;
  });
}

void ImpactSet::solve_round(bool plastic, std::span<double> u) {
  round_.solve(rows_, members_, w_, plastic);
  work_ += round_.work();
  rows_.add_impulses(round_.impulses(), u);
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += round_.impulses()[i];
  measure(u);
}

void ImpactSet::note_impulses() {
  for (const Contact& c : contacts_.contacts()) {
    const RowGroup& g = rows_.groups()[at(c.group)];
    if (!(p_[at(g.row)] > 0)) continue;
    Vec3 force = Vec3::Zero();
    for (int k = 0; k < g.size; ++k) force += p_[at(g.row + k)] * c.frame.col(k);
    impulses_.push_back({.patch = c.patch, .position = c.position, .force = force});
  }
}

}  // namespace abut
