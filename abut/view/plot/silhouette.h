// Outlines of shapes, seen along an axis of the world.
#pragma once

#include <span>
#include <vector>

#include "abut/model/model.h"
#include "abut/view/plot/plot.h"

namespace abut::view {

// The outline of the convex hull of a geom, projected on two axes of the world (0, 1, 2
// for x, y, z), from its farthest points in so many directions. Not for planes.
std::vector<Vec2> outline(const Model& model, int geom, const Pose& X_WB, int right, int up,
                          int directions = 72);

// Every geom but planes: those that stand in grey, of movers in their body's colour where
// they ended and dotted where they began (`colour`: one a body). What stands sets the
// range of the plot if it is about where the movers are. A crowd is drawn roughly, and
// where it ended only; beyond some thousands, not all of it.
std::vector<Area> silhouettes(const Model& model, std::span<const Pose> first,
                              std::span<const Pose> last, std::span<const int> colour, int right,
                              int up);

// Horizontal planes, as levels of z.
std::vector<Level> grounds(const Model& model, std::span<const Pose> poses);

}  // namespace abut::view
