// The least translation of two small polyhedra over their separating axes, but only over those
// that a bound does not rule out (K-3, K-N2).
//
// A face or edge of one solid that needs more than the bound to clear any one point of the other
// needs no look. Such points are two vertices that reach far into the solid, and the nearest one of
// a ball inside the other around its center; near contact they leave a handful. These are looked at
// eight at a time, without the long chain of one step waiting for the one before that GJK and the
// expanding polytope are. Every vector unit gives the same bits.
//
// Edges that are all but parallel may seem to meet on the Gauss map by rounding alone. Their axis
// then needs more than it is said to: who asks has to see whether what was found is so.
//
//   abut::AxisFound best = abut::search_axes(problem);
#pragma once

#include <span>

#include "abut/collide/proximity/cold/axis_problem.h"

namespace abut {

AxisFound search_axes(const AxisProblem& problem);

// One vector unit's way of doing it; those that this machine has, the best one last.
struct AxisUnit {
  const char* name;
  AxisFound (*search)(const AxisProblem& problem);
};
std::span<const AxisUnit> axis_units();

}  // namespace abut
