// What a solver says: status, z, w and how well they fit, computed afterwards in one way for
// every solver (S-9: report, never trust the return flag alone).
#pragma once

#include <string_view>

#include "abut/solve/problem.h"
#include "abut/solve/residuals.h"

namespace abut {

// solved: the residual is within the tolerance. infeasible: the method proved that there is
// no solution, or that none can be reached (secondary ray), and says so. failed: neither.
enum class SolveStatus { solved, infeasible, failed };
std::string_view name(SolveStatus status);

struct Answer {
  SolveStatus status = SolveStatus::failed;
  VectorX z, w;  // w = A z + b
  Residuals residuals;
  int iterations = 0;       // of iterative methods
  int pivots = 0;           // of pivoting methods
  int starts = 0;           // of methods with several: how many were made
  std::string_view solver;  // which one answered; of a chain, the link
  int link = 0;             // of a chain: its index
  int level = 0;            // of a chain: how many links tried before it, in vain
  std::string_view reason;  // of a failure, for people: "secondary ray", "iteration limit" ..
};

// Of any z: w is computed here. `scratch` is reused.
Residuals residuals(const Problem& problem, const VectorX& z, VectorX& w, VectorX& scratch);

// z - P(z - w), all rows.
void natural_map(const Problem& problem, const VectorX& z, const VectorX& w, VectorX& out);

}  // namespace abut
