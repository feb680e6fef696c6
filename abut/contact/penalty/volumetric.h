// volumetric: springs and dampers spread over the common part of two solids (Hasegawa and
// Fujii; H-E1 to H-E9). The force is that of all of them together, in closed form:
//
//   F_n = k V / A - b mean(u)        V volume of the common part, A its shadow along the normal, u
//                                    the speed at which the two part, linear over the shadow
//   M   = -b mean(y u) x n           about the centroid of the volume, through which the springs
//   act
//
// k = pi^2 m / (8 h)^2 (eq. 8), b = 2 zeta sqrt(k m), m the reduced mass (gains.h says what `auto`
// makes of it). F_n never pulls: where it would, F_n and M are zero, and M never takes the place
// where F_n acts out of the shadow. There friction acts, by springs and dampers that are moved
// along, against sliding and against turning (spread_friction.h).
//
// All pieces of two bodies share their area: each pushes with k V_i / (A_1 + A_2 + ..), so that a
// body that is made of several convex solids rests as one that is not (H-E4, H-T8). Pieces that
// push the same way have one normal, of all their area vectors: what the cuts between them add
// cancels.
//
// Settings: abut.volumetric.normal (area, translation), and gains.h's kp, kv, kt, zeta, gains.
#pragma once

#include <memory>

#include "abut/contact/penalty/spread_forces.h"

namespace abut {

// Throws WorldError for settings that there are not.
std::unique_ptr<ForceModel> make_volumetric(const Model& model, const Collider& collider,
                                            const ContactSettings& settings);

}  // namespace abut
