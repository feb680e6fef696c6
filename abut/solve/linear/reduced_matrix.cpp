#include "abut/solve/linear/reduced_matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

void ReducedMatrix::set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) {
  pieces_.assign(pieces.begin(), pieces.end());
  A_.set(A, pieces, scale);
  lu_.set_pattern(A_.ranks(), A_.groups().begin(), A_.groups().neighbours());
  y_.resize(rank());
  By_.resize(rank());
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

void ReducedMatrix::solve_once(const VectorX& t, VectorX& v) {
  A_.reduce(t.data(), y_.data());
  lu_.solve(y_.data());
  A_.between(y_.data(), By_.data());
  v.resize(size());
  for (int g = 0; g < A_.groups().count(); ++g) {
    const int rank = A_.ranks()[g];
    const double *L = A_.L(g), *By = By_.data() + A_.place(g);
    for (const int p : A_.groups().pieces(g))
      for (int i = 0; i < pieces_[p].size; ++i, L += rank) {
        double sum = 0;
        for (int c = 0; c < rank; ++c) sum += L[c] * By[c];
        v[pieces_[p].first + i] = sum;
      }
  }
}

}  // namespace abut
