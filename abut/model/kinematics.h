// Where everything is and how fast it moves, from q and v.
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

// Twist of a link, named at point p_W: velocity of its material point there, and omega.
Spatial twist_at(const Model& model, const Derived& d, int link, const Vec3& p_W);

// d(value)/dt of a measure, of two bodies of which none is driven.
double measure_rate(const Model& model, const Derived& d, int measure);

// q <- q (+) v h on the configuration manifold: quaternions turn by the exponential.
void advance(const Model& model, std::span<const double> v, double h, std::span<double> q);

// The tangent v with advance(from, v, 1) = to.
void difference(const Model& model, std::span<const double> from, std::span<const double> to,
                std::span<double> v);

// Brings every quaternion in q to unit length; a zero one becomes the identity.
void normalize(const Model& model, std::span<double> q);

}  // namespace abut
