// Finds points that are the same up to a tolerance.
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

// For each point, the index of its representative: the first earlier representative within
// `tolerance` (m) in every coordinate, else the point itself. Tolerance 0 merges equal points.
std::vector<int> weld(std::span<const Vec3> points, double tolerance);

}  // namespace abut
