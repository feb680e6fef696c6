// Qhull's raw answer: polygons over the points, not yet cleaned. Reentrant and silent.
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

// merged    Qhull merges facets as it goes, so that none is concave by rounding. Slow where a face
//           has thousands of corners.
// joggled   points are moved by about 1e-11 of the size first, which cures what rounding does to
//           its merging of facets; the ids are those of the true points all the same.
// raw       triangles as they come, some concave by rounding: to be merged and checked by who asks.
enum class QhullMode { merged, joggled, raw };

// Counter-clockwise loops of point ids. Empty if Qhull gave up or its facets do not close.
std::vector<std::vector<int>> qhull_facets(std::span<const Vec3> points, QhullMode mode);

}  // namespace abut
