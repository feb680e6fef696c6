#include "abut/constrain/step/island_solver.h"

#include <algorithm>
#include <utility>

#include "abut/constrain/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Problems with new bounds of turning, of an island.
constexpr int kMostTurning = 30;

}  // namespace

IslandSolver::IslandSolver(const StepSettings& settings)
    : pyramids_(settings.cone == FrictionCone::pyramid),
      solvers_(settings.solver, settings.accuracy, settings.iterations, settings.limit.get()),
      pyramid_(settings.directions) {
  problem_.A.set_factored();
}

void IslandSolver::solve(const StepRows& rows, const RightHandSide& rhs,
                         std::span<const int> groups, std::span<const double> start,
                         double proximal, std::span<double> p) {
  build(rows, rhs, groups, start);
  if (proximal > 0) resist_change(rows, groups, proximal);
  turning_.empty() ? solve_once(rows) : solve_turning(rows);
  report_.note(answer_, problem_.size());
  int row = 0;
  for (const int index : groups) {
    const RowGroup& g = rows.group(index);
    for (int k = 0; k < g.size; ++k) p[at(g.row + k)] = z_[row++];
  }
}

void IslandSolver::solve_once(const StepRows& rows) {
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
}

// The fixed point of turning_bounds.h; what it costs is in the answer of the last problem.
void IslandSolver::solve_turning(const StepRows& rows) {
  int iterations = 0, pivots = 0;
  double off = kInfinity, before = kInfinity;
  for (int i = 0; i < kMostTurning && !(off <= kTurningAccuracy); ++i) {
    turning_.set(problem_, z_, off > 0.5 * before ? 0.5 : 1);
    solve_once(rows);
    iterations += answer_.iterations;
    pivots += answer_.pivots;
    before = std::exchange(off, turning_.off(problem_, z_));
  }
  answer_.iterations = iterations;
  answer_.pivots = pivots;
  answer_.residuals.relative = std::max(answer_.residuals.relative, off);
  if (off > kTurningSolved) answer_.status = SolveStatus::failed;
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
  turning_.clear();
  if (!rows.turning().empty()) add_turning(rows, groups);
}

// Couples start at what stops each turning alone.
void IslandSolver::add_turning(const StepRows& rows, std::span<const int> groups) {
  const FactoredMatrix& A = problem_.A.factored();
  place_of_group_.assign(rows.rows().groups().size(), -1);
  for (std::size_t i = 0; i < groups.size(); ++i)
    place_of_group_[at(groups[i])] = static_cast<int>(i);
  const auto row_of = [&](int group) { return A.groups[at(place_of_group_[at(group)])].row; };
  const auto start = [&](int group, int k) {
    const double diagonal = A.diagonal(place_of_group_[at(group)], k);
    const int row = row_of(group) + k;
    if (diagonal > 0) z_[row] = -problem_.b[row] / diagonal;
  };
  for (const TurningContact& t : rows.turning()) {
    const Contact& contact = rows.contacts()[at(t.contact)];
    if (place_of_group_[at(contact.group)] < 0) continue;
    TurningBounds::Rows of{.normal = row_of(contact.group),
                           .mu_torsion = contact.material.torsion / t.length,
                           .mu_rolling = contact.material.rolling / t.length,
                           .mobility = A.diagonal(place_of_group_[at(contact.group)], 0)};
    if (t.torsion >= 0) {
      of.torsion = row_of(t.torsion);
      start(t.torsion, 0);
    }
    if (t.rolling >= 0) {
      of.rolling = row_of(t.rolling);
      problem_.cones.push_back({of.rolling, 3, of.mu_rolling});
      for (int k = 1; k < 3; ++k) start(t.rolling, k);
    }
    turning_.add(of);
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
