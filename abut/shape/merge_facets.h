// Merges the facets of a convex surface that lie in one plane.
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

// Converts facets (closed, counter-clockwise loops of point ids) to the loops of the planar faces,
// in an order that does not depend on the order of the facets. Corners where fewer than three faces
// meet are removed: they were inside a face or an edge. Facets are merged if their corners are
// within `tolerance` (m) of the common plane. Empty if the result is not a set of simple polygons;
// a larger tolerance may help.
std::vector<std::vector<int>> merge_coplanar(std::span<const Vec3> points,
                                             std::vector<std::vector<int>> facets,
                                             double tolerance);

}  // namespace abut
