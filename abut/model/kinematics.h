// Poses and velocities of all bodies, from q and v.
//
//   abut::Derived d(model);
//   abut::positions(model, state, input, d);    // poses, S, inertias in the world
//   abut::velocities(model, state, d);          // twists and velocity-product accelerations
#pragma once

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

void positions(const Model& model, const State& state, const Input& input, Derived& d);
void velocities(const Model& model, const State& state, Derived& d);

// Twist of a link at point p_W: velocity of its material point there, and omega.
Spatial twist_at(const Model& model, const Derived& d, int link, const Vec3& p_W);

// d(value)/dt of a measure between two bodies that are not driven.
double measure_rate(const Model& model, const Derived& d, int measure);

// q <- q (+) v h on the configuration manifold: quaternions are updated by the exponential map.
void advance(const Model& model, std::span<const double> v, double h, std::span<double> q);

// The tangent v with advance(from, v, 1) = to.
void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v);

// Normalises every quaternion in q; a zero quaternion becomes the identity.
void normalize(const Model& model, std::span<double> q);

}  // namespace abut
