// A = L B L' with L of few columns, for contacts: all contacts of one pair of bodies, 4 or 400,
// depend on 6 numbers. Rows with the same pattern form a group. The Cholesky factor with pivoting
// of each group's square of A, stopped at the rank, is the group's L; B is the rest between the
// groups. This is exact, to rounding, for every symmetric positive semidefinite A (the columns of
// A_gh are in the range of A_gg). Otherwise L = 1 and B = A: by groups if the diagonal is positive,
// else dense.
//
// Purpose: systems (P + C A) x = r with diagonal blocks P and C, which every Newton step of cone.h
// is, cost a factorisation in B's size. With Q = P^-1 C, t = P^-1 r:
//
//   (1 + G B) y = L' t,  G = L' Q L,  x = t - Q L B y        (Woodbury)
//
// Where P is small (sticking contacts) x is a small difference of large numbers: a few rounds of
// refinement, with the residual of the system itself, recover the digits.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/block_lu.h"
#include "abut/solve/sweeping/row_access.h"

namespace abut {

// Rows that belong together: a cone, or a single row.
struct RowPiece {
  int first, size;
};

// The blocks of P, P^-1 and C that belong to a piece: row major, size x size.
struct DiagonalBlock {
  double P[9], inverse[9], C[9];
};

class ReducedMatrix {
 public:
  // Sets the matrix to D A D, D = diag(scale). The pieces cover all rows, in order.
  void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale);

  int size() const { return static_cast<int>(scale_.size()); }
  int rank() const { return reduced_; }

  void multiply(const VectorX& x, VectorX& y) const;

  // One block for each piece; they must stay alive until the last `solve`. Returns false if
  // singular.
  bool factor(std::span<const DiagonalBlock> blocks);
  void solve(const VectorX& r, VectorX& x);

 private:
  struct Group {
    int row_begin, rows;       // into rows_
    int piece_begin, pieces;   // into piece_order_
    int reduced_begin, rank;   // its part of y
    std::size_t factor_begin;  // L, rows x rank, row major, into factors_
    int pivot_begin;           // rows of A that it was made of, into pivots_
  };

  void find_groups(std::span<const RowPiece> pieces, const Matrix& A);
  void find_pattern(const Matrix& A, std::span<const RowPiece> pieces);
  void factor_group(Group& g, bool whole);
  void find_between();
  void build(bool whole);
  std::span<const int> neighbours(int node) const;
  double entry(int i, int j) const;
  bool fits(const Matrix& A);
  bool may_stay_sparse() const;
  void reduce(const double* x, double* y) const;   // y = L' x
  void between(const double* y, double* v) const;  // v = B y

  void solve_once(const VectorX& t, VectorX& x) const;

  const double* dense_ = nullptr;
  const BlockRows* blocks_ = nullptr;
  VectorX scale_;
  std::vector<RowPiece> pieces_;
  std::vector<int> node_of_row_;  // pieces, or block rows
  std::vector<int> node_begin_, node_neighbours_;
  std::vector<int> piece_order_, node_order_, group_of_node_, node_first_;
  std::vector<Group> groups_;
  std::vector<int> rows_;
  std::vector<double> factors_;
  std::vector<int> pivots_;
  int reduced_ = 0;
  std::vector<int> ranks_, group_begin_, group_neighbours_;
  std::vector<std::size_t> between_at_;
  std::vector<double> between_;
  BlockLu lu_;
  std::span<const DiagonalBlock> diagonal_blocks_;
  std::vector<double> Q_, G_, product_, diagonal_;
  VectorX left_, t_, correction_, Ax_;
  mutable std::vector<double> y_, v_;
  VectorX probe_, expected_, found_;
};

}  // namespace abut
