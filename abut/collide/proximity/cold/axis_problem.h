// Input and output of the search over separating axes (axis_search.h).
#pragma once

#include <cstdint>

#include "abut/collide/solid/axis_table.h"

namespace abut {

struct AxisProblem {
  const AxisTable *a, *b;
  double R[3][3], p[3];             // pose of B in A's frame
  double center_a[3], center_b[3];  // centres, each in its own frame
  double inner_a, inner_b;          // m: radii of inscribed balls around them
  int deep_a[2], deep_b[2];         // vertices that reach far into the other solid
  double bound;                     // m: a known direction needs no more than this
  double slack;                     // m: rounding
  double face_bias;                 // m: edges must be better than faces by this much
  double margin;                    // m: axes worse by up to this are searched too, for `others`
};

struct AxisFound {
  enum Kind : std::int32_t {
    none,      // no axis is as good as the bound: rounding
    too_many,  // too many axes could not be ruled out
    face_a,
    face_b,
    edges,
  };
  Kind kind = none;
  std::int32_t a = -1, b = -1;  // indices of faces or edges
  double depth = 0;             // m along the axis; < 0: it separates, the search ended there
  double others = 0;            // m: lower bound of the translation along any other axis
};

}  // namespace abut
