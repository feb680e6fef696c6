// Random problems of known classes, from a seed: for tests, for the benchmark and for
// `abut solve --generate`. The same family, size and seed give the same bits on any machine.
//
//   abut::Problem p = abut::generate("semidefinite", 40, 7);
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "abut/solve/solver.h"

namespace abut {

struct Family {
  std::string_view name;
  std::string_view summary;
  ProblemKind kind;
  MatrixClass matrix;
  bool solvable;  // every problem has a solution
};

std::span<const Family> families();

// `n` is the desired number of unknowns; families of contacts take the nearest size that fits, at
// least one contact. `solution` becomes a solution if one is known by construction, else empty.
// Throws std::invalid_argument that lists the families.
Problem generate(std::string_view family, int n, std::uint64_t seed, VectorX* solution = nullptr);

}  // namespace abut
