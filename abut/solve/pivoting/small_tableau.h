// Cottle and Dantzig's method (dantzig.h) for at most 16 rows, on the whole tableau
//
//   w_F = T_FC w_C + T_FF z_F + ..,  z_C = T_CC w_C + T_CF z_F + ..
//
// of the rows inside (C) and at bounds (F), which a pivot updates in n^2 operations. The driven
// row's row of T gives the motion of all other rows, so that nothing is solved for: for n = 10 that
// is less work than the calls for a factor of A_CC. It cannot handle a pivot that is mostly
// rounding, and proves nothing: then it gives up, and the general code starts again.
//
//   abut::SmallTableau tableau;
//   if (tableau.solve(problem, 100, z, pivots)) ..
#pragma once

#include "abut/solve/problem.h"

namespace abut {

class SmallTableau {
 public:
  static constexpr int kMost = 16;

  // Finds a solution from z = 0: every row valid to rounding, with w computed from A again. Returns
  // false if it found none: the problem does not suit it (more rows, A not dense, not symmetric or
  // not semidefinite, bounds by other rows, bounds of which none is 0), there is no solution, it
  // would take more pivots, or a number was doubtful.
  bool solve(const Problem& problem, int most_pivots, VectorX& z, int& pivots);

 private:
  // Arrays first: each is aligned for whole vectors. Padded to Width, a multiple of the vector
  // length, with rows that never move; Width is a template parameter so that the compiler can
  // unroll.
  struct alignas(64) Work {
    double A[kMost * kMost], T[kMost * kMost];  // rows of kMost numbers
    double value[kMost];                        // z inside, w at a bound
    double low[kMost], high[kMost];             // bounds of that value
    double flip[kMost];  // -1 inside, 1 at a bound: T is symmetric up to the sign of T_CF
    double root[kMost], weight[kMost];  // sqrt(A_ii); at a bound, 1 / root
    double noise[kMost], b[kMost];
    double lo[kMost], hi[kMost];
    double bound[kMost];  // z at a bound
    double z[kMost], w[kMost];
    int n, pivots, most_pivots;

    template <int Width>
    bool load(const Problem& problem);
    template <int Width>
    void pivot(int k);
    void put_inside(int i, double at);
    void put_at_bound(int i, bool at_lo);
    template <int Width>
    int worst_row() const;
    template <int Width>
    bool free_rows_inside();
    template <int Width>
    bool drive(int i);
    template <int Width>
    void find_w();
    template <int Width>
    bool finish();
    template <int Width>
    bool run(const Problem& problem);
  };
  static bool run_4(const Problem& problem, Work& work);
  static bool run_8(const Problem& problem, Work& work);
  static bool run_12(const Problem& problem, Work& work);
  static bool run_16(const Problem& problem, Work& work);
  Work work_;
};

}  // namespace abut
