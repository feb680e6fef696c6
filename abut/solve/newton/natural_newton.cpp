#include "abut/solve/newton/natural_newton.h"

#include <algorithm>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {
constexpr int kMostSteps = 12;
constexpr int kMostWorse = 3;
}  // namespace

// Computes `next` from trial_, with the rows at a bound set exactly. Returns the residual.
double NaturalNewton::take_step(const Mcp& m, double damping, VectorX& next, VectorX& next_w) {
  const int n = m.size();
  ls_.solve(damping, step_);
  next = trial_ + step_;
  for (int i = 0; i < n; ++i) {
    if (m.bounding_row(i) >= 0) continue;
    if (which_[i] == NaturalCase::at_lo) next[i] = m.lo[i];
    if (which_[i] == NaturalCase::at_hi) next[i] = m.hi[i];
  }
  for (int i = 0; i < n; ++i) {
    const int j = m.bounding_row(i);
    if (j < 0 || which_[i] == NaturalCase::inside) continue;
    const double reach = m.mu[i] * std::max(next[j], 0.0);
    next[i] = which_[i] == NaturalCase::at_hi ? reach : -reach;
  }
  if (!next.allFinite()) return kInfinity;
  next_w.resize(n);
  m.value(next, next_w);
  return natural_residual(m, next, next_w);
}

double NaturalNewton::improve(const Mcp& m, VectorX& z, VectorX& w, DenseRows& J) {
  const int n = m.size();
  ls_.resize(n, n);
  which_.resize(n);
  trial_w_.resize(n);
  trial_ = z;
  trial_w_ = w;
  double residual = natural_residual(m, z, w);
  // a step may be worse once (a degenerate row changes sides); the best point is kept
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
    // redundant rows agree near a solution: take a short step of all that solve them. Too much
    // damping leaves part of the residual, too little follows rounding; the better one is taken
    const bool singular = ls_.condition() > kNaturalSingular;
    double after = take_step(m, singular ? kNaturalDamping[0] : 0, next_, next_w_);
    if (singular && after > 0) {
      const double other = take_step(m, kNaturalDamping[1], other_, other_w_);
      if (other < after) {
        after = other;
        next_.swap(other_);
        next_w_.swap(other_w_);
      }
    }
    if (after == kInfinity) break;
    trial_.swap(next_);
    trial_w_.swap(next_w_);
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
