#include "abut/solve/linear/reduced_matrix.h"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

constexpr int kMostRounds = 5;    // of refinement
constexpr double kSmall = 1e-14;  // of a residual, relative to the right-hand side
constexpr double kNever = 1e300;

void multiply_block(const double* M, int size, const double* x, double* out) {
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += M[i * size + j] * x[j];
    out[i] = sum;
  }
}

}  // namespace

void ReducedMatrix::set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) {
  pieces_.assign(pieces.begin(), pieces.end());
  A_.set(A, pieces, scale);
  lu_.set_pattern(A_.ranks(), A_.groups().begin(), A_.groups().neighbours());
  y_.resize(rank());
  v_.resize(rank());
}

bool ReducedMatrix::factor(std::span<const DiagonalBlock> blocks) {
  diagonal_blocks_ = blocks;
  find_Q();
  lu_.clear();
  const PatternGroups& groups = A_.groups();
  using Map = Eigen::Map<DenseRows>;
  using ConstMap = Eigen::Map<const DenseRows>;
  for (int g = 0; g < groups.count(); ++g) {
    find_G(g);
    const int r = A_.ranks()[g];
    for (int k = groups.begin()[g]; k < groups.begin()[g + 1]; ++k) {
      const int h = groups.neighbours()[k], c = A_.ranks()[h];
      Map out(lu_.block(g, h), r, c);
      out.noalias() = ConstMap(G_.data(), r, r) * ConstMap(A_.B(k), r, c);
      if (h == g) out.diagonal().array() += 1;
    }
  }
  return lu_.factor();
}

void ReducedMatrix::find_Q() {
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

// G = sum of L_i' Q_i L_i over the group's pieces.
void ReducedMatrix::find_G(int group) {
  const int r = A_.ranks()[group];
  G_.assign(static_cast<std::size_t>(r) * r, 0.0);
  product_.resize(static_cast<std::size_t>(3) * r);
  const double* L = A_.L(group);
  for (const int p : A_.groups().pieces(group)) {
    const int size = pieces_[p].size;
    const double* q = Q_.data() + 9 * static_cast<std::size_t>(p);
    for (int i = 0; i < size; ++i)
      for (int c = 0; c < r; ++c) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += q[i * size + j] * L[j * r + c];
        product_[static_cast<std::size_t>(i) * r + c] = sum;
      }
    for (int i = 0; i < size; ++i)
      for (int a = 0; a < r; ++a) {
        const double factor = L[i * r + a];
        if (factor == 0) continue;
        for (int c = 0; c < r; ++c)
          G_[static_cast<std::size_t>(a) * r + c] +=
              factor * product_[static_cast<std::size_t>(i) * r + c];
      }
    L += size * r;
  }
}

void ReducedMatrix::solve(const VectorX& r, VectorX& x) {
  const int n = size();
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
    A_.multiply(x, Ax_);
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
    if (now <= kSmall * r.cwiseAbs().maxCoeff()) break;
  }
}

void ReducedMatrix::solve_once(const VectorX& t, VectorX& x) {
  A_.reduce(t.data(), y_.data());
  lu_.solve(y_.data());
  A_.between(y_.data(), v_.data());
  x.resize(size());
  for (int g = 0; g < A_.groups().count(); ++g) {
    const int rank = A_.ranks()[g];
    const double *L = A_.L(g), *v = v_.data() + A_.place(g);
    for (const int p : A_.groups().pieces(g)) {
      const int size = pieces_[p].size, first = pieces_[p].first;
      const double* q = Q_.data() + 9 * static_cast<std::size_t>(p);
      double u[3] = {};
      for (int i = 0; i < size; ++i, L += rank)
        for (int c = 0; c < rank; ++c) u[i] += L[c] * v[c];
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += q[i * size + j] * u[j];
        x[first + i] = t[first + i] - sum;
      }
    }
  }
}

}  // namespace abut
