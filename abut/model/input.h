// Input: the external influences on a step: controls, forces, driven poses.
#pragma once

#include <vector>

#include "abut/model/model.h"

namespace abut {

// The user's hand: a spring and damper between a point of a body and a point in the world. Its
// force is stiffness * (target - p) - damping * v_p.
struct UserSpring {
  int body = -1;               // -1: nothing is held
  Vec3 point = Vec3::Zero();   // in the body frame
  Vec3 target = Vec3::Zero();  // in the world
  double stiffness = 0;        // N/m
  double damping = 0;          // N s/m
};

struct Input {
  Input() = default;
  explicit Input(const Model& model);

  std::vector<double> ctrl;   // one per actuator
  std::vector<Vec6> wrench;   // one per body: force (N) and torque (N m) in world axes,
                              // acting at the body's centre of mass
  std::vector<double> force;  // one per dof: generalized forces
  std::vector<Pose> mocap;    // poses of the driven bodies ..
  std::vector<Vec6>
      mocap_velocity;  // .. and velocity (m/s) of their origins, angular (rad/s), world axes
  UserSpring spring;

  // Clears wrenches, forces and the spring; keeps controls and driven poses.
  void clear_forces();
};

}  // namespace abut
