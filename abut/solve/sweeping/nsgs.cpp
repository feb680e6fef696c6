#include "abut/solve/sweeping/nsgs.h"

#include <algorithm>

#include "abut/solve/linear/generalized_inverse.h"
#include "abut/solve/sweeping/sweeps.h"
#include "abut/solve/tolerances.h"

namespace abut {

void ContactSweep::set(const Problem& p) {
  problem_ = &p;
  rows_.set(p.A);
  pieces_.clear();
  contacts_.clear();
  cone_blocks_.clear();
  inverses_.clear();
  const int n = p.size();
  diagonal_.resize(n);
  w_.resize(n);

  std::size_t next = 0;
  for (int i = 0; i < n;) {
    if (next < p.cones.size() && p.cones[next].first == i) {
      const Cone& c = p.cones[next++];
      pieces_.push_back({Piece::Kind::cone, i, c.size, static_cast<int>(contacts_.size())});
      double a[9];
      rows_.diagonal(i, c.size, a);
      cone_blocks_.insert(cone_blocks_.end(), a, a + 9);
      contacts_.emplace_back().set(a, c.size, c.size, c.mu);
      i += c.size;
    } else if (p.is_free(i)) {
      const int end_of_run = next < p.cones.size() ? p.cones[next].first : n;
      int end = i + 1;
      while (end < end_of_run && p.is_free(end)) ++end;
      add_free(i, end - i);
      i = end;
    } else {
      pieces_.push_back({Piece::Kind::row, i, 1, 0});
      rows_.diagonal(i, 1, &diagonal_[i]);
      ++i;
    }
  }
}

void ContactSweep::add_free(int first, int size) {
  const std::size_t at = inverses_.size();
  pieces_.push_back({Piece::Kind::free, first, size, static_cast<int>(at)});
  inverses_.resize(at + static_cast<std::size_t>(size) * size);
  rows_.diagonal(first, size, inverses_.data() + at);
  generalized_inverse(inverses_.data() + at, size, kRedundantJoint, pivot_rows_);
}

bool ContactSweep::solve_cone(const Piece& piece, double* z) const {
  double b[3], solution[3];
  rows_.multiply(piece.first, piece.size, z, b);
  // the part of the others: b + (A z) - A_ii z_i
  const double* a = cone_blocks_.data() + 9 * piece.index;
  double* own = z + piece.first;
  for (int i = 0; i < piece.size; ++i) {
    double self = 0;
    for (int j = 0; j < piece.size; ++j) self += a[i * piece.size + j] * own[j];
    b[i] += problem_->b[piece.first + i] - self;
  }
  if (!contacts_[piece.index].solve(b, solution)) return false;
  std::copy_n(solution, piece.size, own);
  return true;
}

bool ContactSweep::solve_row(int i, double* z) const {
  const Problem& p = *problem_;
  double lo = p.lo[i], hi = p.hi[i];
  if (p.bound_by[i] >= 0) {
    hi = p.mu[i] * std::max(z[p.bound_by[i]], 0.0);
    lo = -hi;
  }
  double w;
  rows_.multiply(i, 1, z, &w);
  w += p.b[i];
  const double a = diagonal_[i];
  if (!(a > 0)) {
    // correct at a bound that w points to
    const double at = w - a * z[i];
    if (at + a * lo >= 0 && lo > -kInfinity) return z[i] = lo, true;
    if (at + a * hi <= 0 && hi < kInfinity) return z[i] = hi, true;
    return false;
  }
  z[i] = std::clamp(z[i] - w / a, lo, hi);
  return true;
}

void ContactSweep::solve_free(const Piece& piece, double* z) const {
  rows_.multiply(piece.first, piece.size, z, w_.data());
  const double* inverse = inverses_.data() + piece.index;
  for (int j = 0; j < piece.size; ++j) w_[j] += problem_->b[piece.first + j];
  for (int i = 0; i < piece.size; ++i) {
    double sum = 0;
    for (int j = 0; j < piece.size; ++j) sum += inverse[i * piece.size + j] * w_[j];
    z[piece.first + i] -= sum;
  }
}

bool ContactSweep::solve_piece(const Piece& piece, double* z) {
  switch (piece.kind) {
    case Piece::Kind::cone:
      return solve_cone(piece, z);
    case Piece::Kind::row:
      return solve_row(piece.first, z);
    case Piece::Kind::free:
      solve_free(piece, z);
  }
  return true;
}

bool ContactSweep::run(VectorX& z) {
  bool all = true;
  rows_.follow(z.data());
  for (const Piece& piece : pieces_) {
    const double* own = z.data() + piece.first;
    before_.assign(own, own + piece.size);
    all &= solve_piece(piece, z.data());
    change_.resize(before_.size());
    for (std::size_t k = 0; k < before_.size(); ++k) change_[k] = own[k] - before_[k];
    rows_.change(piece.first, piece.size, change_.data());
  }
  return all;
}

namespace {

constexpr int kMostSweeps = 10000;

class Nsgs final : public Solver {
 public:
  const SolverInfo& info() const override { return nsgs_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (problem.A.form() == Matrix::Form::matrix_free) {
      answer.reason = "needs the rows of A: dense or blocks";
      return;
    }
    const int most = options.most_iterations > 0 ? options.most_iterations : kMostSweeps;
    sweep_.set(problem);
    best_.start(problem);
    const bool possible = sweep_until(problem, options, most, sweep_, best_, answer);
    answer.reason = possible ? "sweep limit" : "a diagonal block of A is not positive";
  }

 private:
  ContactSweep sweep_;
  BestSoFar best_;
};

}  // namespace

const SolverInfo& nsgs_info() {
  static const SolverInfo info{
      "nsgs", "Gauss-Seidel over contacts, each solved exactly",
      "each contact is met exactly in its turn, at any mu; the sweeps converge linearly for "
      "symmetric positive semidefinite A with friction not too large",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed) |
          bit(ProblemKind::cone),
      // sweeps converge for symmetric matrices only: declared in the guarantee
      0, bit(Matrix::Form::dense) | bit(Matrix::Form::blocks) | bit(Matrix::Form::factored), true};
  return info;
}

std::unique_ptr<Solver> make_nsgs() { return std::make_unique<Nsgs>(); }

}  // namespace abut
