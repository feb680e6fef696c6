// The kernel of axis_search.h for each vector unit, in files of their own.
#pragma once

#include "abut/collide/proximity/cold/axis_problem.h"

namespace abut::axis_sse2 {
AxisFound search_axes(const AxisProblem& problem);
}
namespace abut::axis_avx2 {
AxisFound search_axes(const AxisProblem& problem);
}
namespace abut::axis_avx512 {
AxisFound search_axes(const AxisProblem& problem);
}
