// Speed against overlap, as a picture in SVG: a panel a scene, a point an engine.
#pragma once

#include <string>
#include <vector>

#include "table.h"

// Both axes logarithmic: the mean overlap (below 1e-12 m it is drawn there) and ms a step, settled.
// Only engines on one thread that settled are drawn, and scenes with at least three of them: those
// of `scenes`, in this order, or all if it is empty.
std::string speed_against_overlap(const std::vector<ResultRow>& rows,
                                  const std::vector<std::string>& scenes = {});
