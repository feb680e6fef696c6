// Friction of penalty models: a force in the contact plane that opposes sliding, mu times the
// normal force F_n at most.
//
//   slip      mu F_n against the velocity u (Drumwright, III-B). Near rest no more than what stops
//             the lightest corner in one step, else it would push back and forth.
//   viscous   k_v u, mu F_n at most: holds nothing for good
//   stribeck  mu(u) F_n + c u against the velocity: mu(u) = mu + (mu_0 - mu) exp(-u / u_s), from
//             static to sliding friction, and c is what fluids add (D-13, D-T14)
//   springs   k_p s + k_v u, mu F_n at most; s is how far two points apart that met at the first
//             touch (Hwang; Yamane and Nakamura). Where it slips the points are dragged along.
//   anchor    the same with the points moved to where the force acts in every step, the stretch
//             kept, and a higher limit until it slips: mu_0 = abut.friction.static times mu
//             (Hasegawa and Fujii, 4.6; H-E9).
//
// Stretch is memory: a stage of an integrator reads it and clamps the force (friction_force), the
// start of a step moves the points (move_anchors).
#pragma once

#include <span>

#include "abut/contact/settings.h"
#include "abut/math/types.h"

namespace abut {

struct FrictionRule {
  FrictionKind kind = FrictionKind::anchor;
  double ratio = 1;        // mu_0 / mu: abut.friction.static
  double stribeck = 0.01;  // u_s (m/s): abut.friction.stribeck
  double viscous = 0;      // c (N s/m): abut.friction.viscous

  // Stribeck's mu(u) / mu.
  double stribeck_ratio(double speed) const;
};
// Throws WorldError for numbers that cannot be.
FrictionRule friction_rule(const Model& model, const ContactSettings& settings);

// What a pair remembers of it: where the two points are, each in the frame of its body's geom.
inline constexpr int kAnchorWidth = 7;  // on A, on B, slides (0 or 1)

// One contact, at a moment.
struct TangentialContact {
  Vec3 point = Vec3::Zero();     // where the force acts
  Vec3 normal = Vec3::Zero();    // unit, from A to B
  Vec3 velocity = Vec3::Zero();  // of B's point less A's (m/s)
  Pose X_WA, X_WB;
  double load = 0;  // F_n (N)
  double mu = 0;
  double stiffness = 0, damping = 0;  // N/m, N s/m
  double most_damping = 0;            // N s/m: what stops the lightest corner in a step
};

struct Friction {
  Vec3 force = Vec3::Zero();  // N, on B, in the contact plane
  double energy = 0;          // J: of the spring
};

// `anchor` empty: nothing is remembered, the points are where the force acts.
Friction friction_force(const FrictionRule& rule, const TangentialContact& contact,
                        std::span<const double> anchor);

// The points by the data of this moment. `fresh`: the pair touches for the first time.
void move_anchors(const FrictionRule& rule, const TangentialContact& contact, bool fresh,
                  std::span<double> anchor);

}  // namespace abut
