// The least translation of two small polyhedra over their separating axes, but only over those
// that a bound does not rule out (spec K-3, K-N2).
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

#include <cstdint>
#include <span>

#include "abut/collide/axis_table.h"

namespace abut {

struct AxisProblem {
  const AxisTable *a, *b;
  double R[3][3], p[3];             // B in A's frame
  double center_a[3], center_b[3];  // each in its own frame,
  double inner_a, inner_b;          // and the balls around them (m)
  int deep_a[2], deep_b[2];         // vertices that reach far into the other
  double bound;                     // m: some direction is known that needs no more than this
  double slack;                     // m: rounding
  double face_bias;                 // m: edges must be better than faces by this
  double margin;                    // m: how much worse axes are looked at as well, for `others`
};

struct AxisFound {
  enum Kind : std::int32_t {
    none,      // nothing is as good as the bound: rounding
    too_many,  // could not be ruled out
    face_a,
    face_b,
    edges,
  };
  Kind kind = none;
  std::int32_t a = -1, b = -1;  // numbers of faces or edges
  double depth = 0;   // m along the axis, < 0: it parts the two, and the search ended there
  double others = 0;  // m: no other axis needs less than this
};

AxisFound search_axes(const AxisProblem& problem);

// One vector unit's way of doing it; those that this machine has, the best one last.
struct AxisUnit {
  const char* name;
  AxisFound (*search)(const AxisProblem& problem);
};
std::span<const AxisUnit> axis_units();

}  // namespace abut
