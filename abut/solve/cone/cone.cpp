#include "abut/solve/cone/cone.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/best_so_far.h"
#include "abut/solve/cone/cone_interior.h"
#include "abut/solve/cone/friction_cone.h"
#include "abut/solve/factored/body_matrix.h"
#include "abut/solve/linear/reduced_matrix.h"
#include "abut/solve/sweeping/nsgs.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

using Piece = ScaledPieces::Piece;
using Kind = ScaledPieces::Kind;

constexpr int kMostIterations = 600;
// Normal forces to start from, in units in which b is at most 1 and A's diagonal is 1. One start is
// enough for about 99 % of problems; the rest are not convex.
constexpr double kStarts[] = {10, 1, 100, 0.1};
constexpr int kMostOfAStart = 160;
constexpr int kPatience = 40;  // iterations in which the residual has to fall ..
constexpr std::size_t kFinishesBeforeWalk = 2;
constexpr double kHopeful = 0.5;      // .. to this part
constexpr int kMostFinish = 10;       // Newton steps of one finish
constexpr double kFinishAgain = 0.1;  // fraction of the residual before the next try
// The walk, the last resort of a start.
constexpr int kMostStrides = 30, kWalkSweeps = 20;
constexpr int kMostChanges = 2;  // state changes of contacts in one stride
constexpr double kStride = 0.1;  // of the largest force: the most that a stride changes a force
constexpr int kSettle = 3;       // Newton steps after a stride

// The sweeps from a warm start.
constexpr int kMostSweeps = 10;
// fraction of the tolerance, so that the next step starts within it
constexpr double kSweepWell = 0.5;
constexpr double kSweepWorth = 0.9;  // fraction of the last residual that a sweep must reach

// From this many bodies on a problem gets a second start only if its residual is above kManySolved,
// and sweeps for what the starts leave.
constexpr std::size_t kManyBodies = 32;
constexpr std::size_t kStartsOfMany = 2;
constexpr int kLastSweeps = 100;

class ConeSolver final : public Solver {
 public:
  explicit ConeSolver(const SolverInfo& info) : info_(info) {}
  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override;

 private:
  bool go_from(double start, const Problem& problem, Answer& answer, int most);
  bool may_walk(const Answer& answer, int most);
  bool approach(double start, const Problem& problem, Answer& answer, int most);
  bool finish(const Problem& problem, Answer& answer, int most, double shift);
  bool walk(const Problem& problem, Answer& answer);
  bool is_on_border() const;
  bool sweep(const Problem& problem, double off);
  void sweep_on(const Problem& problem);
  static bool has_many_bodies(const Problem& problem);
  void choose_rho();
  double look(const Problem& problem);
  bool find_step(Answer& answer, double shift);
  void law(const Piece& piece, double shift, DiagonalBlock& block);
  int changes(const VectorX& y) const;

  const SolverInfo& info_;
  ScaledPieces set_;
  ReducedMatrix reduced_;
  BodyMatrix bodies_;
  NewtonMatrix* matrix_ = &reduced_;  // the one that fits the form of A
  ConeInterior interior_;
  BestSoFar best_;
  ContactSweep sweep_;
  bool swept_ = false;   // sweep_ is set to the problem
  bool walked_ = false;  // from this start
  double rho_ = 1;
  VectorX x_, y_, r_, dx_, z_, dy_, there_;
  std::vector<DiagonalBlock> blocks_;
};

// The rows (P + C A) dx = r of Newton's method for x = Z(x - w / rho). With V the derivative of the
// projection: P = rho (1 - V) + shift 1, C = V, r = rho (Z - x).
void ConeSolver::law(const Piece& p, double shift, DiagonalBlock& block) {
  block = {};
  const double rho = rho_;
  const double* y = y_.data() + p.first;
  const double* x = x_.data() + p.first;
  double* r = r_.data() + p.first;
  const auto inside = [&](int k) {
    const int at = k * (p.size + 1);
    block.P[at] = shift;
    block.inverse[at] = 1 / shift;
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
  // sliding: V = (1, 0; mu u, tau (1 - u u')), so that P has shift on the normal and, in the
  // tangent plane, rho along u and rho (1 - tau) + shift across
  const double tau = radius / length;
  const double along = rho, across = rho * (1 - tau) + shift;
  for (int i = 1; i < p.size; ++i) {
    const double u = y[i] / length;
    r[i] = rho * (radius * u - x[i]);
    block.C[i * p.size] = p.mu * u;
    block.P[i * p.size] = -rho * p.mu * u;
    block.inverse[i * p.size] = rho * p.mu * u / (shift * along);
    for (int j = 1; j < p.size; ++j) {
      const double uu = u * y[j] / length, unit = i == j ? 1 : 0;
      block.C[i * p.size + j] = tau * (unit - uu);
      block.P[i * p.size + j] = along * uu + across * (unit - uu);
      block.inverse[i * p.size + j] = uu / along + (unit - uu) / across;
    }
  }
}

// Forces and velocities differ by orders of magnitude in tall stacks. rho, a velocity (b is at most
// 1) divided by a force, makes them comparable.
void ConeSolver::choose_rho() {
  const double most_x = x_.cwiseAbs().maxCoeff();
  rho_ = most_x > 0 ? std::clamp(1 / most_x, kLeastRho, kMostRho) : 1;
}

// The residual at x_, and y_ = x - w / rho.
double ConeSolver::look(const Problem& problem) {
  set_.to_problem(x_, z_);
  const double off = best_.look(problem, z_);
  // w of the problem itself and not of the reduced matrix, whose rounding then does no harm
  y_ = best_.w().cwiseProduct(set_.scale) / set_.load;
  y_ = x_ - y_ / rho_;
  return off;
}

// Computes Newton's step dx_ from x_, after look().
bool ConeSolver::find_step(Answer& answer, double shift) {
  r_.resize(x_.size());
  blocks_.resize(set_.pieces.size());
  for (std::size_t k = 0; k < set_.pieces.size(); ++k) law(set_.pieces[k], shift, blocks_[k]);
  ++answer.iterations;
  if (!matrix_->factor(blocks_)) return false;
  matrix_->solve(r_, dx_);
  return true;
}

// Newton's method from x_, as long as it improves. Steps are not shortened: a point that looks
// worse for a while often has the right contact states.
bool ConeSolver::finish(const Problem& problem, Answer& answer, int most, double shift) {
  double least = kInfinity;
  int worse = 0;
  for (int step = 0;; ++step) {
    choose_rho();
    const double off = look(problem);
    if (off <= options.tolerance) return true;
    if (!(off <= 0.5 * least) && ++worse == 3) return false;
    if (step == kMostFinish || answer.iterations >= most || options.is_late() ||
        !std::isfinite(off))
      return false;
    least = std::min(least, off);
    if (!find_step(answer, shift)) return false;
    x_ += dx_;
  }
}

// Whether a contact at y_ is on the border between sticking and sliding, as when sliding bodies
// come to rest. Then redundant contacts have many valid combinations of states, and Newton's method
// alternates between them.
bool ConeSolver::is_on_border() const {
  return std::any_of(set_.pieces.begin(), set_.pieces.end(), [&](const Piece& p) {
    if (p.kind != Kind::cone && p.kind != Kind::straight) return false;
    const double* y = y_.data() + p.first;
    const double radius = p.mu * y[0];
    return radius > 0 && std::abs(tangential_length(y, p.size) - radius) <= kOnBorder * radius;
  });
}

// Sweeps from the best point, whose residual is `off`. Near a solution a few sweeps converge, at
// the cost of one Newton step or less.
bool ConeSolver::sweep(const Problem& problem, double off) {
  sweep_.set(problem);
  swept_ = true;
  z_ = best_.z();
  for (int i = 0; i < kMostSweeps && off > kSweepWell * options.tolerance; ++i) {
    const double before = off;
    if (!sweep_.run(z_)) break;
    off = best_.look(problem, z_);
    if (!(off <= kSweepWorth * before)) break;
  }
  return best_.least() <= options.tolerance;
}

// From the best point, without a hope of arriving.
void ConeSolver::sweep_on(const Problem& problem) {
  if (!swept_) sweep_.set(problem);
  swept_ = true;
  z_ = best_.z();
  for (int i = 0; i < kLastSweeps && best_.least() > options.tolerance; ++i) {
    if (!sweep_.run(z_)) break;
    if (i % 10 == 9) best_.look(problem, z_);
  }
}

bool ConeSolver::has_many_bodies(const Problem& problem) {
  return problem.A.form() == Matrix::Form::factored &&
         problem.A.factored().trees.size() >= kManyBodies;
}

// How many contacts would be in another state than at y_: leaving, sticking, sliding.
int ConeSolver::changes(const VectorX& y) const {
  int count = 0;
  for (const Piece& p : set_.pieces) {
    const auto state = [&](const VectorX& v) {
      const double* at = v.data() + p.first;
      if (p.kind != Kind::cone && p.kind != Kind::straight)
        return at[0] <= p.lo ? 0 : at[0] >= p.hi ? 2 : 1;
      if (at[0] <= 0) return 0;
      return tangential_length(at, p.size) <= p.mu * at[0] ? 1 : 2;
    };
    if (state(y) != state(y_)) ++count;
  }
  return count;
}

// Where redundant contacts slide, a residual can remain that no forces change while each contact
// keeps its state: four corners of a face whose gaps do not quite agree. The solution then lies far
// along the null space, where one of them leaves. The walk goes there in strides that change few
// states, and after each stride lets Newton's steps find the directions of slip again.
bool ConeSolver::walk(const Problem& problem, Answer& answer) {
  if (!swept_) sweep_.set(problem);
  swept_ = true;
  z_ = best_.z();
  for (int i = 0; i < kWalkSweeps; ++i) sweep_.run(z_);
  set_.from_problem(z_, x_);
  choose_rho();
  for (int stride = 0; stride < kMostStrides; ++stride) {
    const double off = look(problem);
    if (off <= options.tolerance) return true;
    if (!std::isfinite(off) || !find_step(answer, kWalkShift)) return false;
    matrix_->multiply(dx_, dy_);
    dy_ = dx_ - dy_ / rho_;
    double part = std::min(1.0, kStride / (rho_ * dx_.cwiseAbs().maxCoeff()));
    for (int k = 0; k < 40; ++k, part *= 0.5) {
      there_ = y_ + part * dy_;
      if (changes(there_) <= kMostChanges) break;
    }
    x_ += part * dx_;
    for (int k = 0; k < kSettle; ++k) {
      choose_rho();
      if (look(problem) <= options.tolerance) return true;
      if (!find_step(answer, kSettleShift)) return false;
      x_ += dx_;
    }
  }
  return false;
}

// The interior point from x = start, s = 1, with attempts to finish on the way. The walk comes after
// some of these, or where the interior point ends.
bool ConeSolver::go_from(double start, const Problem& problem, Answer& answer, int most) {
  walked_ = false;
  if (approach(start, problem, answer, std::min(most, answer.iterations + kMostOfAStart)))
    return true;
  return may_walk(answer, most) && walk(problem, answer);
}

bool ConeSolver::may_walk(const Answer& answer, int most) {
  const bool may =
      !walked_ && best_.least() < kWalkFrom && answer.iterations < most && !options.is_late();
  walked_ |= may;
  return may;
}

bool ConeSolver::approach(double start, const Problem& problem, Answer& answer, int most) {
  interior_.start(set_, start);
  double next = kFinishFrom;
  std::size_t tries = 0;
  double hopeful = kInfinity;
  int patience = kPatience;
  while (answer.iterations < most && !options.is_late()) {
    answer.reason = "iteration limit";
    const bool going = interior_.step(set_, *matrix_);
    ++answer.iterations;
    if (!going) {
      answer.reason = "the interior point lost its digits";
      return false;
    }
    x_ = interior_.z();
    set_.to_problem(x_, z_);
    const double off = best_.look(problem, z_);
    if (off <= options.tolerance) return true;
    if (off < kHopeful * hopeful) {
      hopeful = off;
      patience = kPatience;
    } else if (--patience == 0) {
      answer.reason = "the interior point stalled";
      return false;
    }
    if (off > next) continue;
    next = off * kFinishAgain;
    const std::size_t last = std::size(kFinishShifts) - 1;
    if (finish(problem, answer, most, kFinishShifts[std::min(tries, last)])) return true;
    if (++tries > kFinishesBeforeWalk && may_walk(answer, most) && walk(problem, answer))
      return true;
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
  const bool factored = problem.A.form() == Matrix::Form::factored;
  matrix_ = factored ? static_cast<NewtonMatrix*>(&bodies_) : &reduced_;
  const int most = options.most_iterations > 0 ? options.most_iterations : kMostIterations;
  best_.start(problem);
  const double given = best_.look(problem, answer.z);
  if (given <= options.tolerance || !std::isfinite(given)) return;
  set_.set(problem);
  swept_ = false;
  bool arrived = false;
  if (options.warm_start) {
    set_.from_problem(answer.z, x_);
    choose_rho();
    look(problem);
    arrived = is_on_border() && sweep(problem, given);
  }
  if (!arrived) matrix_->set(problem.A, set_.rows, set_.scale);
  if (!arrived && options.warm_start) {
    set_.from_problem(best_.z(), x_);
    arrived = finish(problem, answer, most, kFinishShifts[0]);
  }
  // Other starts help where the problem has several solutions. Of many bodies each start meets the
  // same few contacts that are hard, and costs as much as the first.
  const bool many = has_many_bodies(problem);
  const std::size_t starts = many ? kStartsOfMany : std::size(kStarts);
  for (std::size_t k = 0; k < starts && !arrived && answer.iterations < most && !options.is_late();
       ++k)
    if (k == 0 || !many || best_.least() > kManySolved)
      arrived = go_from(kStarts[k], problem, answer, most);
  // what many bodies leave is spread by sweeps, which cost a fraction of a factorisation
  if (!arrived && many && !options.is_late()) sweep_on(problem);
  if (best_.any()) answer.z = best_.z();
}

}  // namespace

const SolverInfo& cone_info() {
  static const SolverInfo info{
      "cone", "interior point for Coulomb's cones, finished by Newton",
      "quadratic at the end, redundant contacts too; convex for mu = 0, without proof for "
      "friction",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::cone),
      // friction has no proof for any class: the residual decides
      0, bit(Matrix::Form::dense) | bit(Matrix::Form::blocks), true};
  return info;
}

const SolverInfo& bodies_info() {
  static const SolverInfo info{
      "bodies",
      "the same in the velocities of bodies: for contacts by the thousand",
      "as cone; the cost grows with bodies and pairs that touch, not with contacts",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::cone),
      0,
      bit(Matrix::Form::dense) | bit(Matrix::Form::blocks) | bit(Matrix::Form::factored),
      true,
      true};
  return info;
}

std::unique_ptr<Solver> make_cone() { return std::make_unique<ConeSolver>(cone_info()); }
std::unique_ptr<Solver> make_bodies() { return std::make_unique<ConeSolver>(bodies_info()); }

}  // namespace abut
