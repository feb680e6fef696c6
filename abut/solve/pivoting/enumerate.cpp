#include "abut/solve/pivoting/enumerate.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostSimplexPivots = 10'000;

double scale_of(double largest) { return largest > 0 && std::isfinite(largest) ? 1 / largest : 1; }

}  // namespace

Enumerator::At Enumerator::first_of(int i) const {
  const Problem& p = *problem_;
  if (p.bound_by[i] >= 0) return At::low;
  if (p.lo[i] > -kInfinity) return At::low;
  return p.hi[i] < kInfinity ? At::high : At::between;
}

// The next of low, high, between that exists. Returns false after the last.
bool Enumerator::next_of(int i, At& at) const {
  const Problem& p = *problem_;
  const bool by_another = p.bound_by[i] >= 0;
  if (at == At::between || (!by_another && p.lo[i] == p.hi[i])) return false;
  const bool top = by_another || p.hi[i] < kInfinity;
  at = at == At::low && top ? At::high : At::between;
  return true;
}

bool Enumerator::start(const Problem& problem, double tolerance) {
  problem_ = &problem;
  const int n = problem.size();
  fresh_ = true;
  looked_at_ = 0;
  allowed_ = tolerance * (1 + (n ? problem.b.cwiseAbs().maxCoeff() : 0));
  if (!problem.cones.empty()) return false;
  at_.resize(n);
  long choices = 1;
  for (int i = 0; i < n; ++i) {
    At at = at_[i] = first_of(i);
    long here = 1;
    while (next_of(i, at)) ++here;
    choices *= here;
    if (choices > kMostChoices) return false;
  }
  problem.A.to_dense(A_);
  z_.resize(n);
  w_.resize(n);
  // allocate for every choice: a choice uses the first entries, so that nothing is resized later
  unknown_of_.resize(n);
  between_.reserve(n);
  for (DenseRows* m : {&R_, &null_, &dz_, &dw_}) m->resize(n, n);
  dictionary_.resize(2 * n, n + 1);
  basic_.resize(2 * n);
  nonbasic_.resize(n);
  for (VectorX* x :
       {&r_, &u_, &correction_, &row_scale_, &column_scale_, &solved_, &scratch_, &direction_})
    x->resize(n);
  row_order_.resize(n);
  column_order_.resize(n);
  return true;
}

bool Enumerator::advance() {
  if (fresh_) {
    fresh_ = false;
    return true;
  }
  // an odometer; the first wheel turns fastest
  for (int i = 0; i < static_cast<int>(at_.size()); ++i) {
    if (next_of(i, at_[i])) return true;
    at_[i] = first_of(i);
  }
  return false;
}

bool Enumerator::next() {
  while (advance()) {
    ++looked_at_;
    if (solve_choice()) return true;
  }
  return false;
}

// Computes z of all rows from those between their bounds. Homogeneous: the linear part alone.
void Enumerator::spread(const VectorX& u, bool homogeneous, VectorX& z) const {
  const Problem& p = *problem_;
  const int n = p.size();
  z.resize(n);
  for (int i = 0; i < n; ++i) {
    if (at_[i] == At::between)
      z[i] = u[unknown_of_[i]];
    else if (p.bound_by[i] < 0)
      z[i] = homogeneous ? 0 : at_[i] == At::low ? p.lo[i] : p.hi[i];
  }
  for (int i = 0; i < n; ++i)
    if (at_[i] != At::between && p.bound_by[i] >= 0)
      z[i] = (at_[i] == At::low ? -p.mu[i] : p.mu[i]) * z[p.bound_by[i]];
}

void Enumerator::write_equations() {
  const Problem& p = *problem_;
  const int n = p.size();
  between_.clear();
  for (int i = 0; i < n; ++i) {
    unknown_of_[i] = at_[i] == At::between ? static_cast<int>(between_.size()) : -1;
    if (at_[i] == At::between) between_.push_back(i);
  }
  const int m = static_cast<int>(between_.size());

  // right-hand side: the part of the rows at bounds
  u_.setZero();
  spread(u_, false, z_);
  for (int k = 0; k < m; ++k) r_[k] = -p.b[between_[k]] - A_.row(between_[k]).dot(z_);

  for (int k = 0; k < m; ++k)
    for (int l = 0; l < m; ++l) R_(k, l) = A_(between_[k], between_[l]);
  // z_i = +/- mu z_j follows an unknown
  for (int i = 0; i < n; ++i) {
    if (at_[i] == At::between || p.bound_by[i] < 0) continue;
    const int l = unknown_of_[p.bound_by[i]];
    if (l < 0) continue;
    const double share = at_[i] == At::low ? -p.mu[i] : p.mu[i];
    for (int k = 0; k < m; ++k) R_(k, l) += share * A_(between_[k], i);
  }
}

// Equilibrates R, then factors it by LU with complete pivoting, which shows the rank.
void Enumerator::factor() {
  const int m = static_cast<int>(between_.size());
  for (int k = 0; k < m; ++k) {
    row_scale_[k] = scale_of(R_.row(k).head(m).cwiseAbs().maxCoeff());
    R_.row(k).head(m) *= row_scale_[k];
  }
  for (int l = 0; l < m; ++l) {
    column_scale_[l] = scale_of(R_.col(l).head(m).cwiseAbs().maxCoeff());
    R_.col(l).head(m) *= column_scale_[l];
  }
  for (int k = 0; k < m; ++k) row_order_[k] = column_order_[k] = k;

  for (rank_ = 0; rank_ < m; ++rank_) {
    const int s = rank_;
    int row = s, column = s;
    double most = 0;
    for (int k = s; k < m; ++k)
      for (int l = s; l < m; ++l)
        if (std::abs(R_(k, l)) > most) most = std::abs(R_(k, l)), row = k, column = l;
    if (!(most > kEquationRank)) return;
    if (row != s) {
      R_.row(row).swap(R_.row(s));
      std::swap(row_order_[row], row_order_[s]);
    }
    if (column != s) {
      R_.col(column).swap(R_.col(s));
      std::swap(column_order_[column], column_order_[s]);
    }
    for (int k = s + 1; k < m; ++k) {
      const double factor = R_(k, s) / R_(s, s);
      R_(k, s) = factor;
      if (factor == 0) continue;
      for (int l = s + 1; l < m; ++l) R_(k, l) -= factor * R_(s, l);
    }
  }
}

// For a singular R: the basic solution, which ignores the last equations.
void Enumerator::solve_factored(const VectorX& rhs, VectorX& u) {
  VectorX& y = solved_;
  for (int k = 0; k < rank_; ++k) {
    y[k] = rhs[row_order_[k]] * row_scale_[row_order_[k]];
    for (int l = 0; l < k; ++l) y[k] -= R_(k, l) * y[l];
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    for (int l = k + 1; l < rank_; ++l) y[k] -= R_(k, l) * y[l];
    y[k] /= R_(k, k);
  }
  u.setZero();
  for (int k = 0; k < rank_; ++k) u[column_order_[k]] = y[k] * column_scale_[column_order_[k]];
}

double Enumerator::natural_residual() {
  w_.noalias() = A_ * z_;
  w_ += problem_->b;
  natural_map(*problem_, z_, w_, scratch_);
  return z_.allFinite() && w_.allFinite() ? scratch_.cwiseAbs().maxCoeff() : kInfinity;
}

bool Enumerator::solve_choice() {
  if (z_.size() == 0) return true;
  write_equations();
  factor();
  solve_factored(r_, u_);
  const int m = static_cast<int>(between_.size());
  if (rank_ < m && !find_point_of_affine_set()) return false;
  spread(u_, false, z_);
  double off = natural_residual();
  // one step of refinement, if rounding left an error
  double unfinished = 0;
  for (int k = 0; k < m; ++k) unfinished = std::max(unfinished, std::abs(w_[between_[k]]));
  if (unfinished > 0.1 * allowed_) {
    for (int k = 0; k < m; ++k) r_[k] = -w_[between_[k]];
    solve_factored(r_, correction_);
    u_ += correction_;
    spread(u_, false, z_);
    off = natural_residual();
  }
  return off <= allowed_;
}

// R u = r has more than one solution, u + N y, or none. Searches a y that satisfies the
// inequalities of the choice, g . y + c >= 0, by the dual simplex method (the objective is zero, so
// that every basis is dual feasible) with Bland's least index.
bool Enumerator::find_point_of_affine_set() {
  const Problem& p = *problem_;
  const int n = p.size(), m = static_cast<int>(between_.size()), freedom = m - rank_;

  // the equations that the factors ignored must hold
  spread(u_, false, z_);
  w_.noalias() = A_ * z_;
  w_ += p.b;
  for (int k = rank_; k < m; ++k) {
    const int i = between_[row_order_[k]];
    const double size = std::abs(p.b[i]) + A_.row(i).cwiseAbs().dot(z_.cwiseAbs());
    if (!(std::abs(w_[i]) <= std::max(allowed_, kLeftOutEquation * size))) return false;
  }

  // columns of N, and their effect on z and w
  const auto dz = dz_.leftCols(freedom), dw = dw_.leftCols(freedom);
  for (int f = 0; f < freedom; ++f) {
    direction_.setZero();
    direction_[column_order_[rank_ + f]] = column_scale_[column_order_[rank_ + f]];
    for (int k = rank_ - 1; k >= 0; --k) {
      double sum = -R_(k, rank_ + f);
      for (int l = k + 1; l < rank_; ++l)
        sum -= R_(k, l) * direction_[column_order_[l]] / column_scale_[column_order_[l]];
      direction_[column_order_[k]] = sum / R_(k, k) * column_scale_[column_order_[k]];
    }
    null_.col(f) = direction_;
    spread(direction_, true, scratch_);
    dz_.col(f) = scratch_;
  }
  dw_.leftCols(freedom).noalias() = A_.lazyProduct(dz);

  // the dictionary: slack = g . y + c, a row for each inequality
  int rows = 0;
  const auto inequality = [&](double sign, const auto& g, double c) {
    auto row = dictionary_.row(rows++).head(freedom + 1);
    row.head(freedom) = sign * g;
    row[freedom] = c;
    const double scale = row.head(freedom).cwiseAbs().maxCoeff();
    if (scale > kSimplexPivot) row /= scale;
  };
  for (int i = 0; i < n; ++i) {
    const int j = p.bound_by[i];
    if (at_[i] == At::between && j >= 0) {
      inequality(1, dz.row(i) + p.mu[i] * dz.row(j), z_[i] + p.mu[i] * z_[j]);
      inequality(1, p.mu[i] * dz.row(j) - dz.row(i), p.mu[i] * z_[j] - z_[i]);
    } else if (at_[i] == At::between) {
      if (p.lo[i] > -kInfinity) inequality(1, dz.row(i), z_[i] - p.lo[i]);
      if (p.hi[i] < kInfinity) inequality(-1, dz.row(i), p.hi[i] - z_[i]);
    } else if (j >= 0 || p.lo[i] != p.hi[i]) {
      const double sign = at_[i] == At::low ? 1 : -1;
      inequality(sign, dw.row(i), sign * w_[i]);
    }
  }
  for (int r = 0; r < rows; ++r) basic_[r] = r;
  for (int f = 0; f < freedom; ++f) nonbasic_[f] = rows + f;  // y: without sign

  const auto pivot = [&](int r, int c) {
    const double by = dictionary_(r, c);
    dictionary_.row(r).head(freedom + 1) /= -by;
    dictionary_(r, c) = 1 / by;
    for (int k = 0; k < rows; ++k) {
      if (k == r) continue;
      const double factor = dictionary_(k, c);
      dictionary_(k, c) = 0;
      dictionary_.row(k).head(freedom + 1) += factor * dictionary_.row(r).head(freedom + 1);
    }
    std::swap(basic_[r], nonbasic_[c]);
  };
  // y first: once basic, it has no inequality to violate
  for (int c = 0; c < freedom; ++c) {
    int best = -1;
    for (int r = 0; r < rows; ++r)
      if (basic_[r] < rows && std::abs(dictionary_(r, c)) > kSimplexPivot &&
          (best < 0 || std::abs(dictionary_(r, c)) > std::abs(dictionary_(best, c))))
        best = r;
    if (best >= 0) pivot(best, c);
  }
  for (int count = 0;; ++count) {
    int leaving = -1;
    for (int r = 0; r < rows; ++r)
      if (basic_[r] < rows && !(dictionary_(r, freedom) >= -0.1 * allowed_) &&
          (leaving < 0 || basic_[r] < basic_[leaving]))
        leaving = r;
    if (leaving < 0) break;
    int entering = -1;
    for (int c = 0; c < freedom; ++c)
      if (nonbasic_[c] < rows && dictionary_(leaving, c) > kSimplexPivot &&
          (entering < 0 || nonbasic_[c] < nonbasic_[entering]))
        entering = c;
    if (entering < 0 || count == kMostSimplexPivots) return false;
    pivot(leaving, entering);
  }
  for (int r = 0; r < rows; ++r)
    if (basic_[r] >= rows) u_ += null_.col(basic_[r] - rows) * dictionary_(r, freedom);
  return true;
}

Enumeration enumerate_solutions(const Problem& problem, double tolerance, int most) {
  Enumeration result;
  Enumerator enumerator;
  if (!enumerator.start(problem, tolerance)) return result;
  result.complete = true;
  while (enumerator.next()) {
    const VectorX& z = enumerator.z();
    const bool known =
        std::any_of(result.solutions.begin(), result.solutions.end(), [&](const VectorX& other) {
          return z.size() == 0 || (z - other).cwiseAbs().maxCoeff() <=
                                      kSameEnumerated * (1 + other.cwiseAbs().maxCoeff());
        });
    if (known) continue;
    result.solutions.push_back(z);
    if (static_cast<int>(result.solutions.size()) == most) {
      result.complete = false;
      break;
    }
  }
  result.choices = enumerator.choices();
  return result;
}

namespace {

class Enumerate final : public Solver {
 public:
  const SolverInfo& info() const override { return enum_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (!enumerator_.start(problem, options.tolerance)) {
      answer.reason = "too many choices to enumerate";
    } else if (enumerator_.next()) {
      answer.z = enumerator_.z();
    } else {
      answer.status = SolveStatus::infeasible;
      answer.reason = "no choice of bounds has a solution";
    }
    answer.iterations = static_cast<int>(enumerator_.choices());
  }

 private:
  Enumerator enumerator_;
};

}  // namespace

const SolverInfo& enum_info() {
  static const SolverInfo info = {
      .name = "enum",
      .summary = "every choice of bounds in turn, for up to 16 complementary rows",
      .guarantee = "finds a solution if there is one, else says infeasible; any matrix",
      .kinds = bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      .classes = bit(MatrixClass::p_matrix) | bit(MatrixClass::semidefinite) |
                 bit(MatrixClass::copositive_plus) | bit(MatrixClass::any),
      .forms = bit(Matrix::Form::dense),
  };
  return info;
}

std::unique_ptr<Solver> make_enum() { return std::make_unique<Enumerate>(); }

}  // namespace abut
