#include "abut/view/live/hand.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/proximity.h"
#include "abut/model/kinematics.h"

namespace abut::view {

namespace {

constexpr double kSag = 0.03;     // of the scene's size, under the body's weight
constexpr double kDamping = 0.8;  // of critical
constexpr double kRepulsion = 6;  // times the weight, at the middle of the ball
constexpr double kPoint = 1e-4;   // of the scene's size: radius of what stands for the cursor

}  // namespace

HandForces::HandForces(const Model& model, double size) : model_(model), solids_(model) {
  weight_ = model.option.gravity.norm();
  if (!(weight_ > 0) || !model.option.gravity_on) weight_ = 9.81;
  frequency_ = std::min(std::sqrt(weight_ / (kSag * size)), 0.4 / model.option.timestep);
  point_.add(Shape{ShapeKind::sphere, Vec3(kPoint * size, 0, 0)}, ShapeAssets{});
}

// A link drags its whole tree along.
double HandForces::mass_held(int body) const {
  const int link = model_.bodies[static_cast<std::size_t>(body)].link;
  if (link < 0) return 0;
  const Tree& tree =
      model_.trees[static_cast<std::size_t>(model_.links[static_cast<std::size_t>(link)].tree)];
  double mass = 0;
  for (int l = tree.link_begin; l < tree.link_begin + tree.link_count; ++l)
    mass += model_.links[static_cast<std::size_t>(l)].mass.mass;
  return mass;
}

void HandForces::apply(const Hand& hand, const Derived& d, Input& input) const {
  if (hand.ctrl.size() == input.ctrl.size()) input.ctrl = hand.ctrl;
  if (hand.pulled >= 0 && hand.pulled < model_.nbody()) {
    const double mass = mass_held(hand.pulled);
    input.spring = {hand.pulled, hand.grip, hand.target, mass * frequency_ * frequency_,
                    2 * kDamping * mass * frequency_};
  }
  if (hand.twisted >= 0 && hand.twisted < model_.nbody()) twist(hand, d, input);
  if (hand.pushing) push(hand, d, input);
}

void HandForces::twist(const Hand& hand, const Derived& d, Input& input) const {
  const int link = model_.bodies[static_cast<std::size_t>(hand.twisted)].link;
  if (link < 0) return;
  const double inertia = model_.links[static_cast<std::size_t>(link)].mass.inertia.trace() / 3;
  const Vec3 omega =
      twist_at(model_, d, link, d.body_pose[static_cast<std::size_t>(hand.twisted)].p).ang;
  input.wrench[static_cast<std::size_t>(hand.twisted)].tail<3>() +=
      inertia * frequency_ * (frequency_ * hand.turn - kDamping * omega);
}

// At the place of each body that is nearest to the cursor, away from it, falling to nothing at the
// ball's edge. Off the centre of mass it turns the body too.
void HandForces::push(const Hand& hand, const Derived& d, Input& input) const {
  const Pose X_WC{hand.cursor, Quat::Identity()};
  for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.link < 0) continue;
    const MassProperties& mass = model_.links[static_cast<std::size_t>(body.link)].mass;
    double nearest = hand.radius;
    Vec3 place = Vec3::Zero(), away = Vec3::Zero();
    for (int g = body.geom_begin; g < body.geom_begin + body.geom_count; ++g) {
      const Convex& solid = solids_[g];
      if (solid.tessellation == nullptr) continue;  // neither planes nor height fields
      const Pose X_WG = d.body_pose[b] * model_.geoms[static_cast<std::size_t>(g)].pose;
      if ((X_WG * solid.center - hand.cursor).norm() > solid.radius + hand.radius) continue;
      const Proximity p = proximity(point_[0], X_WC, solid, X_WG, nullptr, hand.radius);
      if (p.beyond_limit || !(p.distance < nearest)) continue;
      nearest = p.distance;
      place = p.p_B;
      away = p.normal;
    }
    if (!(nearest < hand.radius)) continue;
    const double share = 1 - std::max(nearest, 0.0) / hand.radius;
    const Vec3 force = kRepulsion * mass.mass * weight_ * share * away;
    const Vec3 centre = d.body_pose[b] * body.mass.com;
    input.wrench[b].head<3>() += force;
    input.wrench[b].tail<3>() += (place - centre).cross(force);
  }
}

}  // namespace abut::view
