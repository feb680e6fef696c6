// The minimum translation of two small polyhedra over their separating axes, searched only over the
// axes that a bound does not rule out (K-3, K-N2).
//
// A face or edge of one solid needs no look if separating any one point of the other solid along
// its axis needs more than the bound. Such points are two vertices that reach far into the solid,
// and the nearest point of a ball inside the other solid around its centre. Near contact a handful
// of axes remain. They are computed eight at a time, without the long chains of dependent steps of
// GJK and the expanding polytope. Every vector unit gives the same bits.
//
// Edges that are nearly parallel can appear to cross on the Gauss map through rounding. Then the
// axis needs more than the returned depth. Callers must verify the returned depth.
//
//   abut::AxisFound best = abut::search_axes(problem);
#pragma once

#include <span>

#include "abut/collide/proximity/cold/axis_problem.h"

namespace abut {

AxisFound search_axes(const AxisProblem& problem);

// The search for one vector unit. axis_units() lists the units of this machine, the best one last.
struct AxisUnit {
  const char* name;
  AxisFound (*search)(const AxisProblem& problem);
};
std::span<const AxisUnit> axis_units();

}  // namespace abut
