// BodyMotion: accelerations of all bodies, and the wrench that each body exerts on its parent's
// side: what accelerometers and force sensors measure. As MuJoCo's mj_rnePostConstraint: recursive
// Newton-Euler with the accelerations that the contacts and joints have led to.
//
//   wrench(body) = sum over the body and its descendants of
//                  I a + v x* I v - contact forces - wrenches from outside,   a with -gravity
//
// The forces of joints that close loops are not part of it.
#pragma once

#include <vector>

#include "abut/simulate/sense/sensor_moment.h"

namespace abut {

class BodyMotion {
 public:
  explicit BodyMotion(const Model& model);

  void find(const SensorMoment& moment);

  // Velocity of the body's material point at p (world), and omega.
  Spatial velocity(const SensorMoment& moment, int body, const Vec3& p) const;
  // Acceleration of that point, and of the body's rotation; gravity counts as an acceleration
  // upwards, as an accelerometer feels it.
  Spatial acceleration(int body, const Vec3& p) const;
  // By the parent on the body (and by the body's welds, where it has no joint); about p.
  Spatial interaction(int body, const Vec3& p) const;

 private:
  void find_accelerations(const SensorMoment& moment);
  void find_wrenches(const SensorMoment& moment);
  Spatial outside(const SensorMoment& moment, int body) const;

  std::vector<Spatial> twist_, acceleration_, wrench_;  // one a body, about the world's origin
  std::vector<BodyForce> contact_;
};

}  // namespace abut
