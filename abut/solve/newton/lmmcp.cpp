#include "abut/solve/newton/lmmcp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "abut/math/random.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

// Parameters of Kanzow and Petra; see the header.
constexpr double kLambda1 = 0.1, kLambda2 = 0.9;
// 1/2 |Phi|^2 of a solution
constexpr double kEnough = 0.5 * std::numeric_limits<double>::epsilon();
constexpr int kPhaseOneSteps = 20;
constexpr double kFirstBox = 5, kSmallestBox = 1, kGrow = 2, kShrink = 0.5;
constexpr double kGoodStep = 0.95, kBadStep = 5 * kGoodStep;
constexpr double kShorten = 0.55;
constexpr int kMonotone = 5, kMemory = 10, kWatchdog = 20;
// Our addition: a start that has not reduced its best value by a tenth in this many steps stagnates
// at a minimum at a kink, and is given up.
constexpr int kPatience = 60;
constexpr int kTryToFinish = 20;  // steps between two attempts
constexpr double kProgress = 0.9;

}  // namespace

void Lmmcp::resize(int n) {
  if (z_.size() == n) return;
  J_.resize(n, n);
  ls_.resize(2 * n, n);
  for (VectorX* v : {&z_, &w_, &gradient_, &step_, &trial_, &trial_w_, &best_, &start_})
    v->resize(n);
}

// 1/2 |Phi|^2
double Lmmcp::merit(const Mcp& m, const VectorX& z, VectorX& w) const {
  m.value(z, w);
  double sum = 0;
  for (int i = 0; i < m.size(); ++i) {
    double lo, hi;
    bounds_at(m, z, i, lo, hi);
    const double phi = kLambda1 * fischer_row(z[i], w[i], lo, hi, 0, 0).value;
    const double gap = kLambda2 * gap_row(z[i], w[i], lo, hi).value;
    sum += phi * phi + gap * gap;
  }
  return 0.5 * sum;
}

int Lmmcp::fill_rows(const Mcp& m) {
  const int n = m.size();
  if (!m.linear) m.jacobian(z_, J_);
  fischer_rows(m, z_, w_, J_, direction_, rows_);
  int count = 0;
  const auto add = [&](int i, const RowMap& row, double weight) {
    ls_.J.row(count) = (weight * row.dw) * J_.row(i);
    ls_.J(count, i) += weight * row.dz;
    if (const int j = m.bounding_row(i); j >= 0)
      ls_.J(count, j) += weight * m.mu[i] * (row.dhi - row.dlo);
    ls_.r[count] = -weight * row.value;
    ++count;
  };
  for (int i = 0; i < n; ++i) {
    add(i, rows_[i], kLambda1);
    double lo, hi;
    bounds_at(m, z_, i, lo, hi);
    // rows of zeros, which most are near a solution, are left out to save time
    const RowMap gap = gap_row(z_[i], w_[i], lo, hi);
    if (gap.dz != 0 || gap.dw != 0) add(i, gap, kLambda2);
  }
  gradient_.noalias() = -(ls_.J.topRows(count).transpose() * ls_.r.head(count));
  return count;
}

void Lmmcp::step(const Mcp& m, double mu_if_singular) {
  ls_.factor(fill_rows(m));
  if (!(ls_.condition() <= kLmmcpSingular))
    ls_.solve(mu_if_singular, step_);
  else
    ls_.solve(ls_.smallest() < kLmmcpMuMatters ? kLmmcpMu : 0, step_);
}

void Lmmcp::phase_one(const Mcp& m, LmmcpResult& result) {
  double box = kFirstBox;
  for (int k = 1; k <= kPhaseOneSteps && result.iterations < options.most_iterations; ++k) {
    if (psi_ <= kEnough || !std::isfinite(psi_)) return;
    step(m, kLmmcpMuPhaseOne / (k + 1));
    if (!step_.allFinite() || step_.norm() == 0) return;
    for (int i = 0; i < m.size(); ++i) {
      const bool plain = m.bounding_row(i) < 0;
      const double down = plain ? std::max(std::min(m.lo[i] - z_[i], 0.0), -box) : -box;
      const double up = plain ? std::min(std::max(m.hi[i] - z_[i], 0.0), box) : box;
      z_[i] += std::min(std::max(step_[i], down), up);
    }
    const double before = std::sqrt(psi_);
    psi_ = merit(m, z_, w_);
    ++result.iterations;
    if (std::sqrt(psi_) <= kGoodStep * before)
      box = std::max(kSmallestBox, kGrow * box);
    else if (std::sqrt(psi_) > kBadStep * before)
      box = std::max(kSmallestBox, kShrink * box);
  }
}

void Lmmcp::phase_two(const Mcp& m, LmmcpResult& result) {
  std::array<double, kMemory> memory;
  memory.fill(0);  // psi is never negative
  memory[0] = psi_;
  double allowed = psi_, best_psi = psi_;
  best_ = z_;
  int best_at = 0, progress_at = 0;
  double progress_from = psi_;
  for (int k = 1; result.iterations < options.most_iterations; ++k) {
    if (psi_ <= kEnough || !std::isfinite(psi_)) break;
    step(m, kLmmcpMuPhaseTwo / (result.iterations + 1));
    ++result.iterations;
    if (k % kTryToFinish == 0 && finish(m, result)) return;
    if (gradient_.norm() <= kStationaryPoint * std::sqrt(2 * psi_)) break;
    double slope = gradient_.dot(step_);
    if (!(slope < 0) || !step_.allFinite()) {
      step_ = -gradient_;
      slope = -gradient_.squaredNorm();
    }
    double t = 1, psi;
    for (;; t *= kShorten) {
      trial_ = z_ + t * step_;
      psi = merit(m, trial_, trial_w_);
      if (psi <= allowed + kArmijo * t * slope || t <= kShortestStep) break;
    }
    if (t <= kShortestStep) break;  // no lower point
    z_ = trial_;
    w_ = trial_w_;
    psi_ = psi;
    memory[k % kMemory] = psi_;
    allowed = k <= kMonotone ? psi_ : *std::max_element(memory.begin(), memory.end());
    if (psi_ < best_psi) {
      best_psi = psi_;
      best_ = z_;
      best_at = k;
    } else if (k - best_at > kWatchdog) {
      z_ = best_;
      allowed = psi_ = merit(m, z_, w_);
      best_at = k;
    }
    if (best_psi <= kProgress * progress_from) {
      progress_from = best_psi;
      progress_at = k;
    } else if (k - progress_at > kPatience) {
      break;
    }
  }
  if (best_psi < psi_ || !std::isfinite(psi_)) {
    z_ = best_;
    psi_ = merit(m, z_, w_);
  }
}

bool Lmmcp::finish(const Mcp& m, LmmcpResult& result) {
  finish_ = z_;
  finish_w_ = w_;
  const double natural = natural_.improve(m, finish_, finish_w_, J_);
  if (!(natural <= options.tolerance)) return false;
  z_ = finish_;
  w_ = finish_w_;
  result.natural = natural;
  return result.solved = true;
}

LmmcpResult Lmmcp::solve_from(const Mcp& m, VectorX& z) {
  LmmcpResult result;
  result.starts = 1;
  resize(m.size());
  if (m.size() == 0) {
    result.solved = true;
    result.natural = 0;
    return result;
  }
  z_ = z;
  project_to_bounds(m, z_);
  z = z_;
  if (m.linear) m.jacobian(z_, J_);
  psi_ = merit(m, z_, w_);
  phase_one(m, result);
  if (!finish(m, result) && !(psi_ <= kEnough)) {
    z_ = z;
    psi_ = merit(m, z_, w_);
    phase_two(m, result);
  }
  if (!result.solved) {
    result.natural = natural_.improve(m, z_, w_, J_);
    result.solved = result.natural <= options.tolerance;
  }
  z = z_;
  return result;
}

// A random point within the bounds: up to `width` above lo or below hi, anywhere between two
// bounds, within `width` of 0 if free. Solutions of a scaled problem are about 1; starts 10 and 30
// times as far out succeed more often (PEG's triangles: 60 of 100, width 1: 35, width 0.1: 5).
void Lmmcp::random_start(const Mcp& m, int number, VectorX& z) const {
  constexpr double kWidth[] = {30, 10, 1};
  const double width = kWidth[number % 3];
  // each start has its own random stream, independent of the others
  SplitMix random(SplitMix(options.seed).bits() + static_cast<std::uint64_t>(number));
  for (int i = 0; i < m.size(); ++i) {
    const double u = random.uniform(0, 1);
    const bool has_lo = m.lo[i] > -kInfinity, has_hi = m.hi[i] < kInfinity;
    if (m.bounding_row(i) >= 0 || (!has_lo && !has_hi))
      z[i] = (2 * u - 1) * width;
    else if (has_lo && has_hi)
      z[i] = m.lo[i] + u * (m.hi[i] - m.lo[i]);
    else
      z[i] = has_lo ? m.lo[i] + u * width : m.hi[i] - u * width;
  }
}

LmmcpResult Lmmcp::solve(const Mcp& m, VectorX& z) {
  start_ = z;
  LmmcpResult all;
  for (int number = 0; number <= options.starts && !all.solved; ++number) {
    if (number > 0) random_start(m, number, start_);
    const LmmcpResult one = solve_from(m, start_);
    if (number == 0 || one.natural < all.natural) {
      z = start_;
      all.natural = one.natural;
      all.solved = one.solved;
    }
    all.iterations += one.iterations;
    ++all.starts;
  }
  return all;
}

std::vector<VectorX> Lmmcp::solutions(const Mcp& m, const VectorX& z, double apart) {
  std::vector<VectorX> found;
  start_ = z;
  for (int number = 0; number <= options.starts; ++number) {
    if (number > 0) random_start(m, number, start_);
    if (!solve_from(m, start_).solved) continue;
    const auto same = [&](const VectorX& other) {
      return (other - start_).cwiseAbs().maxCoeff() <= apart * (1 + start_.cwiseAbs().maxCoeff());
    };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(start_);
  }
  return found;
}

std::vector<VectorX> lmmcp_solutions(const Problem& problem, const LmmcpOptions& options,
                                     double apart) {
  if (!problem.cones.empty()) throw std::invalid_argument("lmmcp does not take cones");
  ScaledProblem scaled;
  scaled.assign(problem);
  Lmmcp lmmcp;
  lmmcp.options = options;
  const int n = problem.size();
  if (n > 0) lmmcp.options.tolerance *= 1 + problem.b.cwiseAbs().maxCoeff();
  std::vector<VectorX> found = lmmcp.solutions(scaled.mcp(), VectorX::Zero(n), apart);
  for (VectorX& z : found) scaled.to_user(z);
  return found;
}

namespace {

class LmmcpSolver final : public Solver {
 public:
  const SolverInfo& info() const override { return lmmcp_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (problem.size() == 0) return;
    scaled_.assign(problem);
    LmmcpOptions& o = lmmcp_.options;
    // slightly below, because the residual is computed again in other units
    o.tolerance = 0.99 * options.tolerance * (1 + problem.b.cwiseAbs().maxCoeff());
    o.most_iterations = options.most_iterations > 0 ? options.most_iterations : 500;
    o.starts = options.starts;
    o.seed = options.seed;
    scaled_.to_scaled(answer.z);
    const LmmcpResult result = lmmcp_.solve(scaled_.mcp(), answer.z);
    scaled_.to_user(answer.z);
    answer.iterations = result.iterations;
    answer.starts = result.starts;
    if (!result.solved) answer.reason = "no start led to a solution";
  }

 private:
  ScaledProblem scaled_;
  Lmmcp lmmcp_;
};

}  // namespace

const SolverInfo& lmmcp_info() {
  static const SolverInfo info{
      "lmmcp",
      "Kanzow and Petra's Levenberg-Marquardt method, both phases, from several starts",
      "P and positive semidefinite matrices: a solution where there is one; friction and other "
      "matrices: nearly always, by the number of starts; never proves that there is none",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      MatrixClass::p_matrix | MatrixClass::semidefinite,
      bit(Matrix::Form::dense),
      true};
  return info;
}

std::unique_ptr<Solver> make_lmmcp() { return std::make_unique<LmmcpSolver>(); }

}  // namespace abut
