#include "abut/solve/pivoting/exchange.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kPatience = 8;  // block exchanges without fewer wrong rows
// fraction of the diagonal: with this shift block exchanges rarely fail
constexpr double kLargestProximal = 1;
constexpr int kMostProximal = 100, kInnerIterations = 50;

}  // namespace

void Exchange::resize(const Problem& p) {
  const int n = p.size();
  for (VectorX* v : {&w_, &root_, &noise_, &step_}) v->resize(n);
  states_.resize(n);
  refused_.assign(n, 0);
  rows_.reserve(n);
  wrong_.reserve(n);
  dependent_.reserve(n);
  dependent_.clear();
  if (symmetric_)
    factor_.reset(n);
  else
    coupled_.resize(n);
  for (int i = 0; i < n; ++i) root_[i] = std::sqrt(std::max((*A_)(i, i), 0.0));
}

// Updates the factor to the rows inside.
void Exchange::update_factor() {
  const int n = static_cast<int>(states_.size());
  int leaving = 0, coming = 0;
  for (int i = 0; i < n; ++i) {
    const bool in = factor_.position(i) >= 0, wanted = states_[i] == RowState::inside;
    leaving += in && !wanted;
    coming += wanted && !in;
  }
  if (6 * leaving > factor_.size() || leaving + coming > factor_.size()) factor_.reset(n);
  // from the end: removing a row changes the rows behind it
  for (int k = factor_.size() - 1; k >= 0; --k)
    if (states_[factor_.rows()[k]] != RowState::inside) factor_.remove(k);
  rows_.clear();
  for (int i = 0; i < n; ++i)
    if (states_[i] == RowState::inside && factor_.position(i) < 0) rows_.push_back(i);
  dependent_.clear();
  factor_.append(*A_, rows_, dependent_);
}

// Computes z and w from the states. Returns false if they are singular.
bool Exchange::solve_states(const Problem& p) {
  const int n = p.size();
  if (!symmetric_) {
    if (!coupled_.solve(p, *A_, b_, states_, z_) || !z_.allFinite()) return false;
    w_.noalias() = *A_ * z_;
    w_ += b_;
    return true;
  }
  update_factor();
  std::fill(refused_.begin(), refused_.end(), 0);
  for (const int i : dependent_) {
    refused_[i] = 1;
    if (!p.is_free(i)) states_[i] = p.lo[i] == -kInfinity ? RowState::at_hi : RowState::at_lo;
  }
  rows_.clear();
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (states_[i] == RowState::inside)
      z_[i] = 0;
    else
      z_[i] = states_[i] == RowState::at_lo ? p.lo[i] : p.hi[i];
    if (z_[i] == 0) continue;
    rows_.push_back(i);
    step_[count++] = z_[i];
  }
  w_ = b_;
  add_rows_of(*A_, rows_, step_.data(), w_.data());
  const auto inside = factor_.rows();
  const int k = factor_.size();
  // the second pass refines: the factor's error beside dependent rows would appear in w
  for (int pass = 0; pass < 2; ++pass) {
    for (int t = 0; t < k; ++t) step_[t] = -w_[inside[t]];
    factor_.solve(step_.data());
    for (int t = 0; t < k; ++t) z_[inside[t]] += step_[t];
    add_rows_of(*A_, inside, step_.data(), w_.data());
  }
  return z_.allFinite();
}

void Exchange::measure_noise(const Problem& p) {
  const int n = p.size();
  double sum = 0;
  if (symmetric_)  // |A_ij| <= sqrt(A_ii A_jj)
    for (int i = 0; i < n; ++i) sum += root_[i] * std::abs(z_[i]);
  for (int i = 0; i < n; ++i) {
    const double terms =
        symmetric_ ? root_[i] * sum : A_->row(i).cwiseAbs().dot(z_.transpose().cwiseAbs());
    noise_[i] = kRowNoise * (std::abs(b_[i]) + terms);
  }
}

void Exchange::find_wrong(const Problem& p) {
  measure_noise(p);
  const double most = z_.cwiseAbs().maxCoeff();
  wrong_.clear();
  for (int i = 0; i < p.size(); ++i) {
    double lo = p.lo[i], hi = p.hi[i];
    if (const int j = p.bound_by[i]; j >= 0) {
      hi = p.mu[i] * std::max(z_[j], 0.0);
      lo = -hi;
    }
    bool wrong = false;
    if (states_[i] == RowState::inside) {
      const double diagonal = root_[i] * root_[i];
      const double much = diagonal > 0 ? noise_[i] / diagonal : kRowNoise * most;
      wrong = z_[i] < lo - much || z_[i] > hi + much;
    } else if (lo < hi) {
      wrong = states_[i] == RowState::at_lo ? w_[i] < -noise_[i] : w_[i] > noise_[i];
    }
    if (wrong) wrong_.push_back(i);
  }
}

Exchange::Outcome Exchange::exchange(const Problem& p, ExchangeRule rule, int most,
                                     Answer& answer) {
  int fewest = p.size() + 1, patience = kPatience;
  for (int iteration = 0; iteration < most; ++iteration) {
    ++answer.iterations;
    if (!solve_states(p)) return Outcome::singular;
    find_wrong(p);
    if (wrong_.empty()) return Outcome::done;
    // not a P-matrix: exchanges one by one need not terminate
    if (rule == ExchangeRule::least_index && !dependent_.empty()) return Outcome::singular;

    const int count = static_cast<int>(wrong_.size());
    bool all = rule != ExchangeRule::least_index;
    if (count < fewest)
      fewest = count, patience = kPatience;
    else if (patience > 0)
      --patience;
    else if (rule == ExchangeRule::block)
      return Outcome::stuck;
    else
      all = false;
    int changed = 0;
    for (const int i : wrong_) {
      if (refused_[i]) continue;
      if (states_[i] != RowState::inside)
        states_[i] = RowState::inside;
      else
        states_[i] = z_[i] < (p.bound_by[i] >= 0 ? 0 : p.lo[i]) ? RowState::at_lo : RowState::at_hi;
      ++changed;
      if (!all) break;
    }
    answer.pivots += changed;
    if (changed == 0) return Outcome::singular;
  }
  return Outcome::stuck;
}

// Projects z to its bounds, keeps it if it is the best so far, and returns its residual.
double Exchange::offer(const Problem& p, Answer& answer) {
  for (int i = 0; i < p.size(); ++i)
    if (p.bound_by[i] < 0) z_[i] = nearest_in(z_[i], p.lo[i], p.hi[i]);
  const double residual = residuals(p, z_, w_, scratch_).relative;
  if (residual < best_) best_ = residual, answer.z = z_;
  return residual;
}

bool Exchange::proximal_points(const Problem& p, ExchangeRule rule, double tolerance, double eps,
                               Answer& answer) {
  const int n = p.size();
  shifted_ = *A_;
  const DenseRows& original = *A_;
  const double most = original.diagonal().cwiseAbs().maxCoeff();
  const auto shift = [&](int i) {
    return root_[i] > 0 ? root_[i] * root_[i] : most > 0 ? most : 1;
  };
  centre_ = answer.z;
  A_ = &shifted_;
  double in_use = 0, least = kLeastProximal;
  for (int round = 0, failures = 0; round < kMostProximal && failures < 8; ++round) {
    if (eps != in_use && symmetric_) factor_.reset(n);
    in_use = eps;
    for (int i = 0; i < n; ++i) {
      shifted_(i, i) = original(i, i) + eps * shift(i);
      b_[i] = p.b[i] - eps * shift(i) * centre_[i];
    }
    if (exchange(p, rule, rule == ExchangeRule::least_index ? 1000 + 100 * n : kInnerIterations + n,
                 answer) != Outcome::done) {
      // too far for the exchanges: smaller steps from now on
      ++failures;
      least = eps *= 4;
      start_states(p, centre_);
      continue;
    }
    if (offer(p, answer) <= 0.01 * tolerance) break;
    centre_ = z_;
    eps = std::max(eps * 0.1, least);
  }
  A_ = &original;
  b_ = p.b;
  if (symmetric_) factor_.reset(n);
  return best_ <= tolerance;
}

void Exchange::start_states(const Problem& p, const VectorX& z) {
  z_ = z;
  for (int i = 0; i < p.size(); ++i) {
    const int j = p.bound_by[i];
    if (j < 0)
      states_[i] = p.is_free(i) ? RowState::inside : state_of(z_[i], p.lo[i], p.hi[i]);
    else if (const double hi = p.mu[i] * std::max(z_[j], 0.0); hi > 0)
      states_[i] = state_of(z_[i], -hi, hi);
    else
      states_[i] = RowState::inside;
  }
}

void Exchange::run(const Problem& p, ExchangeRule rule, int most_iterations, double tolerance,
                   Answer& answer) {
  const int n = p.size();
  if (n == 0) return;
  if (p.A.form() != Matrix::Form::dense) p.A.to_dense(dense_);
  A_ = p.A.form() == Matrix::Form::dense ? &p.A.rows() : &dense_;
  symmetric_ = is_symmetric(*A_) &&
               std::all_of(p.bound_by.begin(), p.bound_by.end(), [](int j) { return j < 0; });
  resize(p);
  b_ = p.b;
  best_ = kInfinity;
  start_states(p, answer.z);
  Outcome outcome = exchange(p, rule, most_iterations, answer);
  if (outcome == Outcome::done && offer(p, answer) <= tolerance) return;
  if (rule == ExchangeRule::block || outcome == Outcome::singular) {
    const double eps = outcome == Outcome::singular ? kLeastProximal : kLargestProximal;
    if (outcome == Outcome::stuck) start_states(p, answer.z);
    if (proximal_points(p, rule, tolerance, eps, answer)) return;
  }
  if (rule == ExchangeRule::block && outcome == Outcome::stuck) {
    start_states(p, answer.z);
    outcome = exchange(p, ExchangeRule::block_then_least, most_iterations, answer);
    if (outcome == Outcome::done) offer(p, answer);
  }
  if (outcome != Outcome::done)
    answer.reason = outcome == Outcome::singular ? "singular states" : "iteration limit";
}

}  // namespace abut
