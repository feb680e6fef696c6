// The kernel of axis_search.h for each vector unit; each unit has its own source file.
#pragma once

#include "abut/collide/proximity/cold/axis_problem.h"
#include "abut/collide/proximity/tolerances.h"  // used by the kernel

namespace abut::axis_sse2 {
AxisFound search_axes(const AxisProblem& problem);
}
namespace abut::axis_avx2 {
AxisFound search_axes(const AxisProblem& problem);
}
namespace abut::axis_avx512 {
AxisFound search_axes(const AxisProblem& problem);
}
