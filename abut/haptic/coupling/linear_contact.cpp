#include "abut/haptic/coupling/linear_contact.h"

#include <algorithm>

#include "abut/haptic/tolerances.h"
#include "abut/math/index.h"

namespace abut::haptic {

namespace {

// m: how deep the two geoms overlap, by any of their parts.
double depth_between(const ContactData& data, int a, int b) {
  double depth = 0;
  for (const Patch& p : data.patches)
    if (p.geom_a == a && p.geom_b == b) depth = std::max(depth, -p.distance);
  return depth;
}

}  // namespace

void LinearContact::take(const Model& model, int body, const Pose& X, const ContactForces& forces,
                         const ContactData& data) {
  clear();
  X_ = X;
  for (const PairForce& pair : forces.pairs) {
    const bool is_a = model.geoms[at(pair.geom_a)].body == body;
    if (!is_a && model.geoms[at(pair.geom_b)].body != body) continue;
    const double sign = is_a ? -1 : 1;
    const double load = pair.normal_force();
    if (count_ == kMost || load <= 0) {
      const Vec3 force = sign * pair.force;
      rest_ += {force, sign * pair.torque + (pair.point - X.p).cross(force)};
      continue;
    }
    // a pair's torque about its point is small beside the arm of its force, and is left to the
    // point
    springs_[at(count_++)] = {
        X.inverse() * pair.point, sign * pair.normal, sign * pair.force, load,
        std::min(kStiffest,
                 load / std::max(depth_between(data, pair.geom_a, pair.geom_b), kLeastDepth))};
    rest_.ang += sign * pair.torque;
  }
}

Spatial LinearContact::wrench(const Pose& now) const {
  Spatial sum = rest_;
  for (int i = 0; i < count_; ++i) {
    const Spring& s = springs_[at(i)];
    const Vec3 point = now * s.point, moved = point - X_ * s.point;
    const double load = std::max(0.0, s.load - s.stiffness * s.normal.dot(moved));
    const Vec3 force = load / s.load * s.force;
    sum += {force, (point - now.p).cross(force)};
  }
  return sum;
}

}  // namespace abut::haptic
