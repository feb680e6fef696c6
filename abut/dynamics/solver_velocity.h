// Solver velocities u: for a free body the velocity of its centre of mass and its angular velocity,
// both in world axes; for every other tree v itself. u has one entry for each dof, in the same
// order as v. In these coordinates a contact on a free body depends only on the body's inertia and
// on the arm from its centre of mass.
//
//   to_solver_velocity(model, d, state.v, u);
#pragma once

#include <span>

#include "abut/model/derived.h"

namespace abut {

// d has the poses of v.
void to_solver_velocity(const Model& model, const Derived& d, std::span<const double> v,
                        std::span<double> u);
void from_solver_velocity(const Model& model, const Derived& d, std::span<const double> u,
                          std::span<double> v);

// du/dt of an acceleration dv/dt; d has the poses and velocities of v.
void to_solver_acceleration(const Model& model, const Derived& d, std::span<const double> v,
                            std::span<const double> v_rate, std::span<double> u_rate);

// Twist of a body at p_W for given solver velocities; zero for a body that cannot move. d has the
// poses.
Spatial solver_twist(const Model& model, const Derived& d, std::span<const double> u, int body,
                     const Vec3& p_W);

// q <- q (+) dp, a small displacement in solver coordinates (m, rad): the centre of mass of a free
// body moves by the first three numbers, and the body turns about it. d has the poses of q.
void displace(const Model& model, const Derived& d, std::span<const double> dp,
              std::span<double> q);

}  // namespace abut
