#include "abut/solve/solver.h"

#include <cmath>

#include "abut/solve/factored/formed_problem.h"
#include "abut/solve/row_check.h"
#include "abut/solve/tolerances.h"

namespace abut {

Solver::Solver() = default;
Solver::~Solver() = default;

void Solver::solve(const Problem& problem, Answer& answer) {
  solve_taken(as_taken(problem), answer);
}

const Problem& Solver::as_taken(const Problem& problem) {
  if (problem.A.form() != Matrix::Form::factored || info().forms & bit(Matrix::Form::factored))
    return problem;
  if (!formed_) formed_ = std::make_unique<FormedProblem>();
  return formed_->form(problem);
}

void Solver::solve_taken(const Problem& problem, Answer& answer) {
  const int n = problem.size();
  if (!options.warm_start || answer.z.size() != n) answer.z.setZero(n);
  answer.status = SolveStatus::failed;
  answer.iterations = answer.pivots = answer.starts = answer.link = answer.level = 0;
  answer.solver = info().name;
  answer.reason = {};
  // a run() that delegates the problem may return the other solver's answer: then residuals and w
  // belong to this problem and z, and need not be computed again
  constexpr double kUnknown = -1;
  answer.residuals.relative = kUnknown;

  if (!(info().kinds & bit(problem.kind()))) {
    answer.reason = "this solver does not take problems of this kind";
  } else if (n > kMostDense && !(info().forms & bit(problem.A.form()))) {
    answer.reason = "A is too large to be made dense";
  } else {
    run(problem, answer);
  }
  const bool known = answer.residuals.relative != kUnknown;
  // an answer with NaN or infinity is no answer
  if (!known && !answer.z.allFinite()) {
    answer.z.setZero(n);
    if (answer.reason.empty()) answer.reason = "the numbers overflowed";
  }
  if (!known) answer.residuals = residuals(problem, answer.z, answer.w, scratch_);
  const bool within = answer.residuals.relative <= options.tolerance;
  if (within && options.every_row && !(answer.residuals.row_scaled <= kRowWrong) &&
      !settle_rows(problem, options.tolerance, answer.z, answer.w, answer.residuals, scratch_)) {
    if (answer.status == SolveStatus::solved) answer.status = SolveStatus::failed;
    if (answer.status == SolveStatus::failed)
      answer.reason = "a row in small units is not solved: see row_scaled";
  } else if (within) {
    answer.status = SolveStatus::solved;
    answer.reason = {};
  } else if (answer.status == SolveStatus::solved) {
    answer.status = SolveStatus::failed;
  }
  if (answer.status == SolveStatus::failed && answer.reason.empty())
    answer.reason = "the residual stayed above the tolerance";
  if (watch) watch(problem, answer);
}

}  // namespace abut
