// What the search of Peg (peg.h) tries: a branch is a plane for each of some pairs, and a trial a
// branch with what came of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/peg/separating_plane.h"

namespace abut {

struct PegChoice {  // a pair and its plane
  PairKey key = 0;
  int geom_a = 0, geom_b = 0;
  SeparatingPlane plane;
  bool met = false;       // `meets` at the end of the step before
  bool meets = false;     // rows are where the surfaces meet, not all vertices over the plane
  bool failed = false;    // the plane did not part them when it was tried last
  bool recalled = false;  // the plane is that of the step before, not one that was picked
  bool fresh = true;      // its island has not been solved since something in it changed
  int island = 0;         // the first choice of its island (PegIslands)
  double motion = 0;      // J: its part of that of the branch
};

struct PegTrial {
  std::vector<PegChoice> choices;  // ascending by key
  std::vector<double> change;
  std::vector<double> about;  // the change whose end the rows of the last problem are of
  double motion = 0;

  void add(const PegChoice& c) {
    const auto place = std::find_if(choices.begin(), choices.end(),
                                    [&](const PegChoice& other) { return other.key > c.key; });
    choices.insert(place, c);
  }
  void clear() {
    choices.clear();
    change.clear();
    about.clear();
    motion = 0;
  }
};

inline PegChoice choice_of(const Patch& patch) {
  return {patch.key(), patch.geom_a, patch.geom_b, {}};
}

inline double largest_of(std::span<const double> x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace abut
