// Which turning of two solids tilts their contact, and which only rolls it.
//
// Dampers resist the rate of depth. Where a flat face tilts, depth changes at every place y of the
// contact by (n x omega) . y. Where a round solid rolls, it approaches ahead and parts behind at
// the same rate, but the contact moves along: seen from it, depth stays what it was. With u_t the
// velocity along the surface, w the contact's and s(y) the surface of a ball of radius R,
//
//   d(depth)/dt at y = u_0 + (n x omega) . y + (w - u_t) . grad s,   grad s = y / R,
//   w - u_t = -R (n x omega)
//
// so that u_0 is left alone, whatever the ball does. Dampers that took (n x omega) . y for the rate
// of depth had a ball of 10 cm roll down 10 degrees 43 % too slowly, and one of 1 kg stop on a
// level floor.
#pragma once

#include "abut/contact/penalty/force_law.h"

namespace abut {

// P of the slope P (n x omega) with which the rate of depth grows over the contact: the identity of
// two polyhedra, 0 where one of the two is a ball or an ellipsoid. A cylinder or a capsule on its
// side rolls about its axis and tilts about the other direction. A cylinder that stands on its end
// does not roll, and less and less of it rolls as more of the end is below. `second` (m^2): of the
// contact's shadow, that says so.
Mat3 tilting_part(const PairView& pair, const Vec3& normal, const Mat3& second);

// Whether one of the two is curved; else the above is the identity.
bool can_roll(const PairView& pair);

}  // namespace abut
