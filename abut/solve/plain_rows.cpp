#include "abut/solve/plain_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/solve/linear/kernels.h"

namespace abut {

namespace {

constexpr int kLanes = 4;
constexpr int kLeastRows = 24;  // with fewer rows, all of A is as fast

// y += x[0] column[0] + .. of the matrix whose rows are n apart
template <int Columns>
void add_columns(const double* a, int n, const int* column, const double* x, double* y) {
  for (int i = 0; i < n; ++i, a += n) {
    double sum = y[i];
    for (int k = 0; k < Columns; ++k) sum += a[column[k]] * x[k];
    y[i] = sum;
  }
}

}  // namespace

ABUT_WIDEST Residuals plain_residuals(const VectorX& b, const VectorX& z, VectorX& w) {
  const int n = static_cast<int>(z.size());
  const double *from = b.data(), *force = z.data();
  double* velocity = w.data();
  double most_b[kLanes] = {}, off[kLanes] = {}, out[kLanes] = {}, product[kLanes] = {};
  double poison[kLanes] = {};  // 0, or NaN, which comparisons would lose
  for (int i = 0; i < n; i += kLanes) {
    const int lanes = std::min(kLanes, n - i);
    double zs[kLanes] = {}, bs[kLanes] = {}, ws[kLanes] = {};
    if (lanes == kLanes) {
      for (int l = 0; l < kLanes; ++l) zs[l] = force[i + l], bs[l] = from[i + l];
      for (int l = 0; l < kLanes; ++l) ws[l] = velocity[i + l] += bs[l];
    } else {
      for (int l = 0; l < lanes; ++l) zs[l] = force[i + l], bs[l] = from[i + l];
      for (int l = 0; l < lanes; ++l) ws[l] = velocity[i + l] += bs[l];
    }
    for (int l = 0; l < kLanes; ++l) {
      const double map = zs[l] < ws[l] ? zs[l] : ws[l];
      const double size = std::abs(map), much_b = std::abs(bs[l]);
      const double work = ws[l] > 0 ? std::abs(ws[l] * zs[l]) : 0.0;
      off[l] = size > off[l] ? size : off[l];
      out[l] = -map > out[l] ? -map : out[l];
      product[l] = work > product[l] ? work : product[l];
      most_b[l] = much_b > most_b[l] ? much_b : most_b[l];
      poison[l] += map * 0;
    }
  }
  Residuals r;
  double most = 0, nothing = 0;
  for (int l = 0; l < kLanes; ++l) {
    r.natural = std::max(r.natural, off[l]);
    r.feasibility = std::max(r.feasibility, out[l]);
    r.complementarity = std::max(r.complementarity, product[l]);
    most = std::max(most, most_b[l]);
    nothing += poison[l];
  }
  if (std::isnan(nothing)) r.natural = std::numeric_limits<double>::quiet_NaN();
  r.relative = r.natural / (1 + most);
  return r;
}

bool FewColumns::find(const VectorX& x) {
  const int n = static_cast<int>(x.size()), most = std::min(n / 4, kMost);
  count_ = 0;
  if (n < kLeastRows) return false;
  for (int j = 0; j < n; ++j) {
    if (x[j] == 0) continue;
    if (count_ == most) return false;
    column_[count_] = j;
    x_[count_++] = x[j];
  }
  return true;
}

void FewColumns::multiply(const DenseRows& A, VectorX& y) const {
  const int n = static_cast<int>(A.rows());
  y.setZero(n);
  int k = 0;
  for (; k + 4 <= count_; k += 4) add_columns<4>(A.data(), n, column_ + k, x_ + k, y.data());
  if (k + 2 <= count_) add_columns<2>(A.data(), n, column_ + k, x_ + k, y.data()), k += 2;
  if (k < count_) add_columns<1>(A.data(), n, column_ + k, x_ + k, y.data());
}

double FewColumns::size_of_row(const DenseRows& A, int i) const {
  const double* a = A.data() + static_cast<std::ptrdiff_t>(i) * A.cols();
  double sum = 0;
  for (int k = 0; k < count_; ++k) sum += std::abs(a[column_[k]] * x_[k]);
  return sum;
}

}  // namespace abut
