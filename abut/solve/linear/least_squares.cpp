#include "abut/solve/linear/least_squares.h"

#include <cmath>
#include <limits>
#include <utility>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

// The reflector that maps (head, tail) to (beta, 0): tail becomes its vector (with a leading 1 that
// is not stored). Returns {beta, tau}.
template <class Tail>
std::pair<double, double> make_reflector(double head, Tail&& tail) {
  const double norm = std::hypot(head, tail.norm());
  if (!(norm > 0)) return {0, 0};
  const double beta = head > 0 ? -norm : norm;
  tail /= head - beta;
  return {beta, (beta - head) / beta};
}

template <class Tail, class Other>
void reflect(double tau, const Tail& v, double& head, Other&& tail) {
  const double s = tau * (head + v.dot(tail));
  head -= s;
  tail -= s * v;
}

}  // namespace

void LeastSquares::resize(int most_rows, int n) {
  J.resize(most_rows, n);
  r.resize(most_rows);
  norm_.resize(n);
  first_norm_.resize(n);
  c_.resize(n);
  y_.resize(n);
  R_.resize(n, n);
  T_.resize(n, n);
  order_.resize(n);
}

void LeastSquares::factor(int m) {
  const int n = static_cast<int>(J.cols());
  for (int j = 0; j < n; ++j) {
    order_[j] = j;
    norm_[j] = first_norm_[j] = J.col(j).head(m).norm();
  }
  for (int k = 0; k < n; ++k) {
    int pivot;
    norm_.tail(n - k).maxCoeff(&pivot);
    pivot += k;
    if (pivot != k) {
      J.col(k).head(m).swap(J.col(pivot).head(m));
      std::swap(norm_[k], norm_[pivot]);
      std::swap(first_norm_[k], first_norm_[pivot]);
      std::swap(order_[k], order_[pivot]);
    }
    const int rest = m - k - 1;
    auto v = J.col(k).segment(k + 1, rest);
    const auto [beta, tau] = make_reflector(J(k, k), v);
    J(k, k) = beta;
    for (int j = k + 1; j < n; ++j) {
      reflect(tau, v, J(k, j), J.col(j).segment(k + 1, rest));
      // the norm of the remaining part, by Pythagoras until that has lost its digits
      const double left = norm_[j] * norm_[j] - J(k, j) * J(k, j);
      if (left > kNormLost * first_norm_[j] * first_norm_[j])
        norm_[j] = std::sqrt(left);
      else
        norm_[j] = first_norm_[j] = J.col(j).segment(k + 1, rest).norm();
    }
    reflect(tau, v, r[k], r.segment(k + 1, rest));
  }
  c_ = r.head(n);
}

double LeastSquares::smallest() const {
  return J.cols() == 0 ? 1 : J.diagonal().cwiseAbs().minCoeff();
}

double LeastSquares::condition() const {
  if (J.cols() == 0) return 1;
  const double low = smallest();
  return low > 0 ? J.diagonal().cwiseAbs().maxCoeff() / low
                 : std::numeric_limits<double>::infinity();
}

void LeastSquares::solve(double mu, Eigen::VectorXd& x) {
  const int n = static_cast<int>(J.cols());
  x.resize(n);
  if (mu <= 0) {
    y_ = c_;
    J.topRows(n).triangularView<Eigen::Upper>().solveInPlace(y_);
  } else {
    // R above sqrt(mu) I: the lower part fills from the left, column k has rows 0 .. k
    R_.triangularView<Eigen::Upper>() = J.topRows(n);
    T_.setZero();
    T_.diagonal().setConstant(std::sqrt(mu));
    y_ = c_;
    auto& low = r;  // only used as scratch: its first rows are in c_
    low.head(n).setZero();
    for (int k = 0; k < n; ++k) {
      auto v = T_.col(k).head(k + 1);
      const auto [beta, tau] = make_reflector(R_(k, k), v);
      R_(k, k) = beta;
      for (int j = k + 1; j < n; ++j) reflect(tau, v, R_(k, j), T_.col(j).head(k + 1));
      reflect(tau, v, y_[k], low.head(k + 1));
    }
    R_.triangularView<Eigen::Upper>().solveInPlace(y_);
  }
  for (int k = 0; k < n; ++k) x[order_[k]] = y_[k];
}

}  // namespace abut
