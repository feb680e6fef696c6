#include "abut/contact/impact/flying_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/contact/impact/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/gyroscope.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// rad: a leg turns by no more. free_rotation() would divide it, and turn unevenly.
constexpr double kLongestTurn = 0.3;

}  // namespace

FlyingBodies::FlyingBodies(const Model& model, const Collider& collider)
    : model_(model),
      collider_(collider),
      geoms_of_(model.trees.size()),
      gravity_(gravity(model)),
      courses_(model.geoms.size()),
      bodies_(model.trees.size()) {
  for (int g = 0; g < collider.solids().count(); ++g) {
    if (!collider.solids().can_collide(g) || collider.solids().is_compound(g)) continue;
    geoms_.push_back(g);
    if (const int tree = tree_of(g); tree >= 0) geoms_of_[at(tree)].push_back(g);
  }
}

int FlyingBodies::tree_of(int geom) const {
  const int link = model_.bodies[at(model_.geoms[at(geom)].body)].link;
  return link < 0 ? -1 : model_.links[at(link)].tree;
}

bool FlyingBodies::is_fixed(int geom) const {
  const auto& body = model_.bodies[at(model_.geoms[at(geom)].body)];
  return body.link < 0 && model_.bodies[at(body.weld)].mocap < 0;
}

const Link& FlyingBodies::link_of(int tree) const {
  return model_.links[at(model_.trees[at(tree)].link_begin)];
}

void FlyingBodies::begin(const StepMotion& step, std::span<const std::uint8_t> flies) {
  h_ = step.h;
  for (const int g : geoms_) {
    Course& c = courses_[at(g)];
    const Convex& solid = collider_.solids()[g];
    c.motion = step.of(g);
    c.since = 0;
    c.until = h_;
    if (is_fixed(g)) c.motion.pivot = c.motion.start * solid.center;
    c.radius = (c.motion.start * solid.center - c.motion.pivot).norm() + solid.radius;
  }
  for (std::size_t t = 0; t < bodies_.size(); ++t) {
    if (!flies[t]) continue;
    const int tree = static_cast<int>(t);
    const Link& link = link_of(tree);
    const Pose& X_WL = step.start.body_pose[at(link.body)];
    const Vec3 center = X_WL * link.mass.com;
    const Spatial twist = twist_at(model_, step.start, model_.trees[t].link_begin, center);
    bodies_[t] = {0, 0, center, X_WL.q, twist.lin, X_WL.q.conjugate() * twist.ang, false};
    for (const int g : geoms_of_[t])
      courses_[at(g)].in_link = X_WL.inverse() * courses_[at(g)].motion.start;
    plan(tree);
  }
}

bool FlyingBodies::has_legs(const StepMotion& step, int tree) const {
  const Link& link = link_of(tree);
  const Vec3 omega = step.start.link_twist[at(model_.trees[at(tree)].link_begin)].ang;
  return length_of_leg(tree, step.start.body_rotation[at(link.body)].transpose() * omega) < step.h;
}

// s: an even turn is off by |omega'| t^2 / 8 in the midst of the leg. Bodies whose moments of
// inertia are equal turn evenly all the way.
double FlyingBodies::length_of_leg(int tree, const Vec3& omega) const {
  const Link& link = link_of(tree);
  const double speed = omega.norm();
  const double rate = (link.inverse_inertia * omega.cross(link.mass.inertia * omega)).norm();
  if (!(rate > kSteadyAxis * speed * speed)) return std::numeric_limits<double>::infinity();
  return std::min(std::sqrt(8 * kEvenTurn / rate), kLongestTurn / speed);
}

// On its flight, at another time.
FlyingBodies::Body FlyingBodies::after(double time, int tree) const {
  Body b = bodies_[at(tree)];
  const double t = time - b.time;
  b.center += t * b.velocity + 0.5 * t * t * gravity_;
  b.velocity += t * gravity_;
  const Spin spin = free_rotation(link_of(tree).mass.inertia, b.omega, t);
  b.q = (b.q * spin.turned).normalized();
  b.omega = spin.omega;
  b.time = time;
  return b;
}

void FlyingBodies::fly_to(double time, int tree) {
  bodies_[at(tree)] = after(time, tree);
  plan(tree);
}

void FlyingBodies::set_velocity(int tree, const Vec3& velocity, const Vec3& omega_W) {
  Body& b = bodies_[at(tree)];
  b.velocity = velocity;
  b.omega = b.q.conjugate() * omega_W;
  b.changed = true;
  plan(tree);
}

Pose FlyingBodies::link_pose(const Body& body, int tree) const {
  return {body.center - body.q * link_of(tree).mass.com, body.q};
}

// The motions of the geoms of a body on its next leg.
void FlyingBodies::plan(int tree) {
  Body& b = bodies_[at(tree)];
  const double longest = length_of_leg(tree, b.omega), left = h_ - b.time;
  const double length = std::min(longest, left);
  b.leg = longest < left ? b.time + length : h_;
  Vec3 omega = b.omega;
  if (std::isfinite(longest) && length > 0)
    omega = log_rotation(free_rotation(link_of(tree).mass.inertia, omega, length).turned) / length;
  const Pose X_WL = link_pose(b, tree);
  for (const int g : geoms_of_[at(tree)]) {
    Course& c = courses_[at(g)];
    c.since = b.time;
    c.until = b.leg;
    c.motion = {X_WL * c.in_link, b.center, b.velocity + 0.5 * length * gravity_, b.q * omega,
                gravity_};
  }
}

Vec3 FlyingBodies::place(const Course& c, double time) const {
  const double t = time - c.since;
  return c.motion.pivot + t * c.motion.velocity + 0.5 * t * (time - c.until) * c.motion.bow;
}

GeomMotion FlyingBodies::motion(int geom, double time, double until) const {
  const Course& c = courses_[at(geom)];
  if (c.since == time && c.until == until) return c.motion;
  return c.motion.part(time - c.since, until - c.since, c.until - c.since);
}

Pose FlyingBodies::pose(int geom, double time) const {
  const Course& c = courses_[at(geom)];
  return c.since == time ? c.motion.start : c.motion.at(time - c.since, c.until - c.since);
}

Pose FlyingBodies::exact_pose(int geom, double time) const {
  const int tree = tree_of(geom);
  if (tree < 0) return pose(geom, time);
  return link_pose(after(time, tree), tree) * courses_[at(geom)].in_link;
}

bool FlyingBodies::may_meet(int a, int b, double time, double until) const {
  const Course &A = courses_[at(a)], &B = courses_[at(b)];
  const double radii = A.radius + B.radius;
  if (!std::isfinite(radii)) return true;
  const double h = until - time;
  const auto mean = [&](const Course& c) -> Vec3 {
    return c.motion.velocity + 0.5 * (time - c.since + until - c.until) * c.motion.bow;
  };
  const Vec3 c = place(B, time) - place(A, time), v = mean(B) - mean(A);
  const double speed = v.squaredNorm();
  const double t = speed > 0 ? std::clamp(-c.dot(v) / speed, 0.0, h) : 0;
  const double off = 0.125 * h * h * (B.motion.bow - A.motion.bow).norm() + kNearFlight * radii;
  return (c + t * v).squaredNorm() < (radii + off) * (radii + off);
}

bool FlyingBodies::may_touch(int a, int b, double time, double margin) const {
  const Course &A = courses_[at(a)], &B = courses_[at(b)];
  const double radii = A.radius + B.radius + margin;
  return !std::isfinite(radii) || (place(B, time) - place(A, time)).squaredNorm() < radii * radii;
}

}  // namespace abut
