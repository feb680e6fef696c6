// The loop of the methods that only sweep over the rows: pgs and nsgs.
#pragma once

#include "abut/solve/best_so_far.h"
#include "abut/solve/solver.h"

namespace abut {

inline constexpr int kLookEvery = 10;  // sweeps between two residuals; one costs about a sweep

// Sweeps until the residual is within the options' tolerance, or `most` times, or until the time is
// over, and leaves the best point seen. Returns false if a sweep was not possible. `sweep` is set, `best` started.
template <class Sweep>
bool sweep_until(const Problem& problem, const SolveOptions& options, int most, Sweep& sweep,
                 BestSoFar& best, Answer& answer) {
  if (best.look(problem, answer.z) <= options.tolerance) return true;
  bool possible = true;
  for (bool late = false; answer.iterations < most && !late;) {
    possible = sweep.run(answer.z);
    ++answer.iterations;
    late = options.is_late();
    if (answer.iterations % kLookEvery != 0 && answer.iterations != most && !late) continue;
    if (!(best.look(problem, answer.z) > options.tolerance)) break;  // converged, or NaN
  }
  if (best.any()) answer.z = best.z();
  return possible;
}

}  // namespace abut
