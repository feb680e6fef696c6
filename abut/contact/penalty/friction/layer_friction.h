// Friction of a contact of many points: Coulomb's law at each of them, by its own load (D-13).
//
//   slip, viscous, stribeck   as at a single point (tangential.h), each by its own velocity
//   springs, anchor           one elastic layer between the two: it remembers where B stood in A
//                             when nothing was strained (X_AB), so every point knows how far it has
//                             been sheared since. Stiffness is shared out by load. Where points
//                             reach mu F_n the layer is dragged along: shifted and turned as fits
//                             them best. So what spins is braked, and held once it stands.
//
// The layer is memory: stages read it (layer_friction), the start of a step moves it (move_layer).
// Points need no names from step to step: there may be others in the next one.
#pragma once

#include <span>

#include "abut/contact/penalty/friction/tangential.h"

namespace abut {

inline constexpr int kLayerWidth = 8;  // X_AB (position, quaternion wxyz), slides (0 or 1)

struct LayerPoint {
  Vec3 position = Vec3::Zero();  // world
  Vec3 velocity = Vec3::Zero();  // of B's point less A's (m/s)
  double load = 0;               // F_n (N)
};

// One contact, at a moment.
struct LayerContact {
  std::span<const LayerPoint> points;
  Vec3 normal = Vec3::Zero();  // unit, from A to B
  Pose X_WA, X_WB;
  double mu = 0;
  // of all points together: N/m, N s/m
  double stiffness = 0, damping = 0;
  double most_damping = 0;  // N s/m: what a step can follow
};

// Calls push(i, force on B (N), energy (J)) for each point that has a load. `layer` empty: not
// strained.
void layer_friction(const FrictionRule& rule, const LayerContact& contact,
                    std::span<const double> layer, std::span<Friction> out);

// `fresh`: the two touch for the first time.
void move_layer(const FrictionRule& rule, const LayerContact& contact, bool fresh,
                std::span<double> layer);

}  // namespace abut
