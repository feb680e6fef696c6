// The pairs that the race is about: random hulls of metre size near contact.
//
// Solids of 8 vertices are boxes, the others have their vertices on ellipsoids. A cold
// query stands alone; coherent ones follow smooth paths, on which the pair turns and
// slides by `motion` (relative to its size, and rad) from one query to the next while
// its gap or depth swings slowly.
#pragma once

#include <span>

#include "scene.h"

struct ScenePlan {
  std::vector<int> vertices{8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  int solids = 40;             // of each size
  int cold = 1000;             // queries of a cold set: more than a branch predictor learns
  int paths = 40, steps = 24;  // of a coherent set
  std::vector<double> motions{1e-3, 1e-2};
};

Scene make_pairs(const ScenePlan& plan);

// What is true about each query of a set, by the tests' slow and exact referee.
std::vector<double> exact_distances(const Scene& scene, const QuerySet& set);
