// DenseFront: the first `own` unknowns of a dense matrix are eliminated, without row exchanges:
//
//   | F11 F12 |   | L11    | | U11 U12 |
//   | F21 F22 | = | L21  1 | |      S  |       L11 has ones on its diagonal
//
// In place, column major: L and U stand where F was, S in the place of F22. Work is done in panels
// of columns, so that most of it is products of small packed tiles (tile_product.h).
#pragma once

#include <vector>

#include "abut/solve/sparse/tile_product.h"

namespace abut {

class DenseFront {
 public:
  // False: a pivot is zero, or is no number.
  bool eliminate(double* F, int size, int own);

 private:
  bool factor_panel(double* F, int size, int begin, int end);
  void solve_rows(double* F, int size, int begin, int end);
  void update_rest(double* F, int size, int begin, int end);

  TileProduct product_ = best_tile_product();
  std::vector<double> rows_, columns_;  // packed strips
};

}  // namespace abut
