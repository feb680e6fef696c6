// IslandPool: solves the islands of a step, which share no body, on threads. Each thread has an
// IslandSolver of its own, and solvers keep no state between problems: results are the same, bit for
// bit, for every number of threads. Which solver an island goes to depends on the islands alone, so
// that a warm step allocates nothing.
//
//   abut::IslandPool pool(settings);
//   pool.use(&threads);
//   pool.solve(islands, rows, rhs, start, proximal, p);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abut/constrain/rows/islands.h"
#include "abut/constrain/step/island_solver.h"
#include "abut/math/threads/threads.h"

namespace abut {

class IslandPool {
 public:
  explicit IslandPool(const StepSettings& settings);

  // Where islands are solved, which must outlive the pool; null: on the calling thread.
  void use(Threads* threads) { threads_ = threads; }

  // start and p have an entry for every row of the step. `proximal`, `kept`: see StepTerms.
  void solve(const Islands& islands, const StepRows& rows, const RightHandSide& rhs,
             std::span<const double> start, double proximal, std::span<const std::uint8_t> kept,
             std::span<double> p);

  // Of the problems since begin().
  void begin() { report_ = {}; }
  const SolveReport& report() const { return report_; }

  // Iterations that `auto` gives to problems with round cones; 0: the solvers' own limits.
  void limit_cones(int most);
  // Each problem from now on and its answer, in the order of the islands: on one thread, if `seen`
  // is not empty.
  void watch(const std::function<void(const Problem&, const Answer&)>& seen);

 private:
  int share_out(const Islands& islands, const StepRows& rows);

  StepSettings settings_;
  Threads* threads_ = nullptr;
  bool watched_ = false;
  int most_cones_ = 0;
  std::vector<std::unique_ptr<IslandSolver>> solvers_;
  std::vector<SolveReport> reports_;     // one an island
  std::vector<std::vector<int>> share_;  // islands of each solver
  std::vector<long> weight_, load_;      // rows of each island, and of each solver
  std::vector<int> order_;
  SolveReport report_;
};

}  // namespace abut
