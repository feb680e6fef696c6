#include "abut/solve/pivoting/lemke.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/linear/kernels.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr double kWorthScaling = 1e3;
constexpr int kMoreRefinements = 3;
constexpr int kRegularisedRefinements = 40;

double power_of_two_near(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent);
}

double spread(const VectorX& sizes) {
  double least = kInfinity, most = 0;
  for (const double s : sizes)
    if (s > 0) least = std::min(least, s), most = std::max(most, s);
  return most > 0 ? most / least : 1;
}

}  // namespace

void Lemke::equilibrate(const DenseRows& M, const VectorX& q) {
  const int n = static_cast<int>(q.size());
  scaled_ = false;
  true_M_ = &M;
  q_ = q;
  row_scale_.resize(n);
  column_scale_.resize(n);
  if (!options.equilibrate) return;
  magnitudes(M.data(), n, row_scale_.data(), column_scale_.data());
  if (spread(row_scale_) <= kWorthScaling && spread(column_scale_) <= kWorthScaling) return;

  scaled_ = true;
  for (int i = 0; i < n; ++i)
    row_scale_[i] = row_scale_[i] > 0 ? 1 / power_of_two_near(row_scale_[i]) : 1;
  column_scale_.setZero();
  for (int i = 0; i < n; ++i)
    column_scale_ = column_scale_.cwiseMax(row_scale_[i] * M.row(i).cwiseAbs().transpose());
  for (int j = 0; j < n; ++j)
    column_scale_[j] = column_scale_[j] > 0 ? 1 / power_of_two_near(column_scale_[j]) : 1;
  scaled_M_.resize(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) scaled_M_(i, j) = row_scale_[i] * M(i, j) * column_scale_[j];
    q_[i] = row_scale_[i] * q[i];
  }
  true_M_ = &scaled_M_;
}

LemkeResult Lemke::solve(const DenseRows& M, const VectorX& q, VectorX& z) {
  LemkeResult result;
  const int n = static_cast<int>(q.size());
  z.setZero(n);
  certificate_.resize(n);
  tied_.reserve(n + 1);
  if (n == 0 || q.minCoeff() >= 0) {
    result.end = LemkeEnd::solved;
    return result;
  }
  equilibrate(M, q);
  const double size = q.cwiseAbs().maxCoeff();
  const double accept = options.accept > 0 ? options.accept : kSolveTolerance * (1 + size);
  result.residual = kInfinity;
  double eps = options.first_eps;
  for (int time = 0; time <= options.restarts; ++time) {
    const bool regularised = time > 1;
    if (regularised) {
      shifted_M_ = *true_M_;
      shifted_M_.diagonal().array() += eps * true_M_->cwiseAbs().maxCoeff();
      eps *= options.eps_growth;
    }
    result.restarts = time;
    const LemkeEnd end =
        attempt(regularised ? shifted_M_ : *true_M_,
                time == 1 ? options.fine_pivot_tolerance : options.pivot_tolerance, result.pivots);
    result.infeasible = end == LemkeEnd::ray && !regularised && ray_proves_infeasible(M, q);
    finish(regularised ? kRegularisedRefinements : 1);
    double residual = unscaled_residual(M, q);
    if (residual > kLemkeRefine * (1 + size) && end == LemkeEnd::solved) {
      finish(kMoreRefinements);
      residual = unscaled_residual(M, q);
    }
    if (residual < result.residual) {
      result.residual = residual;
      z = z_;
    }
    if (result.residual <= accept) {
      result.end = LemkeEnd::solved;
      result.infeasible = false;
      break;
    }
    if (time == 0 || result.infeasible)
      result.end = end == LemkeEnd::solved ? LemkeEnd::inaccurate : end;
    if (result.infeasible) break;
  }
  return result;
}

LemkeEnd Lemke::attempt(const DenseRows& M, double pivot_tolerance, int& pivots) {
  basis_.start(M, q_);
  const int n = basis_.size();
  const int most = options.most_pivots > 0 ? options.most_pivots : std::max(1000, 50 * n);

  int entering = basis_.artificial(), leaving = first_to_leave();
  basis_.column(entering);
  for (int count = 0; count < most; ++count) {
    last_entering_ = entering;
    if (count > 0) {
      basis_.column(entering);
      if (!(basis_.drift() <= kLemkeMostDrift)) {
        if (!basis_.refactor()) return LemkeEnd::inaccurate;
        basis_.column(entering);
      }
      leaving = to_leave(pivot_tolerance);
      if (leaving < 0) return LemkeEnd::ray;
    }
    ++pivots;
    const bool of_core = leaving >= n;
    const int place = of_core ? basis_.place(leaving) : leaving;
    const double x = of_core ? basis_.core_values()[place] : basis_.row_values()[place];
    const double t = of_core ? basis_.of_core()[place] : basis_.of_rows()[place];
    const double step = count > 0 ? std::max(x / t, 0.0) : -x;
    step_by(step);
    basis_.pivot(entering, leaving, step);
    if (leaving == basis_.artificial()) return LemkeEnd::solved;
    entering = basis_.complement(leaving);
  }
  return LemkeEnd::limit;
}

// z0 = -min q; among rows that tie, the last is the least in the lexicographic order of (q, I).
int Lemke::first_to_leave() const {
  int least = 0;
  for (int i = 1; i < q_.size(); ++i)
    if (q_[i] <= q_[least]) least = i;
  return least;
}

void Lemke::step_by(double step) {
  const auto change = [step](double* x, const double* t, int n) {
    for (int k = 0; k < n; ++k) {
      const double by = step * t[k], next = x[k] - by;
      x[k] = next > kLemkeNoise * (std::abs(x[k]) + std::abs(by)) ? next : 0.0;
    }
  };
  change(basis_.core_values().data(), basis_.of_core().data(), basis_.core_size());
  change(basis_.row_values().data(), basis_.of_rows().data(), basis_.size());
}

// The basic variable that reaches 0 first; z0 if it is among them; -1: none.
int Lemke::to_leave(double pivot_tolerance) {
  const int n = basis_.size(), m = basis_.core_size();
  const double *x_core = basis_.core_values().data(), *x_rows = basis_.row_values().data();
  const double *t_core = basis_.of_core().data(), *t_rows = basis_.of_rows().data();
  const double least_t = pivot_tolerance * basis_.largest();

  double ratio = kInfinity;
  for (int p = 0; p < m; ++p)
    if (t_core[p] > least_t && x_core[p] < ratio * t_core[p]) ratio = x_core[p] / t_core[p];
  // rows of the core have t = 0
  for (int i = 0; i < n; ++i)
    if (t_rows[i] > least_t && x_rows[i] < ratio * t_rows[i]) ratio = x_rows[i] / t_rows[i];
  if (!(ratio < kInfinity)) return -1;

  const double most = ratio * (1 + options.tie_tolerance);
  tied_.clear();
  for (int p = 0; p < m; ++p)
    if (t_core[p] > least_t && x_core[p] <= most * t_core[p]) {
      if (basis_.core(p) == basis_.artificial()) return basis_.artificial();
      tied_.push_back({basis_.core(p), t_core[p], 0});
    }
  for (int i = 0; i < n; ++i)
    if (t_rows[i] > least_t && x_rows[i] <= most * t_rows[i]) tied_.push_back({i, t_rows[i], 0});
  if (tied_.size() > 1 && options.lexicographic) return lexicographic_least();
  return tied_.empty() ? -1 : tied_.front().variable;
}

// The lexicographically least of the rows of B^-1 (I), each divided by its t (Cottle, Pang and
// Stone, 4.9.4). Compared column by column, since most ties end within a few columns.
int Lemke::lexicographic_least() {
  const int n = basis_.size();
  for (int c = 0; c < n && tied_.size() > 1; ++c) {
    if (basis_.w_is_basic(c)) {
      // a unit column: its own row is the greater
      std::erase_if(tied_, [c](const Tied& row) { return row.variable == c; });
      continue;
    }
    // entries are equal within the rounding of the column they were summed from; their own size
    // would let noise decide where all of them are 0
    const double size = basis_.fetch_inverse_column(c);
    double least = kInfinity, least_t = kInfinity;
    for (Tied& row : tied_) {
      row.entry = basis_.inverse_entry(row.variable) / row.t;
      least = std::min(least, row.entry);
      least_t = std::min(least_t, row.t);
    }
    const double most = least + kLexicographicNoise * size / least_t;
    std::erase_if(tied_, [most](const Tied& row) { return !(row.entry <= most); });
    if (tied_.empty()) return -1;  // not a number
  }
  return tied_.front().variable;
}

// Computes z_ of the last basis, refined with the matrix without eps.
void Lemke::finish(int refinements) {
  const int n = basis_.size();
  w_.resize(n);
  for (int step = 0;; ++step) {
    basis_.read(z_, w_);
    if (step == refinements) break;
    double off = 0;
    for (int i = 0; i < n; ++i) {
      if (basis_.w_is_basic(i)) continue;
      w_[i] = q_[i] + w_[i] + dot(true_M_->data() + std::size_t(i) * n, z_.data(), n);
      off = std::max(off, std::abs(w_[i]));
    }
    if (off == 0) break;
    basis_.correct(w_);
  }
}

double Lemke::unscaled_residual(const DenseRows& M, const VectorX& q) {
  const int n = basis_.size();
  double worst = 0;
  z_ = z_.cwiseMax(0.0);
  if (scaled_) z_ = z_.cwiseProduct(column_scale_);
  for (int i = 0; i < n; ++i) {
    const double w = q[i] + dot(M.data() + std::size_t(i) * n, z_.data(), n);
    const double off = std::abs(std::min(z_[i], w));
    if (!(off <= worst)) worst = off;
  }
  return std::isnan(worst) ? kInfinity : worst;
}

// y = z of the ray. The proof is self-contained: M' y <= 0 and q' y < 0 are checked, not deduced.
bool Lemke::ray_proves_infeasible(const DenseRows& M, const VectorX& q) {
  const int n = basis_.size(), entering = last_entering_;
  VectorX& y = certificate_;
  y.setZero();
  if (entering >= n) y[entering - n] = 1;
  for (int p = 0; p < basis_.core_size(); ++p)
    if (const int z = basis_.core(p) - n; z < n) y[z] = std::max(-basis_.of_core()[p], 0.0);
  if (scaled_) y = y.cwiseProduct(column_scale_);
  const double largest = y.maxCoeff();
  if (!(largest > 0)) return false;
  y /= largest;
  w_.setZero(n);
  z_.setZero(n);  // sum of the |terms|
  for (int i = 0; i < n; ++i) {
    if (y[i] == 0) continue;
    w_ += y[i] * M.row(i).transpose();
    z_ += y[i] * M.row(i).cwiseAbs().transpose();
  }
  for (int j = 0; j < n; ++j)
    if (!(w_[j] <= kLemkeProof * z_[j])) return false;
  return q.dot(y) < -kLemkeProof * q.cwiseAbs().dot(y);
}

namespace {

class LemkeSolver final : public Solver {
 public:
  const SolverInfo& info() const override { return lemke_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (!form_.build(problem)) {
      answer.status = SolveStatus::infeasible;
      answer.reason = "the free rows contradict each other";
      return;
    }
    const int n = problem.size();
    lemke_.options.most_pivots = options.most_iterations;
    lemke_.options.accept = options.tolerance * (1 + (n ? problem.b.cwiseAbs().maxCoeff() : 0));
    const LemkeResult result = lemke_.solve(form_.M(), form_.q(), x_);
    form_.restore(x_, answer.z);
    answer.pivots = result.pivots;
    if (result.infeasible) {
      answer.status = SolveStatus::infeasible;
      answer.reason = "secondary ray, with a proof";
    } else if (result.end == LemkeEnd::ray) {
      answer.reason = "secondary ray";
    } else if (result.end == LemkeEnd::limit) {
      answer.reason = "pivot limit";
    }
  }

 private:
  LcpForm form_;
  Lemke lemke_;
  VectorX x_;
};

}  // namespace

const SolverInfo& lemke_info() {
  static const SolverInfo info = {
      .name = "lemke",
      .summary = "complementary pivoting with one artificial variable, lexicographic",
      .guarantee =
          "ends; P-matrices, semidefinite and copositive plus ones (friction as Stewart "
          "and Trinkle write it): a solution if there is one, else a proof",
      .kinds = bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      .classes = bit(MatrixClass::p_matrix) | bit(MatrixClass::semidefinite) |
                 bit(MatrixClass::copositive_plus),
      .forms = bit(Matrix::Form::dense),
  };
  return info;
}

std::unique_ptr<Solver> make_lemke() { return std::make_unique<LemkeSolver>(); }

}  // namespace abut
