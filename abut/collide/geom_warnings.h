// What a user should know of geoms that may touch others: those that no query takes, and meshes
// that collide as something larger than they look.
#pragma once

#include <string>
#include <vector>

#include "abut/collide/broad/filter.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/model.h"

namespace abut {

// A line each; of geoms of the same mesh one line.
std::vector<std::string> geom_warnings(const Model& model, const ConvexSet& solids,
                                       const PairFilter& filter);

}  // namespace abut
