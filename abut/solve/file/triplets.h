// A matrix from (row, column, value) triplets, as in files, and back.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/problem.h"

namespace abut {

struct Triplet {
  int row, column;
  double value;
};

// Sets A in block form: a block row for each cone, one of width 1 for each other unknown. Values at
// the same place are added. Memory is proportional to the triplets, however large n is.
void set_from_triplets(Matrix& A, int n, std::span<const Cone> cones,
                       std::span<const Triplet> triplets);

// The entries that are not zero, row by row.
std::vector<Triplet> triplets_of(const Matrix& A);

}  // namespace abut
