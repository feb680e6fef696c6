#include "abut/solve/natural_newton.h"

#include <algorithm>

namespace abut {

namespace {
constexpr int kMostSteps = 12;
constexpr int kMostWorse = 3;
constexpr double kSingular = 1e12;  // condition beyond which the step is damped
}  // namespace

double NaturalNewton::improve(const Mcp& m, VectorX& z, VectorX& w, DenseRows& J) {
  const int n = m.size();
  ls_.resize(n, n);
  which_.resize(n);
  trial_w_.resize(n);
  trial_ = z;
  trial_w_ = w;
  double residual = natural_residual(m, z, w);
  // a step may make it worse for once (a degenerate row changes sides); the best is kept
  double before = residual;
  for (int step = 0, worse = 0; step < kMostSteps && before > 0; ++step) {
    if (!m.linear) m.jacobian(trial_, J);
    for (int i = 0; i < n; ++i) {
      const NaturalRow row = natural_row(m, trial_, trial_w_, i);
      which_[i] = row.which;
      ls_.r[i] = -row.value;
      if (row.which == NaturalCase::inside) {
        ls_.J.row(i) = J.row(i);
        continue;
      }
      ls_.J.row(i).setZero();
      ls_.J(i, i) = 1;
      const int j = m.bounding_row(i);
      if (j >= 0 && trial_[j] > 0)
        ls_.J(i, j) = row.which == NaturalCase::at_hi ? -m.mu[i] : m.mu[i];
    }
    if (!ls_.J.allFinite()) break;
    ls_.factor(n);
    const double smallest = ls_.smallest(), condition = ls_.condition();
    // redundant rows agree near a solution: of all steps that solve them the shortest
    const double damp = condition > kSingular ? 1e-12 * std::max(1.0, smallest * smallest) : 0;
    ls_.solve(damp, step_);
    trial_ += step_;
    for (int i = 0; i < n; ++i) {
      if (m.bounding_row(i) >= 0) continue;
      if (which_[i] == NaturalCase::at_lo) trial_[i] = m.lo[i];
      if (which_[i] == NaturalCase::at_hi) trial_[i] = m.hi[i];
    }
    for (int i = 0; i < n; ++i) {
      const int j = m.bounding_row(i);
      if (j < 0 || which_[i] == NaturalCase::inside) continue;
      const double reach = m.mu[i] * std::max(trial_[j], 0.0);
      trial_[i] = which_[i] == NaturalCase::at_hi ? reach : -reach;
    }
    if (!trial_.allFinite()) break;
    m.value(trial_, trial_w_);
    const double after = natural_residual(m, trial_, trial_w_);
    if (after < residual) {
      z = trial_;
      w = trial_w_;
      residual = after;
    }
    if (!(after < before) && ++worse == kMostWorse) break;
    before = after;
  }
  return residual;
}

}  // namespace abut
