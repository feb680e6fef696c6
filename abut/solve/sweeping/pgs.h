// Projected Gauss-Seidel with over- or under-relaxation (PSOR; Cryer 1971, S-4): each row
// in turn gets z - omega w / A_ii, then is put back within its bounds; the bound of a friction
// row is that of the moment, mu z_j. Of a cone, the normal row first, then the tangential ones
// together onto the disk of radius mu z_n (Alart and Curnier's form: where all rows stand
// still, Coulomb's law holds exactly).
//
//   auto solver = abut::make_solver("pgs", {.most_iterations = 50, .relaxation = 1.3});
//   solver->solve(problem, answer);      // `failed` after 50 sweeps is no shame:
//   use(answer.z, answer.residuals);     // the residual says how good it is
//
// Converges for symmetric positive definite A without friction, 0 < omega < 2, linearly; in
// practice for friction too. Needs a positive diagonal.
#pragma once

#include <memory>

#include "abut/solve/solver.h"
#include "abut/solve/sweeping/row_access.h"

namespace abut {

// The sweep alone: nncg.h is built on it.
class ProjectedSweep {
 public:
  // The problem must live, unchanged, as long as sweeps are made.
  void set(const Problem& problem, double relaxation);
  // z changed in place. False: a row with a diagonal that is not positive is not met.
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
