// Derived: quantities that a step computes from the state, for inspection; valid until the next
// step.
//
// Everything is in world axes. The spatial quantities of a tree (S, inertias, twists) are about the
// tree's reference point, the origin of its root link: near enough to the bodies that no digits are
// lost far from the world's origin.
#pragma once

#include <vector>

#include "abut/math/spatial.h"
#include "abut/model/model.h"

namespace abut {

struct Derived {
  Derived() = default;
  explicit Derived(const Model& model);

  // kinematics
  std::vector<Pose> body_pose;                 // X_WB
  std::vector<Mat3> body_rotation;             // R_WB, the same rotation
  std::vector<Vec3> joint_anchor, joint_axis;  // joint_axis: unit; before the joint's own motion
  std::vector<Vec3> tree_point;                // reference point of each tree
  std::vector<Spatial> S;                      // twist of the link per unit velocity of each dof
  std::vector<SpatialInertia> link_inertia;
  std::vector<MeasureNow> measure;
  std::vector<double> tendon_length;

  // velocities
  std::vector<Spatial> link_twist;
  std::vector<Spatial> link_bias;  // acceleration of the link when all dofs have v' = 0
  std::vector<double> tendon_velocity;

  // forces, one entry for each dof
  std::vector<double> bias;       // Coriolis, centrifugal, gyroscopic and gravity: M v' + bias = ..
  std::vector<double> passive;    // springs, dampers, air, gravity compensation
  std::vector<double> actuation;  // of all actuators
  std::vector<double> applied;    // from Input: wrenches, generalized forces, the spring
  std::vector<double> tau;        // passive + actuation + applied
  std::vector<double> actuator_force;  // one entry for each actuator
  std::vector<double> actuator_length, actuator_velocity;
  std::vector<double> act_rate;
  // One entry for each tendon that represents a joint, kg or kg m^2: its armature, and h times the
  // implicit part of its damping. It corresponds to the entry on M's diagonal of a joint.
  std::vector<double> tendon_inertia;

  std::vector<double> M;             // rows as in Model::M_row
  std::vector<double> acceleration;  // v'

  // Scratch of the dynamics, sized once.
  std::vector<SpatialInertia> composite;
  std::vector<Spatial> link_wrench, link_acceleration;
  std::vector<double> LTL;  // factor of M
  struct ArticulatedInertia {
    double a[36];
  };  // 6 x 6, symmetric
  std::vector<ArticulatedInertia> articulated;
  std::vector<Spatial> dof_U;  // articulated inertia times S
  std::vector<double> dof_Dinv, dof_u;
};

// X_WG of a geom, X_WS of a site.
inline Pose geom_pose(const Model& model, const Derived& d, int geom) {
  const Geom& g = model.geoms[static_cast<std::size_t>(geom)];
  return d.body_pose[static_cast<std::size_t>(g.body)] * g.pose;
}
// X_WG of all geoms, into an array that is reused.
inline void geom_poses(const Model& model, const Derived& d, std::vector<Pose>& poses) {
  poses.resize(model.geoms.size());
  for (std::size_t g = 0; g < poses.size(); ++g)
    poses[g] = geom_pose(model, d, static_cast<int>(g));
}
inline Pose site_pose(const Model& model, const Derived& d, int site) {
  const Site& s = model.sites[static_cast<std::size_t>(site)];
  return d.body_pose[static_cast<std::size_t>(s.body)] * s.pose;
}

}  // namespace abut
