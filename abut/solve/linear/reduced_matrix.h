// ReducedMatrix: the systems (P + C A) x = r of newton_matrix.h at the cost of a factorisation in the
// rank of A = L B L' (low_rank_matrix.h). With Q = P^-1 C, t = P^-1 r:
//
//   (1 + G B) y = L' t,  G = L' Q L,  x = t - Q L B y        (Woodbury)
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/block_lu.h"
#include "abut/solve/linear/low_rank_matrix.h"
#include "abut/solve/linear/newton_matrix.h"

namespace abut {

class ReducedMatrix final : public NewtonMatrix {
 public:
  void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) override;

  int size() const { return A_.size(); }
  int rank() const { return A_.rank(); }

  void multiply(const VectorX& x, VectorX& y) override { A_.multiply(x, y); }
  bool factor(std::span<const DiagonalBlock> blocks) override;

 protected:
  void solve_once(const VectorX& t, VectorX& v) override;

 private:
  void find_G(int group);

  LowRankMatrix A_;
  BlockLu lu_;
  std::vector<double> G_, product_, y_, By_;
};

}  // namespace abut
