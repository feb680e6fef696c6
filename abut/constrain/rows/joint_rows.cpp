#include "abut/constrain/rows/joint_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// A length that belongs to a link: twice the radius of gyration of what it carries.
double length_of(const Model& model, int body) {
  const MassProperties& m = model.links[at(model.bodies[at(body)].link)].mass;
  return m.mass > 0 ? 2 * std::sqrt(m.inertia.trace() / (2 * m.mass)) : 0;
}

// The length scale of a coordinate of the joint.
double size_of(const Model& model, const Joint& joint) {
  return joint.type == JointType::slide ? length_of(model, joint.body) : 1;
}

double size_of(const Model& model, const JointMeasure& m) {
  if (m.kind != MeasureKind::shift) return 1;
  return length_of(model, model.bodies[at(m.second)].link < 0 ? m.first : m.second);
}

// The bodies of the trees that a tendon moves: one each, none twice.
void trees_of(const Model& model, const Tendon& tendon, std::vector<int>& trees,
              std::vector<int>& bodies) {
  const auto note = [&](int body) {
    const int link = model.bodies[at(body)].link;
    if (link < 0) return;
    const int tree = model.links[at(link)].tree;
    if (std::find(trees.begin(), trees.end(), tree) != trees.end()) return;
    trees.push_back(tree);
    bodies.push_back(body);
  };
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const TendonTerm& term = model.tendon_terms[at(k)];
    if (term.measure < 0) {
      note(model.dofs[at(term.dof)].body);
      continue;
    }
    note(model.measures[at(term.measure)].first);
    note(model.measures[at(term.measure)].second);
  }
}

// A moving frame on a body whose u (solver_velocity.h) is constant.
struct Carried {
  Vec3 c = Vec3::Zero();  // point whose velocity is u
  Spatial twist;          // there
  Pose frame;

  Carried(const Model& model, const Derived& d, int body, const Pose& in_body)
      : frame(d.body_pose[at(body)] * in_body) {
    const int link = model.bodies[at(body)].link;
    if (link < 0) return;
    const Link& l = model.links[at(link)];
    c = d.body_pose[at(l.body)].p;
    if (model.trees[at(l.tree)].free_body) c += d.body_rotation[at(l.body)] * l.mass.com;
    twist = twist_at(model, d, link, c);
  }
  Pose after(double t) const {
    const Quat turn = exp_rotation(t * twist.ang);
    return {c + t * twist.lin + turn * (frame.p - c), turn * frame.q};
  }
  Vec3 velocity(double t, const Vec3& p) const {
    return twist.lin + twist.ang.cross(p - c - t * twist.lin);
  }
};

// dJ/dt u of a measure, by a central difference over a hundredth of the step: its error is
// rounding, as in equality_acceleration.h.
double velocity_term(const Model& model, const Derived& d, int index, double h) {
  const JointMeasure& m = model.measures[at(index)];
  const Carried F(model, d, m.first, m.frame), G(model, d, m.second, m.other);
  const auto rate = [&](double t) {
    const MeasureNow now = measure(m, F.after(t), G.after(t), d.measure[at(index)].value);
    return now.w.lin.dot(G.velocity(t, now.p) - F.velocity(t, now.p)) +
           now.w.ang.dot(G.twist.ang - F.twist.ang);
  };
  const double t = 0.01 * h;
  return (rate(t) - rate(-t)) / (2 * t);
}

bool limits_on(const Model& model) { return model.option.constraint_on && model.option.limit_on; }
bool friction_on(const Model& model) {
  return model.option.constraint_on && model.option.frictionloss_on;
}

// Whether a tendon that represents a joint has inertia under any integrator.
bool has_inertia(const Model& model, int tendon) {
  const Tendon& t = model.tendons[at(tendon)];
  if (t.armature > 0 || t.damping != std::array<double, 3>{}) return true;
  for (const Actuator& a : model.actuators)
    if (a.transmission == TransmissionType::tendon && a.target == tendon &&
        (a.bias == Bias::affine || a.gain == Gain::affine))
      return true;
  return false;
}

}  // namespace

std::string why_joints_not_simulated(const Model& model) {
  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    const Tendon& tendon = model.tendons[t];
    if (!tendon.simulated) continue;
    const bool limited = limits_on(model) && tendon.limited;
    const bool rubs = friction_on(model) && tendon.frictionloss > 0;
    if (!limited && !rubs) continue;
    std::vector<int> trees, bodies;
    trees_of(model, tendon, trees, bodies);
    if (trees.size() > RowGroup::kMostTrees)
      return "tendon '" + model.tendon_names[static_cast<int>(t)] + "': its " +
             (limited ? "limit" : "frictionloss") +
             " joins more than four trees of bodies, which abut does not simulate";
  }
  return {};
}

JointRows::JointRows(const Model& model) : model_(model) {
  if (limits_on(model)) {
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      if (model.joints[j].limited && model.joints[j].type != JointType::free)
        limits_.push_back(of_joint(static_cast<int>(j)));
    for (std::size_t t = 0; t < model.tendons.size(); ++t)
      if (model.tendons[t].simulated && model.tendons[t].limited)
        limits_.push_back(of_tendon(static_cast<int>(t)));
  }
  if (friction_on(model)) {
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      if (model.dofs[at(model.joints[j].dof)].frictionloss > 0)
        frictions_.push_back(of_joint(static_cast<int>(j)));
    for (std::size_t t = 0; t < model.tendons.size(); ++t)
      if (model.tendons[t].simulated && model.tendons[t].frictionloss > 0)
        frictions_.push_back(of_tendon(static_cast<int>(t)));
  }
  for (std::size_t t = 0; t < model.tendons.size(); ++t)
    if (model.tendons[t].for_joint && has_inertia(model, static_cast<int>(t)))
      inertias_.push_back(of_tendon(static_cast<int>(t)));
}

JointRows::Place JointRows::of_joint(int joint) const {
  const Joint& j = model_.joints[at(joint)];
  Place place;
  place.joint = joint;
  place.bodies = {j.body};
  place.size = size_of(model_, j);
  if (j.limited && j.type != JointType::ball)
    place.size = std::min(place.size, j.range[1] - j.range[0]);
  return place;
}

JointRows::Place JointRows::of_tendon(int tendon) const {
  const Tendon& t = model_.tendons[at(tendon)];
  std::vector<int> trees;
  Place place;
  place.tendon = tendon;
  trees_of(model_, t, trees, place.bodies);
  place.size = 0;
  for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k) {
    const TendonTerm& term = model_.tendon_terms[at(k)];
    place.size += std::abs(term.coef) * (term.measure < 0
                                             ? size_of(model_, model_.joints[at(term.joint)])
                                             : size_of(model_, model_.measures[at(term.measure)]));
  }
  if (t.limited) place.size = std::min(place.size, t.range[1] - t.range[0]);
  return place;
}

const Range& JointRows::range_of(const Place& place) const {
  return place.joint >= 0 ? model_.joints[at(place.joint)].range
                          : model_.tendons[at(place.tendon)].range;
}

void JointRows::set_terms(const Tendon& tendon) {
  terms_.clear();
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const TendonTerm& term = model_.tendon_terms[at(k)];
    terms_.push_back({term.dof, term.coef, term.measure});
  }
}

// u is in solver coordinates; a tree with joint coordinates is not a free body, so that u is v
// there.
double JointRows::rate_of(const Term& term, const Derived& d, std::span<const double> u) const {
  if (term.measure < 0) return term.coefficient * u[at(term.dof)];
  const JointMeasure& m = model_.measures[at(term.measure)];
  const MeasureNow& now = d.measure[at(term.measure)];
  return term.coefficient * (dot(now.w, solver_twist(model_, d, u, m.second, now.p)) -
                             dot(now.w, solver_twist(model_, d, u, m.first, now.p)));
}

void JointRows::add_terms(int group, int k, double sign, const Derived& d,
                          ConstraintRows& rows) const {
  for (const Term& t : terms_) {
    const double c = sign * t.coefficient;
    if (t.measure < 0) {
      rows.add_dof(group, k, t.dof, c);
      continue;
    }
    const JointMeasure& m = model_.measures[at(t.measure)];
    const MeasureNow& now = d.measure[at(t.measure)];
    rows.add_twist(group, k, m.second, now.p, now.w * c);
    rows.add_twist(group, k, m.first, now.p, now.w * -c);
  }
}

// Stores the rate in terms_.
double JointRows::value_of(const Place& place, const State& state, const Derived& d) {
  terms_.clear();
  if (place.tendon >= 0) {
    set_terms(model_.tendons[at(place.tendon)]);
    return d.tendon_length[at(place.tendon)];
  }
  const Joint& joint = model_.joints[at(place.joint)];
  const double* q = &state.q[at(joint.q)];
  if (joint.type != JointType::ball) {
    terms_.push_back({joint.dof, 1});
    return q[0];
  }
  // |r| of q = exp(r): its rate is omega along r, the same in both frames. Upright there is no
  // direction, and no limit is near.
  const Vec3 r = log_rotation(Quat(q[0], q[1], q[2], q[3]).normalized());
  const double angle = r.norm();
  const Vec3 axis = angle > 0 ? Vec3(r / angle) : Vec3(Vec3::UnitX());
  for (int k = 0; k < 3; ++k) terms_.push_back({joint.dof + k, axis[k]});
  return angle;
}

void JointRows::add_limits(const Reach& reach, const State& state, const Derived& d,
                           std::span<const double> u_free, ConstraintRows& rows) {
  gap_.clear();
  ids_.clear();
  for (const Place& place : limits_) {
    const double value = value_of(place, state, d);
    double near = reach.part * place.size;
    if (reach.h > 0) {
      double now = 0, free = 0;
      for (const Term& t : terms_) {
        now += t.measure < 0 ? t.coefficient * state.v[at(t.dof)]
                             : t.coefficient * measure_rate(model_, d, t.measure);
        free += rate_of(t, d, u_free);
      }
      near += reach.h * (std::abs(now) + std::abs(free));
    }
    const Range& range = range_of(place);
    const bool ball = place.joint >= 0 && model_.joints[at(place.joint)].type == JointType::ball;
    if (!ball && value - range[0] <= near) add_limit(place, value - range[0], 1, d, rows);
    if (range[1] - value <= near) add_limit(place, range[1] - value, -1, d, rows);
  }
}

void JointRows::add_limit(const Place& place, double gap, double sign, const Derived& d,
                          ConstraintRows& rows) {
  add_terms(rows.add(1, place.bodies), 0, sign, d, rows);
  gap_.push_back(gap);
  ids_.push_back(2 * static_cast<int>(&place - limits_.data()) + (sign < 0));
}

void JointRows::add_friction(const Derived& d, ConstraintRows& rows) {
  bound_.clear();
  for (const Place& place : frictions_) {
    ids_.push_back(static_cast<int>(2 * limits_.size()) +
                   static_cast<int>(&place - frictions_.data()));
    if (place.joint >= 0) {
      const int dof = model_.joints[at(place.joint)].dof;
      int count = 0;
      while (dof + count < model_.nv && model_.dofs[at(dof + count)].joint == place.joint) ++count;
      const int g = rows.add(count, place.bodies);
      for (int k = 0; k < count; ++k) {
        rows.add_dof(g, k, dof + k, 1);
        bound_.push_back(model_.dofs[at(dof + k)].frictionloss);
      }
      continue;
    }
    const Tendon& t = model_.tendons[at(place.tendon)];
    set_terms(t);
    add_terms(rows.add(1, place.bodies), 0, 1, d, rows);
    bound_.push_back(t.frictionloss);
  }
}

void JointRows::add_inertia(double h, const Derived& d, ConstraintRows& rows) {
  softness_.clear();
  rate_kept_.clear();
  for (const Place& place : inertias_) {
    const double inertia = d.tendon_inertia[at(place.tendon)];
    if (!(inertia > 0)) continue;
    set_terms(model_.tendons[at(place.tendon)]);
    add_terms(rows.add(1, place.bodies), 0, 1, d, rows);
    softness_.push_back(1 / inertia);
    ids_.push_back(static_cast<int>(2 * limits_.size() + frictions_.size()) +
                   static_cast<int>(&place - inertias_.data()));
    double change = 0;
    for (const Term& term : terms_)
      if (term.measure >= 0) change += term.coefficient * velocity_term(model_, d, term.measure, h);
    rate_kept_.push_back(d.tendon_velocity[at(place.tendon)] - h * change);
  }
}

}  // namespace abut
