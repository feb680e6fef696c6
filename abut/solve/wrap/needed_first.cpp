#include "abut/solve/wrap/needed_first.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

// Up to this many blocks the whole problem is as fast. The parts change size from step to step, so
// that their memory cannot be reused: problems of ordinary worlds are solved whole, without
// allocation.
constexpr int kFewBlocks = 500;
constexpr int kMostRounds = 30;
// Fraction of the tolerance: rows that are violated by less are not needed.
constexpr double kSlack = 0.1;

class NeededFirst final : public Solver {
 public:
  explicit NeededFirst(std::unique_ptr<Solver> behind) : behind_(std::move(behind)) {
    info_ = behind_->info();
    info_.name = "needed-first";
    info_.summary = "rows that press alone, by another solver, until no other row is violated";
    info_.forms |= bit(Matrix::Form::blocks);
    info_.forms &= ~bit(Matrix::Form::factored);  // it reads blocks: factors are formed first
  }

  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    behind_->options = options;
    if (takes(problem)) {
      start_ = answer.z;
      if (solve_parts(problem, answer)) return;
      answer.z = start_;
      behind_->options = options;
    }
    behind_->solve(problem, answer);
  }

 private:
  static bool takes(const Problem& problem) {
    if (problem.A.form() != Matrix::Form::blocks) return false;
    const BlockRows& A = problem.A.blocks();
    if (A.size() <= kFewBlocks) return false;
    // rows that bound others must be needed with them: guaranteed only within one block
    for (int i = 0; i < A.size(); ++i)
      for (int k = A.first[at(i)]; k < A.first[at(i) + 1]; ++k)
        if (const int by = problem.bound_by[at(k)];
            by >= 0 && (by < A.first[at(i)] || by >= A.first[at(i) + 1]))
          return false;
    return true;
  }

  bool solve_parts(const Problem& problem, Answer& answer) {
    const BlockRows& A = problem.A.blocks();
    needed_.assign(at(A.size()), 0);
    fresh_.assign(at(A.size()), 0);
    answer.z.setZero();
    w_ = problem.b;
    const double limit = kSlack * options.tolerance * (1 + problem.b.cwiseAbs().maxCoeff());
    int needed = need_violated(problem, answer.z, 0) + need_pressed(problem);
    int iterations = 0, pivots = 0;
    for (int round = 0; round < kMostRounds; ++round) {
      if (2 * needed > A.size()) return false;
      find_parts(A);
      for (int p = 0; p + 1 < static_cast<int>(part_begin_.size()); ++p) {
        if (!part_is_fresh(p)) continue;
        take_part(problem, p);
        part_answer_.z.resize(part_.size());
        gather(problem, p, round == 0 ? start_ : answer.z, part_answer_.z);
        behind_->options.warm_start = true;
        behind_->solve(part_, part_answer_);
        iterations += part_answer_.iterations;
        pivots += part_answer_.pivots;
        if (part_answer_.status != SolveStatus::solved) return false;
        scatter(problem, p, part_answer_.z, answer.z);
        answer.solver = part_answer_.solver;
      }
      std::fill(fresh_.begin(), fresh_.end(), 0);
      problem.A.multiply(answer.z, w_);
      w_ += problem.b;
      const int more = need_violated(problem, answer.z, limit);
      answer.iterations = iterations;
      answer.pivots = pivots;
      if (more == 0) {
        answer.residuals = residuals(problem, answer.z, answer.w, scratch_);
        return answer.residuals.relative <= options.tolerance;
      }
      needed += more;
    }
    return false;
  }

  // Adds blocks that are not needed yet and do not hold; returns their number.
  int need_violated(const Problem& problem, const VectorX& z, double limit) {
    const BlockRows& A = problem.A.blocks();
    natural_map(problem, z, w_, map_);
    int more = 0;
    for (int i = 0; i < A.size(); ++i) {
      bool off = false;
      for (int k = A.first[at(i)]; k < A.first[at(i) + 1]; ++k)
        off = off || !(std::abs(map_[k]) <= limit) || problem.is_free(k);
      if (off) more += need(i);
    }
    return more;
  }

  int need_pressed(const Problem& problem) {
    const BlockRows& A = problem.A.blocks();
    int more = 0;
    for (int i = 0; i < A.size(); ++i)
      for (int k = A.first[at(i)]; k < A.first[at(i) + 1]; ++k)
        if (start_[k] != 0) more += need(i);
    return more;
  }

  int need(int block) {
    if (needed_[at(block)]) return 0;
    needed_[at(block)] = fresh_[at(block)] = 1;
    return 1;
  }

  // Finds the connected parts of the needed blocks, each in ascending order.
  void find_parts(const BlockRows& A) {
    part_of_.assign(at(A.size()), -1);
    order_.clear();
    part_begin_.assign(1, 0);
    for (int seed = 0; seed < A.size(); ++seed) {
      if (!needed_[at(seed)] || part_of_[at(seed)] >= 0) continue;
      const int part = static_cast<int>(part_begin_.size()) - 1;
      const std::size_t begin = order_.size();
      part_of_[at(seed)] = part;
      order_.push_back(seed);
      for (std::size_t i = begin; i < order_.size(); ++i)
        for (int k = A.row_begin[at(order_[i])]; k < A.row_begin[at(order_[i]) + 1]; ++k) {
          const int j = A.column[at(k)];
          if (!needed_[at(j)] || part_of_[at(j)] >= 0) continue;
          part_of_[at(j)] = part;
          order_.push_back(j);
        }
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end());
      part_begin_.push_back(static_cast<int>(order_.size()));
    }
  }

  bool part_is_fresh(int p) const {
    for (int i = part_begin_[at(p)]; i < part_begin_[at(p) + 1]; ++i)
      if (fresh_[at(order_[at(i)])]) return true;
    return false;
  }

  // Calls f(row of the problem, row of the part).
  template <class F>
  void for_each_row(const Problem& problem, int p, F&& f) const {
    const BlockRows& A = problem.A.blocks();
    int row = 0;
    for (int i = part_begin_[at(p)]; i < part_begin_[at(p) + 1]; ++i)
      for (int k = A.first[at(order_[at(i)])]; k < A.first[at(order_[at(i)]) + 1]; ++k) f(k, row++);
  }

  void gather(const Problem& problem, int p, const VectorX& z, VectorX& out) const {
    for_each_row(problem, p, [&](int k, int row) { out[row] = z[k]; });
  }
  void scatter(const Problem& problem, int p, const VectorX& from, VectorX& z) const {
    for_each_row(problem, p, [&](int k, int row) { z[k] = from[row]; });
  }

  // part_: the rows and columns of part p.
  void take_part(const Problem& problem, int p) {
    const BlockRows& A = problem.A.blocks();
    place_.resize(at(A.size()));
    row_of_.resize(at(problem.size()));
    const int begin = part_begin_[at(p)], end = part_begin_[at(p) + 1];
    for (int i = begin; i < end; ++i) place_[at(order_[at(i)])] = i - begin;
    int rows = 0;
    for_each_row(problem, p, [&](int k, int row) { row_of_[at(k)] = row, ++rows; });
    part_.A.set_blocks();
    BlockRows& B = part_.A.blocks();
    for (int i = begin; i < end; ++i) {
      const int block = order_[at(i)];
      B.add_row(A.width(block));
      for (int k = A.row_begin[at(block)]; k < A.row_begin[at(block) + 1]; ++k) {
        const int j = A.column[at(k)];
        if (part_of_[at(j)] != p) continue;
        const int size = A.width(block) * A.width(j);
        const int to = B.add_block(place_[at(j)], A.width(j));
        std::copy(A.block(k), A.block(k) + size, B.block(to));
      }
    }
    part_.resize(rows);
    for_each_row(problem, p, [&](int k, int row) {
      part_.b[row] = problem.b[k];
      part_.lo[row] = problem.lo[k];
      part_.hi[row] = problem.hi[k];
      part_.mu[row] = problem.mu[k];
      const int by = problem.bound_by[at(k)];
      part_.bound_by[at(row)] = by < 0 ? by : row_of_[at(by)];
    });
    // both are in ascending order
    std::size_t next = 0;
    for_each_row(problem, p, [&](int k, int row) {
      while (next < problem.cones.size() && problem.cones[next].first < k) ++next;
      if (next == problem.cones.size() || problem.cones[next].first != k) return;
      part_.cones.push_back(problem.cones[next]);
      part_.cones.back().first = row;
    });
  }

  std::unique_ptr<Solver> behind_;
  SolverInfo info_;
  std::vector<char> needed_, fresh_;  // of each block; fresh: added since its part was last solved
  std::vector<int> part_of_, order_, part_begin_, place_, row_of_;
  VectorX start_, w_, map_, scratch_;
  Problem part_;
  Answer part_answer_;
};

}  // namespace

std::unique_ptr<Solver> make_needed_first(std::unique_ptr<Solver> behind) {
  return std::make_unique<NeededFirst>(std::move(behind));
}

}  // namespace abut
