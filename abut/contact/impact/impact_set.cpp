#include "abut/contact/impact/impact_set.h"

#include <algorithm>
#include <cmath>

#include "abut/dynamics/bias.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Halvings of the interval in which the factor of all e is searched, where e as given would gain
// energy.
constexpr int kHalvings = 30;
// Approaches that differ by no more than this part are the same (sequential).
constexpr double kSameTime = 1e-9;

}  // namespace

double bounce_speed(double e, double a, double h) {
  return e > 0 ? a * h * std::clamp(2 * (1 - e) / e, 0.5, 2.0) : kInfinity;
}

ImpactSet::ImpactSet(const Model& model, const ContactSettings& settings)
    : model_(model),
      settings_(settings),
      contacts_(model),
      joints_(model),
      rows_(model),
      solvers_(settings.solver, settings.accuracy, settings.iterations) {
  problem_.A.set_blocks();
}

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
  contacts_.build(
      data, input, d, settings_.friction == FrictionKind::none, rows_,
      [&](const Patch& patch, int i) { return data.points.psi[at(i)] <= touch * size_of(patch); });
  slow_.clear();
  for (const Contact& c : contacts_.contacts())
    slow_.push_back(1e-6 * gravity(model_).norm() * h_ +
                    1e-12 * size_of(data.patches[at(c.patch)]) / h_);
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
      picked_.assign(groups.begin(), groups.end());
      solve_round(true);
      apply(u);
      break;
    }
    solve_round(false);
    apply(u);
  }
  rounds_ = std::max(rounds_, round);
}

// The groups of the next round; false: nothing approaches.
bool ImpactSet::pick(std::span<const int> groups) {
  picked_.clear();
  double fastest = 0;
  for (const int g : groups) {
    fastest = std::max(fastest, approach(g));
    if (approach(g) >= 0) picked_.push_back(g);
  }
  if (fastest > 0 && settings_.law == RestitutionLaw::sequential) pick_fastest(fastest);
  return fastest > 0;
}

// Leaves the contacts of the pairs that approach fastest, and the joints.
void ImpactSet::pick_fastest(double fastest) {
  std::fill(fastest_.begin(), fastest_.end(), 0.0);
  for (const int g : picked_)
    if (const Contact* c = contact_of(g))
      fastest_[at(c->patch)] = std::max(fastest_[at(c->patch)], approach(g));
  std::erase_if(picked_, [&](int g) {
    const Contact* c = contact_of(g);
    return c != nullptr && fastest_[at(c->patch)] < (1 - kSameTime) * fastest;
  });
}

void ImpactSet::assemble() {
  int n = 0;
  for (const int g : picked_) n += rows_.groups()[at(g)].size;
  problem_.resize(n);
  rows_.delassus(picked_, problem_.A.blocks());
  start_.resize(n);
  int row = 0;
  for (const int index : picked_) {
    const RowGroup& g = rows_.groups()[at(index)];
    const Contact* c = contact_of(index);
    for (int k = 0; k < g.size; ++k) {
      start_[row + k] = w_[at(g.row + k)];
      if (c == nullptr) problem_.set_free(row + k);
    }
    if (c != nullptr && g.size == 3) problem_.cones.push_back({row, 3, c->material.friction});
    row += g.size;
  }
}

void ImpactSet::solve_round(bool plastic) {
  assemble();
  solve_with(plastic ? 0 : 1);
  if (!plastic && gain() > 0) {
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      solve_with(middle);
      (gain() > 0 ? high : low) = middle;
    }
    solve_with(low);
  }
  work_ += std::min(gain(), 0.0);
  round_.assign(w_.size(), 0.0);
  int row = 0;
  for (const int index : picked_) {
    const RowGroup& g = rows_.groups()[at(index)];
    for (int k = 0; k < g.size; ++k) round_[at(g.row + k)] = z_[row++];
  }
}

// With `factor` times each e.
void ImpactSet::solve_with(double factor) {
  const auto for_each_normal = [&](auto&& f) {
    int row = 0;
    for (const int index : picked_) {
      if (bounces(index)) f(row, factor * contact_of(index)->material.restitution);
      row += rows_.groups()[at(index)].size;
    }
  };
  b_ = start_;
  if (settings_.law != RestitutionLaw::poisson) {
    for_each_normal([&](int row, double e) { b_[row] += e * start_[row]; });
    solve(b_, z_);
    return;
  }
  solve(b_, z_);
  if (factor == 0) return;
  for_each_normal([&](int row, double e) { z_[row] *= 1 + e; });
  problem_.A.multiply(z_, b_);
  b_ += start_;
  solve(b_, z_more_);
  z_ += z_more_;
}

void ImpactSet::solve(const VectorX& b, VectorX& z) {
  problem_.b = b;
  answer_.z.setZero(b.size());
  Solver& solver = solvers_.round(problem_);
  solver.options.warm_start = false;
  solver.solve(problem_, answer_);
  z = answer_.z;
}

// p . (w- + w+) / 2; what rounding makes of an exact zero is none.
double ImpactSet::gain() {
  problem_.A.multiply(z_, Az_);
  const double lost = z_.dot(start_), back = 0.5 * z_.dot(Az_);
  return lost + back <= 1e-12 * std::abs(lost) ? std::min(lost + back, 0.0) : lost + back;
}

void ImpactSet::apply(std::span<double> u) {
  rows_.add_impulses(round_, u);
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += round_[i];
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
