// What controllers of robots ask for: Jacobians and inertias of tasks. All functions require
// positions(); the last two also mass_matrix() and factor().
//
//   abut::Jacobian3 J = abut::com_jacobian(model, d, torso);         // of the whole robot
//   abut::MatX lambda = abut::task_inertia(model, d, J);             // 3 x 3
//   tau = J.transpose() * (lambda * wanted_acceleration) + bias;
#pragma once

#include "abut/dynamics/jacobian.h"

namespace abut {

using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;

// Velocity of the material point of a body that is now at p_W, and angular velocity; of a body that
// does not move, or is driven, zero. Requires velocities().
Spatial point_velocity(const Model& model, const Derived& d, int body, const Vec3& p_W);

// Velocity of the common centre of mass of a body and its descendants (body 0: of all bodies that
// move) = J v.
// Throws std::invalid_argument if they have no mass.
Jacobian3 com_jacobian(const Model& model, const Derived& d, int root);

// M^-1, by solves with the factor of M.
MatX inverse_mass_matrix(const Model& model, const Derived& d);

// (J M^-1 J')^-1: the inertia that a task J v has in operational space. Throws std::invalid_argument if
// the rows of J depend on each other.
MatX task_inertia(const Model& model, const Derived& d, const Eigen::Ref<const MatX>& J);

}  // namespace abut
