// What the search over separating axes (axis_search.h) is given, and what it finds.
#pragma once

#include <cstdint>

#include "abut/collide/solid/axis_table.h"

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

}  // namespace abut
