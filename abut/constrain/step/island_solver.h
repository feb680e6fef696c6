// IslandSolver: the problem of one island of rows, as a solver gets it (solve/problem.h): factors
// of A, b, bounds, a cone a contact with friction, and a start. Cones become pyramids where the
// settings say so.
#pragma once

#include <span>

#include "abut/constrain/step/contact_solvers.h"
#include "abut/constrain/step/right_hand_side.h"
#include "abut/constrain/step/solve_report.h"
#include "abut/constrain/step/step_rows.h"
#include "abut/constrain/step/turning_bounds.h"
#include "abut/solve/cone/pyramid.h"
#include "abut/solve/factored/formed_problem.h"

namespace abut {

class IslandSolver {
 public:
  explicit IslandSolver(const StepSettings& settings);

  // `groups` of the island, ascending. start and p have an entry for every row of the step; those
  // of the island are read and written. `proximal`: see StepTerms.
  void solve(const StepRows& rows, const RightHandSide& rhs, std::span<const int> groups,
             std::span<const double> start, double proximal, std::span<double> p);

  // Of the problems since begin().
  void begin() { report_ = {}; }
  const SolveReport& report() const { return report_; }
  ContactSolvers& solvers() { return solvers_; }

 private:
  void build(const StepRows& rows, const RightHandSide& rhs, std::span<const int> groups,
             std::span<const double> start);
  void add_turning(const StepRows& rows, std::span<const int> groups);
  void solve_turning(const StepRows& rows);
  void solve_once(const StepRows& rows);
  void resist_change(const StepRows& rows, std::span<const int> groups, double proximal);
  void run(const ConstraintRows& rows, Solver& solver, const Problem& problem);

  bool pyramids_;
  ContactSolvers solvers_;
  Pyramid pyramid_;
  TurningBounds turning_;
  Problem problem_;
  FormedProblem formed_;  // for pyramids
  Answer answer_;
  VectorX z_;
  std::vector<int> place_;           // scratch of ConstraintRows::take
  std::vector<int> place_of_group_;  // in the problem; -1: of another island
  SolveReport report_;
};

}  // namespace abut
