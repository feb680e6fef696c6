#include "abut/solve/newton/mcp.h"

#include <algorithm>
#include <cmath>

namespace abut {

NaturalRow natural_row(const Mcp& m, const VectorX& z, const VectorX& w, int i) {
  double lo = m.lo[i], hi = m.hi[i];
  if (const int j = m.bounding_row(i); j >= 0) {
    hi = m.mu[i] * std::max(z[j], 0.0);
    lo = -hi;
  }
  const double below = z[i] - lo, above = z[i] - hi;
  if (above >= std::min(below, w[i])) return {above, NaturalCase::at_hi};
  if (below <= w[i]) return {below, NaturalCase::at_lo};
  return {w[i], NaturalCase::inside};
}

double natural_residual(const Mcp& m, const VectorX& z, const VectorX& w) {
  double worst = 0;
  const bool scaled = m.z_unit.size() > 0;
  for (int i = 0; i < m.size(); ++i) {
    double off;
    if (!scaled) {
      off = natural_row(m, z, w, i).value;
    } else {
      const double zu = m.z_unit[i];
      double lo = m.lo[i], hi = m.hi[i];
      if (const int j = m.bounding_row(i); j >= 0) {
        hi = m.mu[i] * std::max(z[j], 0.0);
        lo = -hi;
      }
      off = std::max((z[i] - hi) * zu, std::min((z[i] - lo) * zu, w[i] * m.w_unit[i]));
    }
    off = std::abs(off);
    if (!(off <= worst)) worst = off;
    if (std::isnan(worst)) return kInfinity;
  }
  return worst;
}

void project_to_bounds(const Mcp& m, VectorX& z) {
  for (int i = 0; i < m.size(); ++i)
    if (m.bounding_row(i) < 0) z[i] = std::min(std::max(z[i], m.lo[i]), m.hi[i]);
}

namespace {

// The power of two nearest to 1 / sqrt(x); 1 for 0, and bounded: no overflow from any input.
double inverse_root(double x) {
  if (!(x > 0) || std::isinf(x)) return 1;
  const double e = std::round(-0.5 * std::log2(x));
  return std::exp2(std::clamp(e, -100.0, 100.0));
}

constexpr int kPasses = 5;  // each pass halves the spread of the exponents

}  // namespace

ScaledProblem::ScaledProblem() {
  mcp_.linear = true;
  mcp_.value = [this](const VectorX& z, VectorX& w) {
    w.noalias() = A_ * z;
    w += b_;
  };
  mcp_.jacobian = [this](const VectorX&, DenseRows& J) { J = A_; };
}

void ScaledProblem::assign(const Problem& p) {
  const int n = p.size();
  p.A.to_dense(A_);
  row_.setOnes(n);
  column_.setOnes(n);
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int i = 0; i < n; ++i) {
      const double r = inverse_root(A_.row(i).cwiseAbs().maxCoeff());
      row_[i] *= r;
      // rows first, then columns of the result: with both from the same A, a matrix with one large
      // row and column oscillates
      A_.row(i) *= r;
    }
    for (int j = 0; j < n; ++j) {
      const double c = inverse_root(A_.col(j).cwiseAbs().maxCoeff());
      column_[j] *= c;
      A_.col(j) *= c;
    }
  }

  b_ = p.b.cwiseProduct(row_);
  const double largest = n > 0 ? b_.cwiseAbs().maxCoeff() : 0;
  const double unit = largest > 0 && std::isfinite(largest)
                          ? std::exp2(std::clamp(std::round(std::log2(largest)), -300.0, 300.0))
                          : 1;
  b_ /= unit;
  mcp_.z_unit = unit * column_;
  mcp_.w_unit = (unit / row_.array()).matrix();

  mcp_.lo = p.lo.cwiseQuotient(mcp_.z_unit);
  mcp_.hi = p.hi.cwiseQuotient(mcp_.z_unit);
  mcp_.bound_by = p.bound_by;
  mcp_.mu = p.mu;
  for (int i = 0; i < n; ++i)
    if (const int j = p.bound_by[i]; j >= 0) mcp_.mu[i] *= column_[j] / column_[i];
}

}  // namespace abut
