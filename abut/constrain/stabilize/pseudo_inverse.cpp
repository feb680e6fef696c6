#include "abut/constrain/stabilize/pseudo_inverse.h"

#include <cmath>

#include "abut/math/dense.h"

namespace abut {

int PseudoInverse::solve(const DenseRows& A, const VectorX& b, VectorX& x) {
  const int n = static_cast<int>(b.size());
  scale_.resize(n);
  for (int i = 0; i < n; ++i) scale_[i] = A(i, i) > 0 ? 1 / std::sqrt(A(i, i)) : 0;
  scaled_.resize(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scaled_(i, j) = scale_[i] * A(i, j) * scale_[j];
  find_eigenvectors(scaled_, eigen_);
  const auto& value = eigen_.eigenvalues();
  const auto& vector = eigen_.eigenvectors();
  x.setZero(n);
  int rank = 0;
  for (int k = n - 1; k >= 0 && value[k] > cut * value[n - 1] && value[k] > 0; --k, ++rank) {
    double part = 0;
    for (int i = 0; i < n; ++i) part += vector(i, k) * scale_[i] * b[i];
    part /= value[k];
    for (int i = 0; i < n; ++i) x[i] += part * vector(i, k) * scale_[i];
  }
  return rank;
}

}  // namespace abut
