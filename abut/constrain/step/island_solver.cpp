#include "abut/constrain/step/island_solver.h"

#include "abut/math/index.h"

namespace abut {

IslandSolver::IslandSolver(const StepSettings& settings)
    : pyramids_(settings.cone == FrictionCone::pyramid),
      solvers_(settings.solver, settings.accuracy, settings.iterations),
      pyramid_(settings.directions) {
  problem_.A.set_factored();
}

void IslandSolver::solve(const StepRows& rows, const RightHandSide& rhs,
                         std::span<const int> groups, std::span<const double> start,
                         double proximal, std::span<double> p) {
  build(rows, rhs, groups, start);
  if (proximal > 0) resist_change(rows, groups, proximal);
  if (pyramids_ && !problem_.cones.empty()) {
    const Problem& lcp = pyramid_.build(formed_.form(problem_));
    pyramid_.lift(z_, answer_.z);
    run(rows.rows(), solvers_.pyramid(lcp), lcp);
    pyramid_.restore(answer_.z, z_);
  } else {
    answer_.z = z_;
    run(rows.rows(), solvers_.round(problem_), problem_);
    z_ = answer_.z;
  }
  report_.note(answer_, problem_.size());
  int row = 0;
  for (const int index : groups) {
    const RowGroup& g = rows.group(index);
    for (int k = 0; k < g.size; ++k) p[at(g.row + k)] = z_[row++];
  }
}

void IslandSolver::build(const StepRows& rows, const RightHandSide& rhs,
                         std::span<const int> groups, std::span<const double> start) {
  FactoredMatrix& A = problem_.A.factored();
  rows.rows().take(groups, place_, A);
  problem_.resize(A.rows());
  z_.resize(A.rows());
  int row = 0;
  for (const int index : groups) {
    const RowGroup& g = rows.group(index);
    const int contact = rows.contact_of(index);
    if (contact >= 0 && g.size == 3)
      problem_.cones.push_back({row, 3, rows.contacts()[at(contact)].material.friction});
    for (int r = g.row; r < g.row + g.size; ++r, ++row) {
      problem_.b[row] = rhs.b()[at(r)];
      problem_.lo[row] = rhs.lo()[at(r)];
      problem_.hi[row] = rhs.hi()[at(r)];
      A.softness.push_back(rhs.softness()[at(r)]);
      z_[row] = start[at(r)];
    }
  }
}

// A z + b + proximal diag(A) (z - z_), z_ being the start.
void IslandSolver::resist_change(const StepRows& rows, std::span<const int> groups,
                                 double proximal) {
  FactoredMatrix& A = problem_.A.factored();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (rows.contact_of(groups[i]) < 0) continue;
    const RowGroup& g = A.groups[i];
    for (int k = 0; k < g.size; ++k) {
      const double resists = proximal * A.diagonal(static_cast<int>(i), k);
      A.softness[at(g.row + k)] += resists;
      problem_.b[g.row + k] -= resists * z_[g.row + k];
    }
  }
}

void IslandSolver::run(const ConstraintRows& rows, Solver& solver, const Problem& problem) {
  solver.options.warm_start = true;
  if (solver.info().inverse_masses) rows.add_inverse_masses(problem_.A.factored());
  solver.solve(problem, answer_);
}

}  // namespace abut
