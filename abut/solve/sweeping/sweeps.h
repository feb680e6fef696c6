// The loop of methods that do nothing but sweep over the rows: pgs and nsgs.
#pragma once

#include "abut/solve/best_so_far.h"
#include "abut/solve/solver.h"

namespace abut {

inline constexpr int kLookEvery = 10;  // sweeps; a look costs about as much as one

// Sweeps until the residual is within the tolerance or there were `most` of them, and leaves the
// best point seen. False: a sweep said that it is not possible. `sweep` is set, `best` started.
template <class Sweep>
bool sweep_until(const Problem& problem, double tolerance, int most, Sweep& sweep, BestSoFar& best,
                 Answer& answer) {
  if (best.look(problem, answer.z) <= tolerance) return true;
  bool possible = true;
  while (answer.iterations < most) {
    possible = sweep.run(answer.z);
    ++answer.iterations;
    if (answer.iterations % kLookEvery != 0 && answer.iterations != most) continue;
    if (!(best.look(problem, answer.z) > tolerance)) break;  // arrived, or no number any more
  }
  if (best.any()) answer.z = best.z();
  return possible;
}

}  // namespace abut
