// Cottle and Dantzig's method (dantzig.h) for at most 16 rows, on the whole tableau
//
//   w_F = T_FC w_C + T_FF z_F + ..,  z_C = T_CC w_C + T_CF z_F + ..
//
// of the rows inside (C) and at bounds (F), which a pivot changes in n^2 operations. The row of T
// of the row that is driven is what all others do while it moves, so nothing is solved for: for n
// = 10 that is less work than the calls that a factor of A_CC takes. It has no cure for a pivot
// that is mostly rounding, and proves nothing: then it gives up, and the general code begins anew.
//
//   abut::SmallTableau tableau;
//   if (tableau.solve(problem, 100, z, pivots)) ..
#pragma once

#include "abut/solve/problem.h"

namespace abut {

class SmallTableau {
 public:
  static constexpr int kMost = 16;

  // A solution from z = 0: every row valid to rounding, by w computed anew from A. False: none
  // was found. The problem is not for it (more rows, A not dense, not symmetric or not
  // semidefinite, bounds by other rows, bounds of which none is 0), there is no solution, it
  // would take more pivots, or a number was doubtful.
  bool solve(const Problem& problem, int most_pivots, VectorX& z, int& pivots);

 private:
  // The arrays first: each begins where whole vectors may. Padded with rows that never move to
  // Width, a number of whole vectors; the compiler is told it so that it can unroll.
  struct alignas(64) Work {
    double A[kMost * kMost], T[kMost * kMost];  // a row each kMost numbers
    double value[kMost];                        // z inside, w at a bound
    double low[kMost], high[kMost];             // where that may be
    double flip[kMost];  // -1 inside, 1 at a bound: T is symmetric but for the sign of T_CF
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
