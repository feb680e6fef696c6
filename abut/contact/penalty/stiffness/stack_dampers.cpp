#include "abut/contact/penalty/stiffness/stack_dampers.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

using Mat2 = Eigen::Matrix2d;

Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

StackDampers::StackDampers(const Model& model)
    : model_(model), velocity_(model.links.size()), turning_(model.links.size()) {}

void StackDampers::begin(double h) {
  h_ = h;
  contacts_.clear();
}

void StackDampers::add(const StackContact& contact, const ForceScene& scene) {
  Solved& c = contacts_.emplace_back();
  c.contact = contact;
  const PairView pair(scene, contact.patch);
  Spatial driven;
  for (const int k : {0, 1}) {
    Side& s = c.side[k];
    const int body = k == 0 ? pair.body_a : pair.body_b;
    s.sign = k == 0 ? -1 : 1;
    s.link = model_.bodies[at(body)].link;
    if (s.link < 0)
      driven += driven_twist(model_, scene.input, scene.d, body, contact.center) * s.sign;
  }
  c.plane.col(0) = contact.normal.unitOrthogonal();
  c.plane.col(1) = contact.normal.cross(c.plane.col(0));
  c.driven << contact.normal.dot(driven.lin), c.plane.transpose() * driven.ang;
}

void StackDampers::prepare(const Derived& d, Solved& c) const {
  const StackContact& of = c.contact;
  c.soft = 1 / (h_ * of.damping);
  c.tilts = Mat2::Zero();
  for (Side& s : c.side) {
    if (s.link < 0) continue;
    const Link& link = model_.links[at(s.link)];
    const Mat3& R = d.body_rotation[at(link.body)];
    const Vec3 com = d.body_pose[at(link.body)].p + R * link.mass.com;
    const Mat3 W = R * link.inverse_inertia * R.transpose();
    s.arm = (of.center - com).cross(of.normal);
    s.inverse_mass = 1 / link.mass.mass;
    s.turn = W * s.arm;
    s.tilt = W * c.plane;
    c.along += s.inverse_mass + s.arm.dot(s.turn);
    c.tilts += c.plane.transpose() * s.tilt;
  }
  // a turn about one direction moves what lies along the other
  const Mat2 second = c.plane.transpose() * of.second * c.plane;
  const Mat2 tilted =
      c.plane.transpose() * (of.tilting.transpose() * of.second * of.tilting) * c.plane;
  const Mat2 across{{tilted(1, 1), -tilted(0, 1)}, {-tilted(0, 1), tilted(0, 0)}};
  c.dampers = h_ * of.damping * of.rocking * across;
  c.solve = (Mat2::Identity() + c.dampers * c.tilts).inverse();
  // y' S^-1 y <= 3, y the place where the force acts; y = n x moment / P turns S over. An edge has
  // some width, so that rounding decides nothing.
  c.shadow = second + kThinShadow2 * second.trace() * Mat2::Identity();
  c.reach = 3 * c.shadow.determinant();
  c.arm = std::sqrt(c.shadow.trace());
  c.moment = h_ * c.plane.transpose() * of.moment;
}

void StackDampers::apply(const Solved& c, double along, const Vec2& tilt) {
  for (const Side& s : c.side) {
    if (s.link < 0) continue;
    velocity_[at(s.link)] += s.sign * s.inverse_mass * along * c.contact.normal;
    turning_[at(s.link)] += s.sign * (along * s.turn + s.tilt * tilt);
  }
}

// N s: by how much its impulses changed, those against tilting at the rim.
double StackDampers::sweep(Solved& c) {
  const double pressed = h_ * c.contact.load;
  double w = c.driven[0];
  for (const Side& s : c.side)
    if (s.link >= 0)
      w += s.sign * (c.contact.normal.dot(velocity_[at(s.link)]) + s.arm.dot(turning_[at(s.link)]));
  const Vec2 held = c.moment + c.p.tail<2>();
  const double bent = held.dot(c.shadow * held);
  const double least = bent > 0 ? (c.reach > 0 ? std::sqrt(bent / c.reach) : pressed) : 0;
  const double before = c.p[0];
  const double target = before - (w + c.soft * before) / (c.along + c.soft);
  c.p[0] = std::max(target, std::min(least - pressed, before));
  const double moved = std::abs(c.p[0] - before);
  apply(c, c.p[0] - before, Vec2::Zero());

  if (!(c.reach > 0)) return moved;
  Vec2 v = c.driven.tail<2>();
  for (const Side& s : c.side)
    if (s.link >= 0) v += s.sign * (c.plane.transpose() * turning_[at(s.link)]);
  const Vec2 old = c.p.tail<2>();
  Vec2 step = c.solve * (c.dampers * (c.tilts * old - v)) - old;
  // as far as the shadow goes: |held + t step| = reach P
  const double most = c.reach * (pressed + c.p[0]) * (pressed + c.p[0]);
  const double aa = step.dot(c.shadow * step), ab = step.dot(c.shadow * held), bb = bent - most;
  if (aa + 2 * ab + bb > 0) {
    if (!(bb < 0) || !(aa > 0)) return moved;
    step *= std::clamp((-ab + std::sqrt(std::max(ab * ab - aa * bb, 0.0))) / aa, 0.0, 1.0);
  }
  c.p.tail<2>() += step;
  apply(c, 0, step);
  return moved + step.norm() / c.arm;
}

void StackDampers::solve(const Derived& d, std::span<const double> u,
                         std::span<const double> u_rate, std::vector<ContactForce>& out) {
  for (Solved& c : contacts_) {
    prepare(d, c);
    for (const Side& s : c.side) {
      if (s.link < 0) continue;
      const double *at_dof = &u[at(model_.links[at(s.link)].dof_begin)],
                   *rate = &u_rate[at(model_.links[at(s.link)].dof_begin)];
      velocity_[at(s.link)] = vec(at_dof) + h_ * vec(rate);
      turning_[at(s.link)] = vec(at_dof + 3) + h_ * vec(rate + 3);
    }
  }
  double pressed = 0, moved = kInfinity;
  for (const Solved& c : contacts_) pressed += h_ * c.contact.load;
  for (int k = 0; k < kSweeps && moved > kDampersSettled * pressed; ++k) {
    moved = 0;
    if (k % 2 == 0)
      for (Solved& c : contacts_) moved += sweep(c);
    else
      for (std::size_t i = contacts_.size(); i-- > 0;) moved += sweep(contacts_[i]);
  }
  for (const Solved& c : contacts_)
    out.push_back({.patch = c.contact.patch,
                   .position = c.contact.center,
                   .force = c.p[0] / h_ * c.contact.normal,
                   .couple = c.plane * c.p.tail<2>() / h_});
}

}  // namespace abut
