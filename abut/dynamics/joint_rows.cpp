#include "abut/dynamics/joint_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/rotation.h"

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A length that belongs to a link: twice the radius of gyration of what it carries.
double length_of(const Model& model, int body) {
  const MassProperties& m = model.links[at(model.bodies[at(body)].link)].mass;
  return m.mass > 0 ? 2 * std::sqrt(m.inertia.trace() / (2 * m.mass)) : 0;
}

// What a coordinate of the joint is measured by.
double size_of(const Model& model, const Joint& joint) {
  return joint.type == JointType::slide ? length_of(model, joint.body) : 1;
}

// The bodies of the trees that a tendon moves: one each, none twice.
void trees_of(const Model& model, const Tendon& tendon, std::vector<int>& trees,
              std::vector<int>& bodies) {
  for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
    const Dof& dof = model.dofs[at(model.tendon_terms[at(k)].dof)];
    const int tree = model.links[at(dof.link)].tree;
    if (std::find(trees.begin(), trees.end(), tree) != trees.end()) continue;
    trees.push_back(tree);
    bodies.push_back(dof.body);
  }
}

bool limits_on(const Model& model) { return model.option.constraint_on && model.option.limit_on; }
bool friction_on(const Model& model) {
  return model.option.constraint_on && model.option.frictionloss_on;
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
    if (trees.size() > 2)
      return "tendon '" + model.tendon_names[static_cast<int>(t)] + "': its " +
             (limited ? "limit" : "frictionloss") +
             " joins more than two trees of bodies, which abut does not simulate";
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
}

JointRows::Place JointRows::of_joint(int joint) const {
  const Joint& j = model_.joints[at(joint)];
  Place place;
  place.joint = joint;
  place.body_a = place.body_b = j.body;
  place.size = size_of(model_, j);
  if (j.limited && j.type != JointType::ball)
    place.size = std::min(place.size, j.range[1] - j.range[0]);
  return place;
}

JointRows::Place JointRows::of_tendon(int tendon) const {
  const Tendon& t = model_.tendons[at(tendon)];
  std::vector<int> trees, bodies;
  trees_of(model_, t, trees, bodies);
  Place place;
  place.tendon = tendon;
  place.body_a = bodies.front();
  place.body_b = bodies.size() > 1 ? bodies[1] : bodies.front();
  place.size = 0;
  for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k) {
    const TendonTerm& term = model_.tendon_terms[at(k)];
    place.size += std::abs(term.coef) * size_of(model_, model_.joints[at(term.joint)]);
  }
  if (t.limited) place.size = std::min(place.size, t.range[1] - t.range[0]);
  return place;
}

const Range& JointRows::range_of(const Place& place) const {
  return place.joint >= 0 ? model_.joints[at(place.joint)].range
                          : model_.tendons[at(place.tendon)].range;
}

// Leaves the rate in terms_.
double JointRows::value_of(const Place& place, const State& state, const Derived& d) {
  terms_.clear();
  if (place.tendon >= 0) {
    const Tendon& t = model_.tendons[at(place.tendon)];
    for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
      terms_.push_back({model_.tendon_terms[at(k)].dof, model_.tendon_terms[at(k)].coef});
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
  for (const Place& place : limits_) {
    const double value = value_of(place, state, d);
    double near = reach.part * place.size;
    if (reach.h > 0) {
      double now = 0, free = 0;
      for (const Term& t : terms_) {
        now += t.coefficient * state.v[at(t.dof)];
        free += t.coefficient * u_free[at(t.dof)];
      }
      near += reach.h * (std::abs(now) + std::abs(free));
    }
    const Range& range = range_of(place);
    const bool ball = place.joint >= 0 && model_.joints[at(place.joint)].type == JointType::ball;
    if (!ball && value - range[0] <= near) add_limit(place, value - range[0], 1, rows);
    if (range[1] - value <= near) add_limit(place, range[1] - value, -1, rows);
  }
}

void JointRows::add_limit(const Place& place, double gap, double sign, ConstraintRows& rows) {
  const int g = rows.add(1, place.body_a, place.body_b);
  for (const Term& t : terms_) rows.add_dof(g, 0, t.dof, sign * t.coefficient);
  gap_.push_back(gap);
}

void JointRows::add_friction(ConstraintRows& rows) {
  bound_.clear();
  for (const Place& place : frictions_) {
    if (place.joint >= 0) {
      const int dof = model_.joints[at(place.joint)].dof;
      int count = 0;
      while (dof + count < model_.nv && model_.dofs[at(dof + count)].joint == place.joint) ++count;
      const int g = rows.add(count, place.body_a, place.body_b);
      for (int k = 0; k < count; ++k) {
        rows.add_dof(g, k, dof + k, 1);
        bound_.push_back(model_.dofs[at(dof + k)].frictionloss);
      }
      continue;
    }
    const Tendon& t = model_.tendons[at(place.tendon)];
    const int g = rows.add(1, place.body_a, place.body_b);
    for (int k = t.term_begin; k < t.term_begin + t.term_count; ++k)
      rows.add_dof(g, 0, model_.tendon_terms[at(k)].dof, model_.tendon_terms[at(k)].coef);
    bound_.push_back(t.frictionloss);
  }
}

}  // namespace abut
