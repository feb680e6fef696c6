// The worlds of seed 003, built in code; those with a name in worlds/ are the same (a test
// compares them).
#pragma once

#include "abut/model/world.h"

namespace abut::reproduce {

inline constexpr double kRod = 0.1;  // m, length of a link of the chain

// Rods of 100 mm and 1 kg, J = m L^2 / 12, end to end along x from the origin, each a mover of
// its own, joined by `connect`; the first to the world. Gravity along -z, step 1 ms. In the
// plane zx (two slides and a hinge each), or as free bodies in space: worlds/chain6.xml.
World chain_of_rods(int links, double gravity, bool planar);

}  // namespace abut::reproduce
