#include "abut/contact/complementarity/mixing.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "abut/contact/complementarity/tolerances.h"

namespace abut {

void Mixing::begin(int n) {
  df_.resize(n, kDepth);
  dg_.resize(n, kDepth);
  f_.resize(n), g_.resize(n), new_f_.resize(n);
  count_ = 0;
}

void Mixing::advance(std::span<const double> next, std::span<double> x) {
  const Eigen::Map<const VecX> g(next.data(), f_.size());
  Eigen::Map<VecX> to(x.data(), f_.size());
  new_f_ = g - to;
  if (count_ > 0 && new_f_.norm() > 4 * f_.norm()) count_ = 0;  // what is known misleads
  if (count_ > 0) {
    const int k = (count_ - 1) % kDepth;
    df_.col(k) = new_f_ - f_;
    dg_.col(k) = g - g_;
  }
  f_ = new_f_;
  g_ = g;
  const int m = std::min(count_, kDepth);
  ++count_;
  to = g;
  if (m == 0) return;
  // least squares by the normal equations: of four columns, with a little of their diagonal
  normal_.setZero();
  gamma_.setZero();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) normal_(i, j) = df_.col(i).dot(df_.col(j));
    gamma_[i] = df_.col(i).dot(f_);
  }
  for (int i = 0; i < kDepth; ++i) normal_(i, i) = i < m ? normal_(i, i) * (1 + kMixingRidge) : 1;
  gamma_ = normal_.ldlt().solve(gamma_).eval();
  if (gamma_.allFinite())
    for (int i = 0; i < m; ++i) to -= gamma_[i] * dg_.col(i);
}

}  // namespace abut
