// The worlds of Cline and Pai, built in code. Those that name a file are in worlds/ too, to be run
// and looked at (a test compares them).
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

// C-X2: a rod held at one end, step 2 ms: worlds/rod_pendulum.xml.
World rod_pendulum();
inline constexpr double kPendulumStep = 2e-3;  // s
// C-X3: a rectangle of 1 x 0.5 m in the room: worlds/pushed_rectangle.xml.
World pushed_rectangle_world();
// C-X4: five rectangles; with step 1 ms worlds/five_bodies.xml.
World five_bodies(double h);
// C-X5: a tower of three squares of kTowerSide that overlap each other, and the floor, by 30 % of a
// side, turned at random; seed 1 is worlds/sunk_tower.xml.
World sunk_tower(unsigned seed);
inline constexpr double kTowerSide = 0.6;  // m
inline constexpr int kTowerBodies = 3;
// C-X6: a rectangle 20 mm in the floor and tilted by 30 mrad: worlds/sunk_rectangle.xml.
World sunk_rectangle();
// C-X6: a box turned by 45 degrees on another, in it by 20 mm and tilted a little, so that it has
// eight points, which three numbers place: worlds/box_in_box.xml.
World box_in_box();
// C-T12: a block on a plane tilted about a horizontal axis by `angle`, friction `mu`, step 10 ms;
// the fall line is `heading` from x. 0.5, 0.4, mu 0.4 is worlds/incline.xml.
World incline(double angle, double heading, double mu);

}  // namespace abut::reproduce
