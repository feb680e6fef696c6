#include "abut/solve/newton/fischer_burmeister.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "abut/solve/newton/fischer_function.h"
#include "abut/solve/newton/natural_newton.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostIterations = 200;
// 1/2 |phi|^2 at which the natural map takes over. If that does not reach the tolerance, it is
// tried again whenever 1/2 |phi|^2 has fallen by kFbMore.
constexpr double kEnough = 0.5 * std::numeric_limits<double>::epsilon();
// a descent that has not reduced 1/2 |phi|^2 by a tenth in this many steps stagnates
constexpr int kPatience = 15;
constexpr double kProgress = 0.9;
// the proximal rounds
constexpr int kRounds = 8, kRoundIterations = 30;
constexpr double kWeaker = 0.1;
constexpr double kShorten = 0.5;

class FischerBurmeister final : public Solver {
 public:
  FischerBurmeister() {
    near_.linear = true;
    near_.value = [this](const VectorX& z, VectorX& w) {
      scaled_.mcp().value(z, w);
      w += pull_ * (z - anchor_);
    };
    near_.jacobian = [this](const VectorX& z, DenseRows& J) {
      scaled_.mcp().jacobian(z, J);
      J.diagonal().array() += pull_;
    };
  }
  const SolverInfo& info() const override { return fb_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override;

 private:
  void resize(int n);
  double merit(const Mcp& m, const VectorX& z, VectorX& w, VectorX& phi) const;
  void build_jacobian(const Mcp& m);
  bool newton_step();
  void damped_step(double mu);
  bool goes_down() const;
  // Moves z_ along step_; false: no lower point.
  bool line_search(const Mcp& m);
  // From z_ until enough_, a minimum, or `most` iterations.
  void descend(const Mcp& m, int most, Answer& answer);
  double finish(const Mcp& m);

  ScaledProblem scaled_;
  DenseRows J_;
  Eigen::MatrixXd H_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  LeastSquares ls_;
  NaturalNewton natural_;
  std::vector<RowMap> rows_;
  VectorX z_, w_, phi_, gradient_, step_, direction_;
  VectorX trial_, trial_w_, trial_phi_, finish_, finish_w_;
  double psi_ = 0, enough_ = 0;
  // w + pull (z - anchor): Rockafellar's proximal point
  Mcp near_;
  VectorX anchor_;
  double pull_ = 0;
};

void FischerBurmeister::resize(int n) {
  if (z_.size() == n) return;
  J_.resize(n, n);
  H_.resize(n, n);
  ls_.resize(n, n);
  for (VectorX* v : {&z_, &w_, &phi_, &gradient_, &step_, &trial_, &trial_w_, &trial_phi_})
    v->resize(n);
}

// 1/2 |phi|^2
double FischerBurmeister::merit(const Mcp& m, const VectorX& z, VectorX& w, VectorX& phi) const {
  m.value(z, w);
  for (int i = 0; i < m.size(); ++i) {
    double lo, hi;
    bounds_at(m, z, i, lo, hi);
    phi[i] = fischer_row(z[i], w[i], lo, hi, 0, 0).value;
  }
  return 0.5 * phi.squaredNorm();
}

void FischerBurmeister::build_jacobian(const Mcp& m) {
  fischer_rows(m, z_, w_, J_, direction_, rows_);
  for (int i = 0; i < m.size(); ++i) {
    H_.row(i) = rows_[i].dw * J_.row(i);
    H_(i, i) += rows_[i].dz;
    if (const int j = m.bounding_row(i); j >= 0)
      H_(i, j) += m.mu[i] * (rows_[i].dhi - rows_[i].dlo);
  }
}

bool FischerBurmeister::newton_step() {
  lu_.compute(H_);
  if (!(lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
  step_ = lu_.solve(phi_);
  step_ = -step_;
  if (!step_.allFinite()) return false;
  trial_w_ = phi_;
  trial_w_.noalias() += H_ * step_;
  return trial_w_.norm() <= kFbSolved * phi_.norm();
}

void FischerBurmeister::damped_step(double mu) {
  ls_.J = H_;
  ls_.r = -phi_;
  ls_.factor(static_cast<int>(phi_.size()));
  ls_.solve(mu, step_);
}

bool FischerBurmeister::goes_down() const {
  const double slope = gradient_.dot(step_);
  return slope <= -kFbDescent * psi_ && std::isfinite(slope);
}

bool FischerBurmeister::line_search(const Mcp& m) {
  const double slope = gradient_.dot(step_);
  for (double t = 1; t > kShortestStep; t *= kShorten) {
    trial_ = z_ + t * step_;
    for (const bool bent : {true, false}) {
      if (bent)
        project_to_bounds(m, trial_);
      else
        trial_ = z_ + t * step_;
      const double psi = merit(m, trial_, trial_w_, trial_phi_);
      if (psi <= psi_ + kArmijo * t * slope && psi < psi_) {
        z_ = trial_;
        w_ = trial_w_;
        phi_ = trial_phi_;
        psi_ = psi;
        return true;
      }
    }
  }
  return false;
}

void FischerBurmeister::descend(const Mcp& m, int most, Answer& answer) {
  m.jacobian(z_, J_);
  psi_ = merit(m, z_, w_, phi_);
  double progress_from = psi_;
  answer.reason = "iteration limit";
  for (int k = 0, progress_at = 0; k < most; ++k, ++answer.iterations) {
    if (psi_ <= enough_) return;
    if (psi_ <= kProgress * progress_from) {
      progress_from = psi_;
      progress_at = k;
    }
    const bool creeps = k - progress_at > kPatience;
    if (!std::isfinite(psi_)) {
      answer.reason = "the numbers overflowed";
      return;
    }
    build_jacobian(m);
    gradient_.noalias() = H_.transpose() * phi_;
    bool moved = !creeps && gradient_.norm() > kStationaryPoint * phi_.norm();
    if (moved) {
      moved = newton_step() && goes_down() && line_search(m);
      if (!moved) {
        // as small as |phi|^2, so that convergence stays quadratic (Yamashita and Fukushima 2001)
        damped_step(kFbDamping * std::min(1.0, 2 * psi_));
        moved = goes_down() && line_search(m);
      }
      if (!moved) {
        step_ = -gradient_;
        moved = line_search(m);
      }
    }
    if (!moved) {
      answer.reason = "a minimum that is no solution";
      return;
    }
  }
}

// Newton's method on the natural map from z_, which is not changed: finish_ is the result.
double FischerBurmeister::finish(const Mcp& m) {
  finish_ = z_;
  finish_w_.resize(z_.size());
  m.value(finish_, finish_w_);
  m.jacobian(finish_, J_);
  return natural_.improve(m, finish_, finish_w_, J_);
}

void FischerBurmeister::run(const Problem& problem, Answer& answer) {
  const int n = problem.size();
  if (n == 0) return;
  resize(n);
  scaled_.assign(problem);
  const Mcp& m = scaled_.mcp();
  z_ = answer.z;
  scaled_.to_scaled(z_);
  project_to_bounds(m, z_);
  const int most = options.most_iterations > 0 ? options.most_iterations : kMostIterations;
  const double allowed = 0.99 * options.tolerance * (1 + problem.b.cwiseAbs().maxCoeff());

  double natural = kInfinity, best = kInfinity;
  const auto finished = [&] {
    natural = finish(m);
    if (natural < best || best == kInfinity) {
      best = natural;
      answer.z = finish_;
    }
    return natural <= allowed;
  };
  bool done = false;
  for (enough_ = kEnough; !done; enough_ = kFbMore * psi_) {
    descend(m, most - answer.iterations, answer);
    done = finished();
    if (!(psi_ <= enough_) || psi_ == 0) break;
  }
  // if that is no solution: again with a pull towards the point reached, weaker each time
  if (!done && std::isfinite(psi_)) {
    near_.lo = m.lo;
    near_.hi = m.hi;
    near_.bound_by = m.bound_by;
    near_.mu = m.mu;
    enough_ = kEnough;
    pull_ = kFbFirstPull;
    for (int round = 0; round < kRounds && !done; ++round, pull_ *= kWeaker) {
      anchor_ = z_;
      const std::string_view reason = answer.reason;
      descend(near_, std::min(kRoundIterations, most - answer.iterations), answer);
      answer.reason = reason;
      done = finished();
    }
  }
  scaled_.to_user(answer.z);
}

}  // namespace

const SolverInfo& fb_info() {
  static const SolverInfo info{
      "fb",
      "Newton on Fischer and Burmeister's function, with a line search",
      "P and positive semidefinite matrices: a solution where there is one; others: often, and "
      "never proves that there is none",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      MatrixClass::p_matrix | MatrixClass::semidefinite,
      bit(Matrix::Form::dense),
      true};
  return info;
}

std::unique_ptr<Solver> make_fb() { return std::make_unique<FischerBurmeister>(); }

}  // namespace abut
