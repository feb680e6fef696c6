// Coupling: the virtual coupling between the hand and the pointer, a spring and a damper in all six
// degrees of freedom (Colgate, Stanley and Brown 1995).
//
//   F   = k (p_H - p_P) + b (v_H - v_P)         on the pointer, at its centre of mass
//   tau = k_r log(R_H R_P^-1) + b_r (w_H - w_P)
//
// |F| and |tau| have limits. The hand is pulled by the opposite; the difference between that and
// the contact forces on the pointer is the pointer's own momentum.
#pragma once

#include "abut/math/spatial.h"

namespace abut::haptic {

struct CouplingGains {
  double stiffness = 0;       // N/m
  double damping = 0;         // N s/m
  double turn_stiffness = 0;  // N m/rad
  double turn_damping = 0;    // N m s/rad
  double most_force = 0;      // N
  double most_torque = 0;     // N m
};

// Gains of a pointer of this mass (kg) and least principal inertia (kg m^2), for steps of h
// seconds. The stiffness is 1000 N/m, which devices of today can render at 1 kHz, and less where
// the pointer is so light that a step cannot follow: k h^2 <= 0.1 m. The turning spring has the
// same frequency, and both are critically damped.
CouplingGains natural_gains(double mass, double inertia, double h);

// Whether a semi-implicit Euler step of h seconds follows the spring and the damper of a free mass:
// k h^2 + 2 b h < 4 m, and b h < 2 m (the roots of its characteristic polynomial lie in the unit
// circle).
bool can_follow(double stiffness, double damping, double mass, double h);

// A frame that moves: a pose, and the velocity of its origin.
struct MovingFrame {
  Pose X;
  Spatial twist;  // world axes, at X.p
};

// The wrench on the pointer; its torque is about the pointer's origin. `part`: of the springs that
// acts, 0 to 1; the dampers always do.
Spatial coupling_wrench(const CouplingGains& gains, const MovingFrame& hand,
                        const MovingFrame& pointer, double part);

// J: stored in the springs. Forces beyond the limit store as much as the limit does on its way.
double coupling_energy(const CouplingGains& gains, const Pose& hand, const Pose& pointer);

// The vector, no longer than `most`.
Vec3 limited(const Vec3& v, double most);

}  // namespace abut::haptic
