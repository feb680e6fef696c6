// The state of each row of a problem in a pivoting method, and the linear system of the states:
// rows `inside` have w = 0 and unknown z, the others are at a bound. A row at a bound by another
// row follows it, z_i = +-mu z_j: its column is added to that of j, and the system is no longer
// symmetric.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/dense_lu.h"
#include "abut/solve/problem.h"

namespace abut {

enum class RowState : signed char { at_lo = -1, inside = 0, at_hi = 1 };

// Whether A is symmetric within rounding of its entries. False for NaN.
bool is_symmetric(const DenseRows& A);
// The same for row i and column i alone.
bool row_is_column(const DenseRows& A, int i);

// The number of [lo, hi] nearest to x.
inline double nearest_in(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

// The state of a row with these bounds at a start z.
inline RowState state_of(double z, double lo, double hi) {
  return z <= lo ? RowState::at_lo : z >= hi ? RowState::at_hi : RowState::inside;
}

class CoupledSystem {
 public:
  void resize(int n);
  // Computes z from the states: bounds lo, hi for rows that no other row bounds, +-mu z_j for the
  // others. A need not be symmetric. Returns false if the system is singular; z is unchanged then.
  bool solve(const Problem& problem, const DenseRows& A, const VectorX& b,
             std::span<const RowState> states, VectorX& z);

 private:
  DenseLu lu_;
  std::vector<int> inside_, place_;
  VectorX fixed_, right_;
};

}  // namespace abut
