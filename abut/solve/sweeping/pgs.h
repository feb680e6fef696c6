// Projected Gauss-Seidel with over- or under-relaxation (PSOR; Cryer 1971, S-4). Each row in turn
// is set to z - omega w / A_ii and then projected to its bounds; the bound of a friction row is the
// current mu z_j. For a cone the normal row comes first, then the tangential rows together,
// projected onto the disk of radius mu z_n (the form of Alart and Curnier: if no row changes,
// Coulomb's law holds exactly).
//
//   auto solver = abut::make_solver("pgs", {.most_iterations = 50, .relaxation = 1.3});
//   solver->solve(problem, answer);      // it may be `failed` after 50 sweeps:
//   use(answer.z, answer.residuals);     // the residual says how good it is
//
// It converges linearly for symmetric positive definite A without friction and 0 < omega < 2, and
// in practice with friction too. It needs a positive diagonal.
#pragma once

#include <memory>

#include "abut/solve/solver.h"
#include "abut/solve/sweeping/row_access.h"

namespace abut {

// The sweep alone; nncg.h uses it too.
class ProjectedSweep {
 public:
  // The problem must stay alive and unchanged while sweeps are made.
  void set(const Problem& problem, double relaxation);
  // Changes z in place. Returns false if a row whose diagonal is not positive is not satisfied.
  bool run(VectorX& z) const;

 private:
  bool step_row(int i, double* z) const;
  bool step_cone(const Cone& c, double* z) const;

  const Problem* problem_ = nullptr;
  RowAccess rows_;
  VectorX step_;  // omega / A_ii; tangential rows: omega / (the largest row sum of A_tt)
};

const SolverInfo& pgs_info();
std::unique_ptr<Solver> make_pgs();

}  // namespace abut
