// Candidates of Peg's search (peg.h). A branch chooses a separating plane for some of the pairs; a trial
// is a branch with the solution of its problem.
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
  bool met = false;     // `meets` at the end of the last step
  bool meets = false;   // rows are those of the touching points, not of all vertices near the plane
  bool failed = false;  // the plane did not separate the pair in the last trial
  bool is_last = false;  // the plane is that of the last step, not a new one
  bool fresh = true;     // its island has changed since it was solved
  int island = 0;        // the first choice of its island (PegIslands)
  double motion = 0;     // J: its part of the branch's motion
};

struct PegTrial {
  std::vector<PegChoice> choices;  // ascending by key
  std::vector<double> change;
  std::vector<double> about;  // the change at whose end the rows of the last problem were made
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
