// ReducedMatrix: systems (P + C A) x = r with P and C of blocks on the diagonal, which every Newton
// step of cone.h is, at the cost of a factorisation in the rank of A = L B L' (low_rank_matrix.h).
// With Q = P^-1 C, t = P^-1 r:
//
//   (1 + G B) y = L' t,  G = L' Q L,  x = t - Q L B y        (Woodbury)
//
// Where P is small (contacts that stick) x is a small difference of large numbers: a few rounds
// of refinement, with the residual of the system itself, bring the digits back.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/block_lu.h"
#include "abut/solve/linear/low_rank_matrix.h"

namespace abut {

// The blocks of P, P^-1 and C that belong to a piece: row major, size x size.
struct DiagonalBlock {
  double P[9], inverse[9], C[9];
};

class ReducedMatrix {
 public:
  // Of D A D, D = diag(scale). The pieces cover all rows, in order.
  void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale);

  int size() const { return A_.size(); }
  int rank() const { return A_.rank(); }

  void multiply(const VectorX& x, VectorX& y) const { A_.multiply(x, y); }

  // One block a piece; they must live until the last `solve`. False: singular.
  bool factor(std::span<const DiagonalBlock> blocks);
  void solve(const VectorX& r, VectorX& x);

 private:
  void find_Q();
  void find_G(int group);
  void solve_once(const VectorX& t, VectorX& x);

  LowRankMatrix A_;
  std::vector<RowPiece> pieces_;
  BlockLu lu_;
  std::span<const DiagonalBlock> diagonal_blocks_;
  std::vector<double> Q_, G_, product_;
  VectorX left_, t_, correction_, Ax_;
  std::vector<double> y_, v_;
};

}  // namespace abut
