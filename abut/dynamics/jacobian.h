// How points and links move with v, and the transpose: the effect of a wrench on a link on the
// dofs. All functions require positions().
//
//   Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, model.nv);
//   point_jacobian(model, d, body, p_W, J);      // velocity of p = J v
#pragma once

#include <span>

#include "abut/model/derived.h"
#include "abut/model/input.h"

namespace abut {

// Column of one dof: motion per unit of v[dof], about the tree's reference point.
Spatial dof_motion(const Model& model, const Derived& d, int dof);

// Velocity of the material point of `body` that is now at p_W, per unit of each dof.
void point_jacobian(const Model& model, const Derived& d, int body, const Vec3& p_W,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J);

// Linear velocity of the point (rows 0-2) and angular velocity of the body (rows 3-5).
void body_jacobian(const Model& model, const Derived& d, int body, const Vec3& p_W,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J);

// force += J^T (f, tau) for one wrench at a point of a body. O(depth of the body).
void add_wrench(const Model& model, const Derived& d, int body, const Vec3& p_W,
                const Spatial& wrench, std::span<double> force);

// force += f times the moment of a tendon: the effect of a tendon force f on the dofs.
void add_tendon_force(const Model& model, const Derived& d, int tendon, double f,
                      std::span<double> force);

// force += J^T w for wrenches on all links, each about its tree's point. O(dofs); overwrites the
// wrenches.
void add_link_wrenches(const Model& model, const Derived& d, std::span<Spatial> link_wrench,
                       std::span<double> force);

// Twist at p_W of a driven (mocap) body, or of a body welded to one; zero for others.
Spatial driven_twist(const Model& model, const Input& input, const Derived& d, int body,
                     const Vec3& p_W);

}  // namespace abut
