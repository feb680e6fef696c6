#include "abut/simulate/derive/step_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/simulate/derive/tolerances.h"

namespace abut {

namespace {

void add_point(const Model& model, const Derived& d, int body, const Vec3& p, double sign,
               Eigen::Matrix3Xd& J) {
  const int link = model.bodies[at(body)].link;
  if (link < 0) return;
  const Link& l = model.links[at(link)];
  if (model.trees[at(l.tree)].free_body) {
    const Vec3 com = d.body_pose[at(l.body)] * l.mass.com;
    J.middleCols<3>(l.dof_begin) += sign * Mat3::Identity();
    J.middleCols<3>(l.dof_begin + 3) -= sign * skew(p - com);
    return;
  }
  const Vec3 arm = p - d.tree_point[at(l.tree)];
  for (int i = l.dof_begin + l.dof_count - 1; i >= 0; i = model.dofs[at(i)].parent)
    J.col(i) += sign * shift_twist(d.S[at(i)], arm).lin;
}

// db/dpsi of a contact, as RightHandSide::add_contact has it.
double rate_of_gap(const StepSettings& s, double h, double psi, double size) {
  if (s.gaps == GapRule::close_all) return 1 / h;
  if (s.gaps == GapRule::close) return psi > kNoStepGap * size ? 1 / h : 0;
  const bool closes = s.tolerance <= kContactTolerance;
  if (psi > (closes ? kNoStepGap : s.tolerance) * size) return 1 / h;
  if (!s.stabilizer.contacts) return 0;
  const double rate = s.stabilizer.position_rate(h);
  return psi > 0 ? std::min(rate, 1 / h) : rate;
}

// The same of a limit, as RightHandSide::add_joints has it.
double rate_of_limit(const StepSettings& s, double h, double gap) {
  if (s.gaps == GapRule::close_all) return 1 / h;
  if (gap > 0) return s.gaps == GapRule::keep ? 0 : 1 / h;
  return s.stabilizer.position_rate(h);
}

bool find_patch(const ContactData& data, const PairKey& key) {
  return std::any_of(data.patches.begin(), data.patches.end(),
                     [&](const Patch& p) { return p.key() == key; });
}

// A point of contact data as a step would have it, without material.
Contact contact_of(const Model& model, const ContactData& data, const Patch& patch, int point) {
  Contact c;
  c.patch = static_cast<int>(&patch - data.patches.data()), c.point = point;
  c.body_a = model.geoms[at(patch.geom_a)].body, c.body_b = model.geoms[at(patch.geom_b)].body;
  c.position = 0.5 * (data.points.p_A[at(point)] + data.points.p_B[at(point)]);
  c.frame.col(0) = patch.normal;
  c.psi = data.points.psi[at(point)];
  return c;
}

}  // namespace

Eigen::Matrix3Xd relative_jacobian(const Model& model, const Derived& d, int body_a, int body_b,
                                   const Vec3& p_W) {
  Eigen::Matrix3Xd J = Eigen::Matrix3Xd::Zero(3, model.nv);
  add_point(model, d, body_b, p_W, 1, J);
  add_point(model, d, body_a, p_W, -1, J);
  return J;
}

StepModes::StepModes(Simulator& simulator, const State& start, const VecX& u)
    : simulator_(simulator), model_(simulator.model()) {
  const ContactSettings& chosen = simulator.contact().settings();
  settings_ = step_settings(chosen, info_of(chosen).gaps);
  if (own(chosen, "st.recover") == "velocity") settings_.gaps = GapRule::close_all;
  const TimeStepping& stepping = simulator.contact().stepping();
  for (const double p : stepping.row_impulses()) impulse_ = std::max(impulse_, std::abs(p));
  speed_ = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0;
  for (const double v : simulator.free_velocities()) speed_ = std::max(speed_, std::abs(v));
  if (stepping.step_rows().count() > 0) {
    add_limits(u);
    add_dry_joints(u);
    add_contacts(u);
  }
  if (why_not_.empty()) add_left_out(start, u);
}

VecX StepModes::row(int index) const {
  const ConstraintRows& rows = simulator_.contact().stepping().rows();
  std::vector<double> one(at(rows.rows()), 0.0), force(at(model_.nv), 0.0);
  one[at(index)] = 1;
  rows.add_forces(one, force);
  return Eigen::Map<const VecX>(force.data(), model_.nv);
}

void StepModes::add_limits(const VecX& u) {
  const TimeStepping& stepping = simulator_.contact().stepping();
  const std::span<const double> gaps = stepping.step_rows().joints().gap();
  const double h = model_.option.timestep;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double p = stepping.row_impulses()[i], gap = gaps[i];
    const bool closed = std::abs(gap) <= kClosedGap;
    const double rate = rate_of_limit(settings_, h, closed ? kClosedGap : gap);
    const HeldJoint held{row(static_cast<int>(i)), rate_of_limit(settings_, h, gap) * gap, rate,
                         closed};
    const double parting = held.j.dot(u) + held.b;
    if (p > kModeBorder * impulse_)
      joints_.push_back(held);
    else if (parting <= kModeBorder * speed_)
      touching_limits_.push_back(held);
  }
}

void StepModes::add_dry_joints(const VecX& u) {
  const TimeStepping& stepping = simulator_.contact().stepping();
  const JointRows& joints = stepping.step_rows().joints();
  const std::size_t first = joints.gap().size();
  for (std::size_t i = 0; i < joints.bound().size(); ++i) {
    const double p = stepping.row_impulses()[first + i];
    const double bound = model_.option.timestep * joints.bound()[i];
    HeldJoint held{row(static_cast<int>(first + i))};
    const bool moves = std::abs(held.j.dot(u)) > kModeBorder * speed_;
    const bool at_bound = std::abs(p) >= bound * (1 - kModeBorder);
    if (!at_bound)
      joints_.push_back(held);
    else if (!moves)
      border_ = "dry friction of a joint is at its bound, and the joint does not move";
  }
}

void StepModes::add_contacts(const VecX& u) {
  const ContactStep& step = simulator_.contact();
  const TimeStepping& stepping = step.stepping();
  if (!stepping.step_rows().turning().empty())
    why_not_ = "torsional or rolling friction (condim 4 and 6)";
  const std::vector<Contact>& contacts = stepping.contacts();
  for (std::size_t c = 0; c < contacts.size() && why_not_.empty(); ++c)
    add_contact(step.data(), contacts[c], stepping.impulses()[c], u);
}

// What the step left out since it does not meet, and may still end at a touch.
void StepModes::add_left_out(const State& start, const VecX& u) {
  ContactStep& step = simulator_.contact();
  if (!step.contact().has_rows() || !step.contacts_on()) return;
  const std::vector<double>& sizes = step.collider().sizes();
  std::vector<double> reach(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    reach[i] = std::isfinite(sizes[i]) ? kClosedGap * sizes[i] : 0;
  ContactData near;
  std::vector<PairQuery> queries;
  step.collider().find(model_, simulator_.derived(), start.contacts, {.reach = {.geom = reach}},
                       near, queries);
  for (const ContactData* data : {&step.data(), &std::as_const(near)})
    for (const Patch& patch : data->patches) {
      const auto same = [&](const Contact& c) {
        return step.data().patches[at(c.patch)].key() == patch.key();
      };
      const std::vector<Contact>& contacts = step.stepping().contacts();
      const bool is_near = data == &near && find_patch(step.data(), patch.key());
      const bool took_part = step.stepping().step_rows().count() > 0 &&
                             std::any_of(contacts.begin(), contacts.end(), same);
      if (is_near || took_part) continue;
      for (int i = patch.begin; i < patch.end && why_not_.empty(); ++i)
        add_contact(*data, contact_of(model_, *data, patch, i), Vec3::Zero(), u);
    }
}

void StepModes::add_contact(const ContactData& data, const Contact& contact, const Vec3& impulse,
                            const VecX& u) {
  const ContactStep& step = simulator_.contact();
  const Derived& d = simulator_.derived();
  const Patch& patch = data.patches[at(contact.patch)];
  const Vec3 n = contact.frame.col(0);
  const double h = model_.option.timestep, L = step.stepping().step_rows().size_of(patch);
  HeldContact held;
  held.pair = model_.geom_names[patch.geom_a] + " " + model_.geom_names[patch.geom_b];
  held.body_a = contact.body_a, held.body_b = contact.body_b;
  held.position = contact.position, held.normal = n, held.impulse = impulse;
  held.friction = contact.material.friction;
  held.closed = std::abs(contact.psi) <= kClosedGap * L;
  held.b = rate_of_gap(settings_, h, contact.psi, L) * contact.psi;
  held.b_by_psi = rate_of_gap(settings_, h, held.closed ? kClosedGap * L : contact.psi, L);
  held.velocity = relative_jacobian(model_, d, held.body_a, held.body_b, held.position) * u;
  const double parting = n.dot(held.velocity) + held.b;
  const bool presses = impulse.norm() > kModeBorder * impulse_;
  // of one that passes, the linear gap may be negative, and it does not touch
  if (!presses && std::abs(parting) > kModeBorder * speed_) return;
  if (!contact.driven.isZero(0)) {
    why_not_ = held.pair + ": a driven body, or a surface that moves";
    return;
  }
  const auto feature =
      ContactFeature::find(step.collider().solids(), data, patch, contact.point,
                           geom_pose(model_, d, patch.geom_a), geom_pose(model_, d, patch.geom_b));
  if (!feature || std::abs(feature->psi() - contact.psi) > kSameCorner * L) {
    why_not_ =
        held.pair + ": a contact at an edge, on a curved surface, or found at the end of the step";
    return;
  }
  held.feature = *feature;
  if (presses)
    settle(held, parting, (held.velocity - n * n.dot(held.velocity)).norm());
  else
    touching_.push_back(held);
}

void StepModes::settle(HeldContact& held, double parting, double slip) {
  const double pressed = held.impulse.dot(held.normal);
  const double rubbed = (held.impulse - held.normal * pressed).norm();
  const double room = held.friction * pressed - rubbed, least = kModeBorder * impulse_;
  if (std::abs(parting) > kModeBorder * speed_)
    why_not_ = held.pair + ": several impacts in the step";
  if (held.friction == 0) {
    held.mode = ContactMode::pushes;
  } else if (slip > kModeBorder * speed_) {
    held.mode = ContactMode::slides;
    if (std::abs(room) > least) why_not_ = held.pair + ": its friction is no cone";
  } else {
    held.mode = ContactMode::sticks;
    if (room <= least) border_ = held.pair + ": about to slip";
  }
  if (held.feature.ambiguous() && (held.mode != ContactMode::sticks || !held.closed))
    border_ = held.pair + ": two faces lie on each other, and either may keep the normal";
  contacts_.push_back(held);
}

}  // namespace abut
