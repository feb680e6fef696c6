// Friction of a contact that has an area: against sliding as a point has it (tangential.h), and
// against turning about the normal, with limits from the integral of mu times pressure times lever
// arm (Hasegawa and Fujii, 4.6; H-E9).
//
// The two draw on the same pressure. What slides and turns at once is held by both, but not by all
// that each could do alone: (f / mu F_n)^2 + (c / mu F_n r)^2 <= 1, r the mean lever arm. Without
// this a spinning box would be held by the full friction at one point, and whirl about it.
//
// Stretch and angle are memory: a stage of an integrator reads them and cuts the force
// (spread_friction), the start of a step moves them (move_spread_friction).
#pragma once

#include <span>

#include "abut/contact/penalty/friction/tangential.h"

namespace abut {

// Anchors (tangential.h), angle (rad), B's orientation in A then.
inline constexpr int kSpreadWidth = kAnchorWidth + 5;

struct SpreadContactPoint {
  TangentialContact sliding;
  double rate = 0;                    // rad/s: B's turning about the normal less A's
  double arm = 0;                     // m: mean distance from the place where the force acts
  double stiffness = 0, damping = 0;  // against turning: N m / rad, N m s / rad
  double most_damping = 0;            // N m s / rad: what stops the two in a step
};

struct SpreadFriction {
  Vec3 force = Vec3::Zero();  // N, on B, in the contact plane
  double couple = 0;          // N m, on B about the normal
  double energy = 0;          // J: of the springs
};

// `memory` empty, or zeros: nothing is remembered.
SpreadFriction spread_friction(const FrictionRule& rule, const SpreadContactPoint& contact,
                               std::span<const double> memory);
void move_spread_friction(const FrictionRule& rule, const SpreadContactPoint& contact,
                          std::span<double> memory);

}  // namespace abut
