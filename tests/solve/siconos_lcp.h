// An LCP by one of Siconos's solvers, for comparison beyond what enumeration can do.
#pragma once

#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

#include <cstdlib>

#include "abut/solve/problem.h"

namespace abut::test {

// z, from zero, by the solver of that number (SICONOS_LCP_LEMKE ..); whether it is a solution is
// for the residual to say.
inline VectorX siconos_lcp(const Problem& p, int solver, int most_iterations = 10'000,
                           double tolerance = 1e-12) {
  const int n = p.size();
  DenseRows rows;
  p.A.to_dense(rows);
  Eigen::MatrixXd columns = rows;  // column major, as Siconos wants it
  VectorX q = p.b, z = VectorX::Zero(n), w = VectorX::Zero(n);
  LinearComplementarityProblem problem{};
  problem.size = n;
  problem.M = NM_create_from_data(NM_DENSE, n, n, columns.data());
  problem.q = q.data();
  SolverOptions* options = solver_options_create(solver);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  linearComplementarity_driver(&problem, z.data(), w.data(), options);
  solver_options_delete(options);
  std::free(options);
  problem.M->matrix0 = nullptr;  // ours
  NM_clear(problem.M);
  std::free(problem.M);
  return z;
}

}  // namespace abut::test
