// Section VI-C of Cline and Pai: "a disturbing crash of the simulation, with the bodies flying off
// wildly". Full post-steps from starts with large errors, of contacts and of joints, in search of
// one.
#pragma once

#include "abut/constrain/stabilize/post_step.h"
#include "abut/model/world.h"

namespace abut::reproduce {

// Six rods in the plane, out of place by up to `far` (m) and turned by up to `turn` (rad) at
// random.
struct TornChain {
  unsigned seed = 1;
  double far = 0.1, turn = 1;
};

struct Crashes {
  int starts = 0;
  int grew = 0;       // some post-step makes the worst error larger
  int flew = 0;       // a body ends up farther away than ten times the size of the scene
  int tenfold = 0;    // the worst error grows to ten times that of the start
  int repaired = 0;   // below 0.01 mm at the end
  double growth = 0;  // the largest of the worst error, over that of the start
};

// Post-steps of towers that begin in each other (sunk_tower), seeds 1 to `starts`.
Crashes crash_towers(int starts, int steps, const PostOptions& options);
// Post-steps of torn chains, seeds 1 to `starts`.
Crashes crash_chains(int starts, int steps, const TornChain& torn, const PostOptions& options);

}  // namespace abut::reproduce
