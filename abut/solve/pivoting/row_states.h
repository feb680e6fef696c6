// Where each row of a problem stands in a pivoting method, and the linear system that this
// makes: rows `inside` have w = 0 and z unknown, the others sit at a bound. A bound by another
// row makes the row follow it, z_i = +-mu z_j: its column joins that of j, and the system is
// no longer symmetric.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/linear/dense_lu.h"
#include "abut/solve/problem.h"

namespace abut {

enum class RowState : signed char { at_lo = -1, inside = 0, at_hi = 1 };

// |A - A'| within rounding of its entries. NaN: no.
bool is_symmetric(const DenseRows& A);
// The same of row i and column i alone.
bool row_is_column(const DenseRows& A, int i);

// The number of [lo, hi] nearest to x.
inline double nearest_in(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

// The state that a start z gives to a row with these bounds.
inline RowState state_of(double z, double lo, double hi) {
  return z <= lo ? RowState::at_lo : z >= hi ? RowState::at_hi : RowState::inside;
}

class CoupledSystem {
 public:
  void resize(int n);
  // All of z from the states: bounds lo, hi for the rows that are bound by none, +-mu z_j for
  // those that are. A need not be symmetric. False: the system is singular, z unchanged.
  bool solve(const Problem& problem, const DenseRows& A, const VectorX& b,
             std::span<const RowState> states, VectorX& z);

 private:
  DenseLu lu_;
  std::vector<int> inside_, place_;
  VectorX fixed_, right_;
};

}  // namespace abut
