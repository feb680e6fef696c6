// Warnings about geoms that may touch others: geoms that no query supports, and meshes that collide
// as a convex hull that is larger than the mesh.
#pragma once

#include <string>
#include <vector>

#include "abut/collide/broad/filter.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/model.h"

namespace abut {

// One line for each geom; one line for all geoms of the same mesh.
std::vector<std::string> geom_warnings(const Model& model, const ConvexSet& solids,
                                       const PairFilter& filter);

}  // namespace abut
