// Links of one mechanism that overlap at the start of a run do so by modelling: neighbours, or
// convex hulls of concave meshes. The lines that a user can paste into the file to let them overlap.
//
//   abut::OverlapMeasure measure(model);
//   if (measure.of(derived).deep > 0) print(abut::exclude_warning(model, measure));
#pragma once

#include <array>
#include <string>
#include <vector>

#include "abut/simulate/overlap.h"

namespace abut {

// Pairs of bodies, ascending, whose geoms overlap by more than kReportedDepth of their size, and
// which belong to one mechanism: to one tree, or one is a fixed body that carries the other. At the
// poses of the last measure.of().
std::vector<std::array<int, 2>> overlapping_links(const Model& model, OverlapMeasure& measure);

// A warning with one <exclude> for each of these pairs; empty if there are none.
std::string exclude_warning(const Model& model, OverlapMeasure& measure);

}  // namespace abut
