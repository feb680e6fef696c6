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

// A flat world in xy, gravity 9.81 along -y, without friction: a room |x| <= 2, 0 <= y <= 3 of
// four half-spaces, step 10 ms, contacts within 5 mm. Rectangles are added by add_rectangle().
World flat_room();
inline constexpr double kRoomHalf = 2, kRoomHeight = 3, kRoomStep = 0.01;  // m, s

// A rectangle with its centre of mass and angle, J = m (a^2 + b^2) / 12.
BodyDesc& add_rectangle(World& world, const Vec2& sides, double mass, const Vec2& at, double angle);
// `abut.contact.tolerance` such that a rectangle of these sides meets a wall within `reach` (m).
double tolerance_within(double reach, const Vec2& sides);

}  // namespace abut::reproduce
