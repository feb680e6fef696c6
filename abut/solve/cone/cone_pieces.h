// The rows of a problem in the form that the solver `cone` uses: pieces, each a cone or a row,
// scaled so that the diagonal of A is about 1 and b at most 1.
#pragma once

#include <vector>

#include "abut/solve/linear/newton_matrix.h"
#include "abut/solve/problem.h"
#include "abut/solve/sweeping/row_access.h"

namespace abut {

struct ScaledPieces {
  enum class Kind { cone, straight, lower, upper, box, free, fixed };  // straight: mu = 0
  struct Piece {
    Kind kind;
    int first, size;
    double mu;
    double lo, hi;  // scaled
  };

  std::vector<Piece> pieces;
  std::vector<RowPiece> rows;
  VectorX scale;  // z = load * scale * (scaled z), (scaled w) = scale * w / load
  double load = 1;
  VectorX b;  // scaled

  void set(const Problem& problem);
  // Convert scaled x to z of the problem, and back.
  void to_problem(const VectorX& x, VectorX& z) const;
  void from_problem(const VectorX& z, VectorX& x) const;

 private:
  void find_diagonal(const Matrix& A);

  RowAccess access_;
  VectorX diagonal_;  // of A
};

}  // namespace abut
