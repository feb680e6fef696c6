// The answer of a solver: status, z, w and residuals. The residuals are computed afterwards in the
// same way for every solver (S-9: report the residual, never trust the return flag alone).
#pragma once

#include <string_view>

#include "abut/solve/problem.h"
#include "abut/solve/residuals.h"

namespace abut {

// solved: the residual is within the tolerance. infeasible: the method proved that there is no
// solution, or that it can reach none (secondary ray). failed: neither.
enum class SolveStatus { solved, infeasible, failed };
std::string_view name(SolveStatus status);

struct Answer {
  SolveStatus status = SolveStatus::failed;
  VectorX z, w;  // w = A z + b
  Residuals residuals;
  int iterations = 0;       // of iterative methods
  int pivots = 0;           // of pivoting methods
  int starts = 0;           // number of starts made, of methods with several
  std::string_view solver;  // name of the solver; for a chain, of the link that answered
  int link = 0;             // of a chain: index of that link
  int level = 0;            // of a chain: number of links that failed before it
  std::string_view reason;  // reason of a failure, for people: "secondary ray", ..
};

// Residuals of any z; computes w. `scratch` is reused.
Residuals residuals(const Problem& problem, const VectorX& z, VectorX& w, VectorX& scratch);

// z - P(z - w) for all rows.
void natural_map(const Problem& problem, const VectorX& z, const VectorX& w, VectorX& out);

}  // namespace abut
