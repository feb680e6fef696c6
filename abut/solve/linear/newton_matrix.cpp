#include "abut/solve/linear/newton_matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostRounds = 5;  // of refinement
constexpr double kNever = 1e300;

void multiply_block(const double* M, int size, const double* x, double* out) {
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += M[i * size + j] * x[j];
    out[i] = sum;
  }
}

void divide_by_P(const DiagonalBlock& block, int size, const double* x, double* out) {
  double part[3];
  multiply_block(block.inverse, size, x, block.split ? part : out);
  if (block.split) multiply_block(block.right_inverse, size, part, out);
}

}  // namespace

void NewtonMatrix::find_Q() {
  Q_.resize(9 * pieces_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int size = pieces_[p].size;
    const DiagonalBlock& block = diagonal_blocks_[p];
    for (int j = 0; j < size; ++j) {
      double column[3], out[3];
      for (int k = 0; k < size; ++k) column[k] = block.C[k * size + j];
      divide_by_P(block, size, column, out);
      for (int i = 0; i < size; ++i) Q_[9 * p + i * size + j] = out[i];
    }
  }
}

// x and half() += what v says of them.
void NewtonMatrix::correct(const VectorX& v, VectorX& x) {
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int first = pieces_[p].first, size = pieces_[p].size;
    const DiagonalBlock& block = diagonal_blocks_[p];
    double Cv[3], rest[3];
    multiply_block(block.C, size, v.data() + first, Cv);
    for (int i = 0; i < size; ++i) rest[i] = left_[first + i] - Cv[i];
    double* half = half_change_.data() + first;
    multiply_block(block.inverse, size, rest, half);
    if (block.split)
      multiply_block(block.right_inverse, size, half, change_.data() + first);
    else
      std::copy_n(half, size, change_.data() + first);
  }
  x += change_;
  half_ += half_change_;
}

// left_ = r - P x - C A x, and its size: of split pieces in the units of half().
double NewtonMatrix::leave(const VectorX& r, const VectorX& x) {
  multiply(x, Ax_);
  double most = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const int first = pieces_[p].first, size = pieces_[p].size;
    const DiagonalBlock& block = diagonal_blocks_[p];
    double Px[3], CAx[3], scaled[3];
    multiply_block(block.P, size, (block.split ? half_ : x).data() + first, Px);
    multiply_block(block.C, size, Ax_.data() + first, CAx);
    for (int i = 0; i < size; ++i) left_[first + i] = r[first + i] - Px[i] - CAx[i];
    if (block.split) multiply_block(block.inverse, size, left_.data() + first, scaled);
    for (int i = 0; i < size; ++i)
      most = std::max(most, std::abs(block.split ? scaled[i] : left_[first + i]));
  }
  return most;
}

void NewtonMatrix::solve(const VectorX& r, VectorX& x) {
  const auto n = r.size();
  x.setZero(n);
  half_.setZero(n);
  for (VectorX* v : {&left_, &t_, &change_, &half_change_}) v->resize(n);
  double before = kNever;
  const double first = leave(r, x);
  for (int round = 0; round < kMostRounds; ++round) {
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      divide_by_P(diagonal_blocks_[p], pieces_[p].size, left_.data() + pieces_[p].first,
                  t_.data() + pieces_[p].first);
    solve_once(t_, v_);
    correct(v_, x);
    const double now = leave(r, x);
    if (round > 0 && !(now < 0.5 * before)) {
      if (!(now <= before)) x -= change_, half_ -= half_change_;
      break;
    }
    before = now;
    if (now <= kRefined * first) break;
  }
}

}  // namespace abut
