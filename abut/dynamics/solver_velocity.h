// The velocities that solvers speak, u: for a free body the velocity of its centre of mass and
// its angular velocity, both in world axes; for every other tree v itself. One entry a dof, in
// the same places as in v. A contact then sees of a free body nothing but its mass and the
// arm from its centre.
//
//   to_solver_velocity(model, d, state.v, u);
#pragma once

#include <span>

#include "abut/model/derived.h"

namespace abut {

// d holds the poses that v belongs to.
void to_solver_velocity(const Model& model, const Derived& d, std::span<const double> v,
                        std::span<double> u);
void from_solver_velocity(const Model& model, const Derived& d, std::span<const double> u,
                          std::span<double> v);

// du/dt of an acceleration dv/dt; d holds poses and velocities of v.
void to_solver_acceleration(const Model& model, const Derived& d, std::span<const double> v,
                            std::span<const double> v_rate, std::span<double> u_rate);

// Twist of a body at these velocities, named at p_W; zero for what nothing can move. d holds the
// poses.
Spatial solver_twist(const Model& model, const Derived& d, std::span<const double> u, int body,
                     const Vec3& p_W);

// q <- q (+) dp, a small displacement as solvers speak it (m, rad): the centre of mass of a free
// body moves by its first three numbers and the body turns about it. d holds the poses of q.
void displace(const Model& model, const Derived& d, std::span<const double> dp,
              std::span<double> q);

}  // namespace abut
