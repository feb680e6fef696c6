#include "abut/solve/wrap/free_first.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/linear/block_lu.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostRefinements = 6;  // the last two are for chains of many links

class FreeFirst final : public Solver {
 public:
  explicit FreeFirst(std::unique_ptr<Solver> behind) : behind_(std::move(behind)) {
    info_ = behind_->info();
    info_.name = "free-first";
    info_.summary = "free rows by a sparse factor, the rest by another solver";
    info_.forms |= bit(Matrix::Form::blocks);
    info_.forms &= ~bit(Matrix::Form::factored);  // it reads blocks: factors are formed first
    reduced_.A.set_dense(0);
  }

  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    behind_->options = options;
    if (!split(problem) || !factor(problem)) {
      behind_->solve(problem, answer);
      return;
    }
    start_ = answer.z;
    answer.solver = info_.name;
    if (rest_.empty()) {
      solve_free(problem, VectorX());
    } else {
      reduce(problem, answer.z);
      behind_->solve(reduced_, inner_);
      answer.iterations = inner_.iterations;
      answer.pivots = inner_.pivots;
      answer.reason = inner_.reason;
      for (std::size_t i = 0; i < rest_.size(); ++i)
        answer.z[rest_[i]] = inner_.z[static_cast<int>(i)];
      solve_free(problem, answer.z);
    }
    for (std::size_t i = 0; i < free_.size(); ++i) answer.z[free_[i]] = x_[i];
    if (residuals(problem, answer.z, w_, scratch_).relative <= options.tolerance) return;
    answer.z = start_;
    behind_->solve(problem, answer);
  }

 private:
  // Finds the free blocks, and whether it pays to eliminate them.
  bool split(const Problem& problem) {
    if (problem.A.form() != Matrix::Form::blocks) return false;
    const BlockRows& A = problem.A.blocks();
    block_.assign(static_cast<std::size_t>(A.size()), -1);
    rest_.clear();
    free_.clear();
    blocks_.clear();
    sizes_.clear();
    first_.assign(1, 0);
    for (int i = 0; i < A.size(); ++i) {
      bool all = true;
      for (int k = A.first[i]; k < A.first[i + 1]; ++k) all = all && problem.is_free(k);
      if (all) {
        block_[static_cast<std::size_t>(i)] = static_cast<int>(blocks_.size());
        blocks_.push_back(i);
        sizes_.push_back(A.width(i));
        first_.push_back(first_.back() + A.width(i));
      }
      for (int k = A.first[i]; k < A.first[i + 1]; ++k) (all ? free_ : rest_).push_back(k);
    }
    // cones follow joints, and are whole blocks: their rows stay in order
    return !free_.empty() && 2 * rest_.size() <= free_.size();
  }

  bool factor(const Problem& problem) {
    const BlockRows& A = problem.A.blocks();
    begin_.assign(1, 0);
    neighbours_.clear();
    for (const int i : blocks_) {
      for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k)
        if (const int j = block_[static_cast<std::size_t>(A.column[k])]; j >= 0)
          neighbours_.push_back(j);
      begin_.push_back(static_cast<int>(neighbours_.size()));
    }
    lu_.set_pattern(sizes_, begin_, neighbours_);
    lu_.clear();
    blind_.assign(free_.size(), 0);
    for (std::size_t e = 0; e < blocks_.size(); ++e) {
      const int i = blocks_[e], n = sizes_[e];
      for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) {
        const int j = block_[static_cast<std::size_t>(A.column[k])];
        if (j < 0) continue;
        const double* from = A.block(k);
        std::copy(from, from + n * sizes_[static_cast<std::size_t>(j)],
                  lu_.block(static_cast<int>(e), j));
      }
      double* diagonal = lu_.block(static_cast<int>(e), static_cast<int>(e));
      for (int k = 0; k < n; ++k) {
        double& d = diagonal[k * n + k];
        const bool blind = !(d > 0);  // a zero row has no impulse
        blind_[static_cast<std::size_t>(first_[e] + k)] = blind;
        d = blind ? 1 : d * (1 + kFreeRegular);
      }
    }
    return lu_.factor();
  }

  // y = b + E x, over the free rows; `size` the sum of the absolute terms.
  void multiply(const Problem& problem, const std::vector<double>& b, const std::vector<double>& x,
                std::vector<double>& y, std::vector<double>& size) const {
    const BlockRows& A = problem.A.blocks();
    for (std::size_t e = 0; e < blocks_.size(); ++e) {
      const int i = blocks_[e], n = sizes_[e];
      const auto at = static_cast<std::size_t>(first_[e]);
      for (std::size_t r = at; r < at + static_cast<std::size_t>(n); ++r) {
        y[r] = b[r];
        size[r] = std::abs(b[r]);
      }
      for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) {
        const int j = block_[static_cast<std::size_t>(A.column[k])];
        if (j < 0) continue;
        const int m = sizes_[static_cast<std::size_t>(j)];
        const double* a = A.block(k);
        const double* v = &x[static_cast<std::size_t>(first_[static_cast<std::size_t>(j)])];
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < m; ++c) {
            const double term = a[r * m + c] * v[c];
            y[at + static_cast<std::size_t>(r)] += term;
            size[at + static_cast<std::size_t>(r)] += std::abs(term);
          }
      }
    }
  }

  // x_ = -E^+ b, refined. b is right_.
  void solve_refined(const Problem& problem) {
    x_.assign(free_.size(), 0.0);
    y_.resize(free_.size());
    size_.resize(free_.size());
    best_.clear();
    double least = kInfinity;
    for (int round = 0; round <= kMostRefinements; ++round) {
      multiply(problem, right_, x_, y_, size_);
      double worst = 0;
      for (std::size_t i = 0; i < y_.size(); ++i) {
        if (blind_[i]) y_[i] = 0;
        if (size_[i] > 0) worst = std::max(worst, std::abs(y_[i]) / size_[i]);
      }
      if (worst >= 0.5 * least) {  // contradictions, or rounding: no further gain
        if (worst > least) x_.swap(best_);
        return;
      }
      least = worst;
      if (worst <= kFreeExact) return;
      best_ = x_;
      for (double& r : y_) r = -r;
      lu_.solve(y_.data());
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += blind_[i] ? 0 : y_[i];
    }
  }

  // Computes x_ for given z of the others (or none).
  void solve_free(const Problem& problem, const VectorX& z) {
    right_.resize(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i) right_[i] = problem.b[free_[i]];
    if (!rest_.empty()) add_others(problem, z);
    solve_refined(problem);
  }

  // right_ += C' z_C.
  void add_others(const Problem& problem, const VectorX& z) {
    const BlockRows& A = problem.A.blocks();
    for (std::size_t e = 0; e < blocks_.size(); ++e) {
      const int i = blocks_[e], n = sizes_[e];
      for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) {
        const int j = A.column[k];
        if (block_[static_cast<std::size_t>(j)] >= 0) continue;
        const int m = A.width(j);
        const double* a = A.block(k);
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < m; ++c)
            right_[static_cast<std::size_t>(first_[e] + r)] += a[r * m + c] * z[A.first[j] + c];
      }
    }
  }

  // Builds the problem of the rows that are not free.
  void reduce(const Problem& problem, const VectorX& start) {
    const BlockRows& A = problem.A.blocks();
    const int n = static_cast<int>(rest_.size());
    place_.assign(static_cast<std::size_t>(problem.size()), -1);
    for (int i = 0; i < n; ++i) place_[static_cast<std::size_t>(rest_[i])] = i;
    reduced_.A.set_dense(n);
    reduced_.resize(n);
    unit_.setZero(problem.size());
    for (int i = 0; i < n; ++i) {
      // the effect of an impulse at this row, and of the joints' reaction to it, on all rows
      unit_[rest_[i]] = 1;
      right_.assign(free_.size(), 0.0);
      add_others(problem, unit_);
      solve_refined(problem);
      for (std::size_t k = 0; k < free_.size(); ++k) unit_[free_[k]] = x_[k];
      seen_by_others(A, [&](int row, double w) { reduced_.A.rows()(row, i) = w; });
      unit_.setZero();
    }
    // A is symmetric up to rounding
    DenseRows& D = reduced_.A.rows();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) D(i, j) = D(j, i) = 0.5 * (D(i, j) + D(j, i));

    solve_free(problem, unit_);  // z_C = 0
    for (std::size_t k = 0; k < free_.size(); ++k) unit_[free_[k]] = x_[k];
    seen_by_others(A, [&](int row, double w) { reduced_.b[row] = w; });
    inner_.z.resize(n);
    for (int i = 0; i < n; ++i) {
      const int row = rest_[static_cast<std::size_t>(i)];
      reduced_.b[i] += problem.b[row];
      reduced_.lo[i] = problem.lo[row];
      reduced_.hi[i] = problem.hi[row];
      reduced_.mu[i] = problem.mu[row];
      const int by = problem.bound_by[static_cast<std::size_t>(row)];
      reduced_.bound_by[static_cast<std::size_t>(i)] =
          by < 0 ? by : place_[static_cast<std::size_t>(by)];
      inner_.z[i] = start[row];
    }
    for (Cone cone : problem.cones) {
      cone.first = place_[static_cast<std::size_t>(cone.first)];
      reduced_.cones.push_back(cone);
    }
  }

  // A unit_ at the rows that are not free.
  template <class F>
  void seen_by_others(const BlockRows& A, F&& f) const {
    for (int i = 0; i < A.size(); ++i) {
      if (block_[static_cast<std::size_t>(i)] >= 0) continue;
      for (int r = 0; r < A.width(i); ++r) {
        double sum = 0;
        for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k) {
          const int j = A.column[k], m = A.width(j);
          for (int c = 0; c < m; ++c) sum += A.block(k)[r * m + c] * unit_[A.first[j] + c];
        }
        f(place_[static_cast<std::size_t>(A.first[i] + r)], sum);
      }
    }
  }

  std::unique_ptr<Solver> behind_;
  SolverInfo info_;
  BlockLu lu_;
  std::vector<int> block_;           // index of each block row among the free ones, or -1
  std::vector<int> blocks_, sizes_;  // the free blocks
  std::vector<int> first_;           // first entry of each in x_, and the end
  std::vector<int> free_, rest_;     // rows of the problem
  std::vector<int> begin_, neighbours_, place_;
  std::vector<char> blind_;
  std::vector<double> right_, x_, y_, size_, best_;
  VectorX unit_, start_, w_, scratch_;
  Problem reduced_;
  Answer inner_;
};

}  // namespace

std::unique_ptr<Solver> make_free_first(std::unique_ptr<Solver> behind) {
  return std::make_unique<FreeFirst>(std::move(behind));
}

}  // namespace abut
