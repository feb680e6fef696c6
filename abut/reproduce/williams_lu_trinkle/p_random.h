// Random solids thrown at each other in large steps, beyond what Williams, Lu and Trinkle show: two
// hulls or boxes of size about L, a relative speed of 0.3 to 2 L/s and spins of about 1 rad/s, h =
// 0.25 s, 1 s, no gravity and no friction. Sizes go from 0.1 to 10 m.
//
//   const Approach approach = random_approach(7);
//   const ApproachEnd end = run_approach(approach, peg_settings());
//   show(end.overlap / approach.L, end.fallbacks);
#pragma once

#include <array>
#include <vector>

#include "abut/contact/settings.h"
#include "abut/model/world.h"

namespace abut::reproduce {

struct Approach {
  struct Solid {
    std::vector<Vec3> points;  // of a hull; empty: a box
    Vec3 half = Vec3::Zero();  // m, of the box
    double mass = 1;           // kg
    Pose pose;
    Vec3 velocity = Vec3::Zero();  // m/s, of its origin
    Vec3 spin = Vec3::Zero();      // rad/s, in its own axes
  };
  double L = 1;  // m
  std::array<Solid, 2> solids;
};

Approach random_approach(unsigned seed);
World world_of(const Approach& approach);

struct ApproachEnd {
  std::array<Pose, 2> poses;  // in the order of the solids
  double overlap = 0;         // m, the deepest after a step that did not fall back
  double overlap_any = 0;     // m, after any step
  double momentum = 0;        // change of the linear momentum, relative to m v
  double angular = 0;         // change of the angular momentum about the common centre, relative to
                              // the impulses' moments m v L
  double off_surface = 0;     // m: the farthest from the surfaces that an impulse acted
  // Change of momentum that the impulses and Peg::handed() do not add up to, relative to m v.
  double unexplained = 0;
  double energy_growth = 0;  // the most that kinetic energy grew in a step, relative
  int steps = 0, fallbacks = 0, worst_level = 0;
  bool touched = false;  // there was an impulse
};
ApproachEnd run_approach(const Approach& approach, const ContactSettings& settings);

}  // namespace abut::reproduce
