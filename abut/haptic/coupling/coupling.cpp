#include "abut/haptic/coupling/coupling.h"

#include <algorithm>
#include <cmath>

#include "abut/haptic/tolerances.h"
#include "abut/math/rotation.h"

namespace abut::haptic {

Vec3 limited(const Vec3& v, double most) {
  const double length = v.norm();
  return length > most && length > kNoForce ? Vec3(most / length * v) : v;
}

CouplingGains natural_gains(double mass, double inertia, double h) {
  constexpr double kStiffness = 1000, kPart = 0.1;  // N/m; of m / h^2
  CouplingGains g;
  g.stiffness = std::min(kStiffness, kPart * mass / (h * h));
  const double frequency = std::sqrt(g.stiffness / mass);
  g.damping = 2 * mass * frequency;
  g.turn_stiffness = g.stiffness / mass * inertia;
  g.turn_damping = 2 * inertia * frequency;
  return g;
}

bool can_follow(double stiffness, double damping, double mass, double h) {
  return stiffness * h * h + 2 * damping * h < 4 * mass && damping * h < 2 * mass;
}

Spatial coupling_wrench(const CouplingGains& g, const MovingFrame& hand, const MovingFrame& pointer,
                        double part) {
  const Vec3 turned = log_rotation(hand.X.q * pointer.X.q.conjugate());
  return {limited(part * g.stiffness * (hand.X.p - pointer.X.p) +
                      g.damping * (hand.twist.lin - pointer.twist.lin),
                  g.most_force),
          limited(part * g.turn_stiffness * turned +
                      g.turn_damping * (hand.twist.ang - pointer.twist.ang),
                  g.most_torque)};
}

namespace {

// J: of a spring whose force is bounded.
double stored(double stiffness, double length, double most) {
  if (stiffness * length <= most) return 0.5 * stiffness * length * length;
  return most * (length - 0.5 * most / stiffness);
}

}  // namespace

double coupling_energy(const CouplingGains& g, const Pose& hand, const Pose& pointer) {
  return stored(g.stiffness, (hand.p - pointer.p).norm(), g.most_force) +
         stored(g.turn_stiffness, log_rotation(hand.q * pointer.q.conjugate()).norm(),
                g.most_torque);
}

}  // namespace abut::haptic
