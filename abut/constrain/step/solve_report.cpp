#include "abut/constrain/step/solve_report.h"

#include <algorithm>

namespace abut {

void SolveReport::note(const Answer& answer, int rows) {
  ++problems;
  largest = std::max(largest, rows);
  residual = std::max(residual, answer.residuals.relative);
  level = std::max(level, answer.level);
  iterations += answer.iterations;
  pivots += answer.pivots;
  if (answer.iterations == 0 && answer.pivots == 0 && answer.status == SolveStatus::solved) ++kept;
  if (answer.status != SolveStatus::solved)
    ++unsolved;
  else if (answer.level > 0)
    ++fallbacks;
  count(answer.solver, 1);
}

void SolveReport::add(const SolveReport& other) {
  problems += other.problems;
  unsolved += other.unsolved;
  fallbacks += other.fallbacks;
  level = std::max(level, other.level);
  largest = std::max(largest, other.largest);
  residual = std::max(residual, other.residual);
  iterations += other.iterations;
  pivots += other.pivots;
  kept += other.kept;
  for (const Method& m : other.methods()) count(m.name, m.problems);
}

void SolveReport::count(std::string_view name, std::int64_t n) {
  for (int i = 0; i < method_count_; ++i)
    if (methods_[static_cast<std::size_t>(i)].name == name) {
      methods_[static_cast<std::size_t>(i)].problems += n;
      return;
    }
  if (method_count_ < static_cast<int>(methods_.size()))
    methods_[static_cast<std::size_t>(method_count_++)] = {name, n};
}

}  // namespace abut
