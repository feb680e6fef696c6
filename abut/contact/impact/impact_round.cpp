#include "abut/contact/impact/impact_round.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/impact/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Halvings of the interval in which the factor of all e is searched, where e as given would gain
// energy.
constexpr int kHalvings = 30;

}  // namespace

ImpactRound::ImpactRound(const ContactSettings& settings)
    : law_(settings.law), solvers_(settings.solver, settings.accuracy, settings.iterations) {
  problem_.A.set_blocks();
}

void ImpactRound::solve(ConstraintRows& rows, std::span<const Member> members,
                        std::span<const double> w, bool plastic) {
  assemble(rows, members, w);
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
  work_ = std::min(gain(), 0.0);
  impulses_.assign(w.size(), 0.0);
  int row = 0;
  for (const Member& m : members) {
    const RowGroup& g = rows.groups()[at(m.group)];
    for (int k = 0; k < g.size; ++k) impulses_[at(g.row + k)] = z_[row++];
  }
}

void ImpactRound::assemble(ConstraintRows& rows, std::span<const Member> members,
                           std::span<const double> w) {
  int n = 0;
  for (const Member& m : members) n += rows.groups()[at(m.group)].size;
  problem_.resize(n);
  groups_.clear();
  for (const Member& m : members) groups_.push_back(m.group);
  rows.delassus(groups_, problem_.A.blocks());
  start_.resize(n);
  restitution_.assign(at(n), 0.0);
  int row = 0;
  for (const Member& m : members) {
    const RowGroup& g = rows.groups()[at(m.group)];
    restitution_[at(row)] = m.restitution;
    for (int k = 0; k < g.size; ++k) {
      start_[row + k] = w[at(g.row + k)];
      if (m.contact == nullptr) problem_.set_free(row + k);
    }
    if (m.contact != nullptr && g.size == 3)
      problem_.cones.push_back({row, 3, m.contact->material.friction});
    row += g.size;
  }
}

// With `factor` times each e.
void ImpactRound::solve_with(double factor) {
  problem_.b = start_;
  const int n = static_cast<int>(start_.size());
  if (law_ != RestitutionLaw::poisson) {
    for (int i = 0; i < n; ++i) problem_.b[i] += factor * restitution_[at(i)] * start_[i];
    solve_problem();
    z_ = answer_.z;
    return;
  }
  solve_problem();
  z_ = answer_.z;
  if (factor == 0) return;
  for (int i = 0; i < n; ++i) z_[i] *= 1 + factor * restitution_[at(i)];
  problem_.A.multiply(z_, problem_.b);
  problem_.b += start_;
  solve_problem();
  z_ += answer_.z;
}

void ImpactRound::solve_problem() {
  answer_.z.setZero(start_.size());
  Solver& solver = solvers_.round(problem_);
  solver.options.warm_start = false;
  solver.solve(problem_, answer_);
}

// p . (w- + w+) / 2; what rounding makes of an exact zero is none.
double ImpactRound::gain() {
  problem_.A.multiply(z_, Az_);
  const double lost = z_.dot(start_), back = 0.5 * z_.dot(Az_);
  return lost + back <= kNoWork * std::abs(lost) ? std::min(lost + back, 0.0) : lost + back;
}

}  // namespace abut
