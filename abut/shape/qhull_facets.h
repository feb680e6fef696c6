// Qhull's raw result: polygons over the points, not yet merged. Reentrant and silent.
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

// Modes:
//   merged    Qhull merges facets itself, so that none is concave by rounding. Slow if a face
//             has thousands of corners.
//   joggled   points are first moved by about 1e-11 of the size, which avoids failures of
//             Qhull's merging by rounding; the ids are those of the true points.
//   raw       unmerged triangles, some concave by rounding: the caller merges and checks them.
enum class QhullMode { merged, joggled, raw };

// Counter-clockwise loops of point ids. Empty if Qhull failed or its facets do not close.
std::vector<std::vector<int>> qhull_facets(std::span<const Vec3> points, QhullMode mode);

}  // namespace abut
