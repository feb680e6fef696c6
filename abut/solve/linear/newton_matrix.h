// NewtonMatrix: systems (P + C A) x = r with P and C of blocks on the diagonal, which every Newton
// step of the solvers for cones is (cone/cone.h). Two ways to factor them are behind it, by what is
// known of A: reduced_matrix.h has its blocks, factored/body_matrix.h its factors J and M.
#pragma once

#include <span>

#include "abut/solve/linear/pattern_groups.h"

namespace abut {

// The blocks of P, P^-1 and C that belong to a piece: row major, size x size. With `split`, P is
// P times `right`, and P^-1 is `right_inverse` times `inverse`: the scaling of an interior point
// near the boundary of a cone has eigenvalues that differ by more than double has digits, its
// square root has not.
struct DiagonalBlock {
  double P[9], inverse[9], C[9];
  double right[9], right_inverse[9];
  bool split;
};

class NewtonMatrix {
 public:
  virtual ~NewtonMatrix() = default;

  // Of D A D, D = diag(scale). The pieces cover all rows, in order. A must live until the last use.
  virtual void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) = 0;
  virtual void multiply(const VectorX& x, VectorX& y) = 0;  // y = D A D x
  // One block a piece; they must live until the last `solve`. False: singular.
  virtual bool factor(std::span<const DiagonalBlock> blocks) = 0;

  // Refined until the residual of the system itself falls no more: where P is small (contacts that
  // stick) x is a small difference of large numbers.
  void solve(const VectorX& r, VectorX& x);
  // Of the last solve(), in the pieces with `split`: right x, with digits that x no longer has.
  const VectorX& half() const { return half_; }

 protected:
  // v = A x from t = P^-1 r, to the digits that one pass gives.
  virtual void solve_once(const VectorX& t, VectorX& v) = 0;

  void find_Q();  // of diagonal_blocks_

  std::vector<RowPiece> pieces_;
  std::span<const DiagonalBlock> diagonal_blocks_;
  std::vector<double> Q_;  // P^-1 C, nine numbers a piece

 private:
  void correct(const VectorX& v, VectorX& x);
  double leave(const VectorX& r, const VectorX& x);

  VectorX left_, t_, v_, half_, change_, half_change_, Ax_;
};

}  // namespace abut
