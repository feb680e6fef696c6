#include "abut/haptic/coupling/workspace.h"

namespace abut::haptic {

Workspace::Workspace(const WorkspaceSettings& settings, const Pose& place) : settings_(settings) {
  hand_.X = world_ = place;
}

const MovingFrame& Workspace::move(const HandSample& s) {
  if (!caught_) {
    device_ = s.pose;
    world_ = hand_.X;
    caught_ = true;
  }
  const Quat& R = settings_.axes;
  hand_.X.p = world_.p + R * (settings_.scale * (s.pose.p - device_.p));
  hand_.X.q = R * (s.pose.q * device_.q.conjugate()) * R.conjugate() * world_.q;
  hand_.X.q.normalize();
  hand_.twist = {R * (settings_.scale * s.linear_velocity), R * s.angular_velocity};
  return hand_;
}

const MovingFrame& Workspace::hold() {
  hand_.twist = {};
  return hand_;
}

HandWrench Workspace::to_device(const Spatial& wrench) const {
  const Quat back = settings_.axes.conjugate();
  return {settings_.force_scale * (back * wrench.lin),
          settings_.force_scale / settings_.scale * (back * wrench.ang)};
}

}  // namespace abut::haptic
