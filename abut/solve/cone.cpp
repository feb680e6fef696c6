#include "abut/solve/cone.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/best_so_far.h"
#include "abut/solve/cone_interior.h"
#include "abut/solve/friction_cone.h"

namespace abut {

namespace {

using Piece = ScaledPieces::Piece;
using Kind = ScaledPieces::Kind;

constexpr int kMostIterations = 300;
// Forces to start from, in units in which b is at most 1 and A's diagonal 1. One is enough but
// for a percent or so of problems, which are not convex.
constexpr double kStarts[] = {10, 1, 100, 0.1};
constexpr int kMostOfAStart = 80;
constexpr int kMostFinish = 10;       // Newton steps of one finish
constexpr double kFinishFrom = 1e-4;  // relative residual of the first try
constexpr double kFinishAgain = 0.1;  // of the one before
constexpr double kStalled = 0.1;      // length of the interior step
constexpr double kLeastRho = 1e-8, kMostRho = 1e4;
constexpr double kShift = 1e-10;  // of a singular A, relative to its diagonal

class ConeSolver final : public Solver {
 public:
  const SolverInfo& info() const override { return cone_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override;

 private:
  bool go_from(double start, const Problem& problem, Answer& answer, int most);
  bool finish(const Problem& problem, Answer& answer, int most);
  void law(const Piece& piece, double rho, DiagonalBlock& block);

  ScaledPieces set_;
  ReducedMatrix reduced_;
  ConeInterior interior_;
  BestSoFar best_;
  VectorX x_, y_, r_, dx_, z_;
  std::vector<DiagonalBlock> blocks_;
};

// The rows (P + C A) dx = r of Newton's method for x = Z(x - w / rho): with V the derivative of
// the projection, P = rho (1 - V) + shift 1, C = V, r = rho (Z - x).
void ConeSolver::law(const Piece& p, double rho, DiagonalBlock& block) {
  block = {};
  const double* y = y_.data() + p.first;
  const double* x = x_.data() + p.first;
  double* r = r_.data() + p.first;
  const auto inside = [&](int k) {
    const int at = k * (p.size + 1);
    block.P[at] = kShift;
    block.inverse[at] = 1 / kShift;
    block.C[at] = 1;
    r[k] = rho * (y[k] - x[k]);
  };
  const auto stay = [&](int k, double bound) {
    const int at = k * (p.size + 1);
    block.P[at] = rho;
    block.inverse[at] = 1 / rho;
    r[k] = rho * (bound - x[k]);
  };

  if (p.kind != Kind::cone && p.kind != Kind::straight) {
    if (y[0] <= p.lo)
      stay(0, p.lo);
    else if (y[0] >= p.hi)
      stay(0, p.hi);
    else
      inside(0);
    return;
  }
  if (y[0] <= 0)
    stay(0, 0);
  else
    inside(0);
  const double length = tangential_length(y, p.size), radius = p.mu * std::max(y[0], 0.0);
  if (radius > 0 && length <= radius) {
    for (int k = 1; k < p.size; ++k) inside(k);
    return;
  }
  if (!(radius > 0)) {
    for (int k = 1; k < p.size; ++k) stay(k, 0);
    return;
  }
  // slides: V = (1, 0; mu u, tau (1 - u u')), so that P has shift on the normal and, in the
  // tangent plane, rho along u and rho (1 - tau) + shift across
  const double tau = radius / length;
  const double along = rho, across = rho * (1 - tau) + kShift;
  for (int i = 1; i < p.size; ++i) {
    const double u = y[i] / length;
    r[i] = rho * (radius * u - x[i]);
    block.C[i * p.size] = p.mu * u;
    block.P[i * p.size] = -rho * p.mu * u;
    block.inverse[i * p.size] = rho * p.mu * u / (kShift * along);
    for (int j = 1; j < p.size; ++j) {
      const double uu = u * y[j] / length, unit = i == j ? 1 : 0;
      block.C[i * p.size + j] = tau * (unit - uu);
      block.P[i * p.size + j] = along * uu + across * (unit - uu);
      block.inverse[i * p.size + j] = uu / along + (unit - uu) / across;
    }
  }
}

// Newton's method from x_, as long as it helps.
bool ConeSolver::finish(const Problem& problem, Answer& answer, int most) {
  double least = kInfinity;
  int worse = 0;
  r_.resize(x_.size());
  blocks_.resize(set_.pieces.size());
  for (int step = 0;; ++step) {
    set_.to_problem(x_, z_);
    const double off = best_.look(problem, z_);
    if (off <= options.tolerance) return true;
    if (!(off <= 0.5 * least) && ++worse == 3) return false;
    if (step == kMostFinish || answer.iterations >= most || !std::isfinite(off)) return false;
    least = std::min(least, off);
    // w of the problem itself, not of the reduced matrix: what that rounded does no harm
    y_ = best_.w().cwiseProduct(set_.scale) / set_.load;
    // forces and velocities differ by decades in tall stacks: rho, a velocity (b is at most 1)
    // over a force, compares like with like
    const double most_x = x_.cwiseAbs().maxCoeff();
    const double rho = most_x > 0 ? std::clamp(1 / most_x, kLeastRho, kMostRho) : 1;
    y_ = x_ - y_ / rho;
    for (std::size_t k = 0; k < set_.pieces.size(); ++k) law(set_.pieces[k], rho, blocks_[k]);
    ++answer.iterations;
    if (!reduced_.factor(blocks_)) return false;
    reduced_.solve(r_, dx_);
    x_ += dx_;
  }
}

// The interior point from x = start, s = 1, with tries to finish on the way.
bool ConeSolver::go_from(double start, const Problem& problem, Answer& answer, int most) {
  interior_.start(set_, start);
  double next = kFinishFrom;
  most = std::min(most, answer.iterations + kMostOfAStart);
  while (answer.iterations < most) {
    answer.reason = "iteration limit";
    const bool going = interior_.step(set_, reduced_);
    ++answer.iterations;
    if (!going) {
      answer.reason = "the interior point lost its digits";
      return false;
    }
    x_ = interior_.z();
    set_.to_problem(x_, z_);
    const double off = best_.look(problem, z_);
    if (off <= options.tolerance) return true;
    if (off > next && interior_.last_step() >= kStalled) continue;
    next = std::min(next, off) * kFinishAgain;
    if (finish(problem, answer, most)) return true;
  }
  return false;
}

void ConeSolver::run(const Problem& problem, Answer& answer) {
  if (problem.A.form() == Matrix::Form::matrix_free) {
    answer.reason = "needs the blocks of A: dense or blocks";
    return;
  }
  if (std::any_of(problem.bound_by.begin(), problem.bound_by.end(), [](int j) { return j >= 0; })) {
    answer.reason = "takes no rows bound by another";
    return;
  }
  const int most = options.most_iterations > 0 ? options.most_iterations : kMostIterations;
  best_.start(problem);
  const double given = best_.look(problem, answer.z);
  if (given <= options.tolerance || !std::isfinite(given)) return;
  set_.set(problem);
  reduced_.set(problem.A, set_.rows, set_.scale);

  bool arrived = false;
  if (options.warm_start) {
    set_.from_problem(answer.z, x_);
    arrived = finish(problem, answer, most);
  }
  for (const double start : kStarts) {
    if (arrived || answer.iterations >= most) break;
    arrived = go_from(start, problem, answer, most);
  }
  if (best_.any()) answer.z = best_.z();
}

}  // namespace

const SolverInfo& cone_info() {
  static const SolverInfo info{
      "cone", "interior point for Coulomb's cones, finished by Newton",
      "quadratic at the end, redundant contacts too; convex for mu = 0, without proof for "
      "friction",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::cone),
      // friction of any class is without proof: the residual tells
      0, bit(Matrix::Form::dense) | bit(Matrix::Form::blocks), true};
  return info;
}

std::unique_ptr<Solver> make_cone() { return std::make_unique<ConeSolver>(); }

}  // namespace abut
