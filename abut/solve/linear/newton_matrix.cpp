#include "abut/solve/linear/newton_matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostRounds = 5;    // of refinement
constexpr double kNever = 1e300;

void multiply_block(const double* M, int size, const double* x, double* out) {
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += M[i * size + j] * x[j];
    out[i] = sum;
  }
}

}  // namespace

void NewtonMatrix::find_Q() {
  Q_.resize(9 * pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int size = pieces_[p].size;
    const DiagonalBlock& block = diagonal_blocks_[p];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += block.inverse[i * size + k] * block.C[k * size + j];
        Q_[9 * p + i * size + j] = sum;
      }
  }
}

void NewtonMatrix::solve(const VectorX& r, VectorX& x) {
  const auto n = r.size();
  left_ = r;
  x.setZero(n);
  t_.resize(n);
  double before = kNever;
  for (int round = 0; round < kMostRounds; ++round) {
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      multiply_block(diagonal_blocks_[p].inverse, pieces_[p].size, left_.data() + pieces_[p].first,
                     t_.data() + pieces_[p].first);
    solve_once(t_, correction_);
    x += correction_;
    // r - P x - C A x
    multiply(x, Ax_);
    double now = 0;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const int first = pieces_[p].first, size = pieces_[p].size;
      double Px[3], CAx[3];
      multiply_block(diagonal_blocks_[p].P, size, x.data() + first, Px);
      multiply_block(diagonal_blocks_[p].C, size, Ax_.data() + first, CAx);
      for (int i = 0; i < size; ++i) {
        left_[first + i] = r[first + i] - Px[i] - CAx[i];
        now = std::max(now, std::abs(left_[first + i]));
      }
    }
    if (round > 0 && !(now < 0.5 * before)) {
      if (!(now <= before)) x -= correction_;
      break;
    }
    before = now;
    if (now <= kRefined * r.cwiseAbs().maxCoeff()) break;
  }
}

}  // namespace abut
