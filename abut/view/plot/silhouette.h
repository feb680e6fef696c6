// Outlines of shapes, seen along an axis of the world.
#pragma once

#include <span>
#include <vector>

#include "abut/model/model.h"
#include "abut/view/plot/plot.h"

namespace abut::view {

// The outline of the convex hull of a geom, projected on two axes of the world (0, 1, 2 for x, y,
// z), from its farthest points in `directions` directions. Not for planes.
std::vector<Vec2> outline(const Model& model, int geom, const Pose& X_WB, int right, int up,
                          int directions = 72);

// The outlines of all geoms except planes: static geoms in grey, moving geoms in their body's
// colour at their last pose and dotted at their first pose (`colour`: one for each body). Static
// geoms set the range of the plot if they are near the moving ones. A large number of geoms is
// drawn coarsely and at the last pose only; beyond some thousands, not all are drawn.
std::vector<Area> silhouettes(const Model& model, std::span<const Pose> first,
                              std::span<const Pose> last, std::span<const int> colour, int right,
                              int up);

// Horizontal planes, as levels of z.
std::vector<Level> grounds(const Model& model, std::span<const Pose> poses);

}  // namespace abut::view
