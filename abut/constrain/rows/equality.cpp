#include "abut/constrain/rows/equality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "abut/constrain/rows/loop_joint.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Calls f for the bodies that a term of a tendon moves.
template <class F>
void for_each_body(const Model& model, const TendonTerm& term, F&& f) {
  if (term.measure < 0) {
    f(model.dofs[at(term.dof)].body);
    return;
  }
  f(model.measures[at(term.measure)].first);
  f(model.measures[at(term.measure)].second);
}

}  // namespace

std::string why_not_simulated(const Model& model, const Equality& e) {
  switch (e.type) {
    case EqualityType::joint:
      for (const int j : {e.first, e.second})
        if (j >= 0 && model.joints[at(j)].type != JointType::hinge &&
            model.joints[at(j)].type != JointType::slide)
          return "it couples a joint that is neither hinge nor slide";
      return {};
    case EqualityType::tendon: {
      std::vector<int> trees;
      for (const int t : {e.first, e.second}) {
        if (t < 0) continue;
        const Tendon& tendon = model.tendons[at(t)];
        if (!tendon.simulated) return "it is of a spatial tendon, which abut does not simulate";
        for (int k = tendon.term_begin; k < tendon.term_begin + tendon.term_count; ++k) {
          for_each_body(model, model.tendon_terms[at(k)], [&](int body) {
            const int link = model.bodies[at(body)].link;
            if (link >= 0) trees.push_back(model.links[at(link)].tree);
          });
        }
      }
      std::sort(trees.begin(), trees.end());
      trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
      return trees.size() > RowGroup::kMostTrees ? "it joins more than four trees of bodies" : "";
    }
    default:
      return {};
  }
}

EqualityRows::EqualityRows(const Model& model) : model_(model) {
  for (const Equality& e : model.equalities)
    simulated_.push_back(why_not_simulated(model, e).empty());
}

void EqualityRows::add(const State& state, const Input& input, const Derived& d,
                       ConstraintRows& rows, Sides sides) {
  error_.clear();
  driven_.clear();
  angle_.clear();
  ids_.clear();
  groups_ = 0;
  worst_ = {};
  if (!model_.option.equality_on || !model_.option.constraint_on) return;
  for (std::size_t i = 0; i < model_.equalities.size(); ++i) {
    const Equality& e = model_.equalities[i];
    if (!e.active || !simulated_[i]) continue;
    if (e.type == EqualityType::joint) {
      add_joints(e, state, rows);
    } else if (e.type == EqualityType::tendon) {
      add_tendons(e, d, rows);
    } else {
      add_frames(e, input, d, sides, rows);
    }
    ids_.push_back(static_cast<int>(i));
    ++groups_;
  }
}

void EqualityRows::note(double error, double driven, bool angle) {
  error_.push_back(error);
  driven_.push_back(driven);
  angle_.push_back(angle);
  double& worst = angle ? worst_.angle : worst_.length;
  worst = std::max(worst, std::abs(error));
}

void EqualityRows::add_frames(const Equality& e, const Input& input, const Derived& d, Sides sides,
                              ConstraintRows& rows) {
  const int a = e.first, b = e.second < 0 ? 0 : e.second;
  const Pose A = d.body_pose[at(a)] * e.frame_first, B = d.body_pose[at(b)] * e.frame_second;
  std::array<LoopRow, 6> loop;
  const int count = loop_joint_rows(e, A, B, loop);
  const int g = rows.add(count, a, b);
  const Spatial driven_A = driven_twist(model_, input, d, a, B.p);
  const Spatial driven_B = driven_twist(model_, input, d, b, B.p);
  for (int k = 0; k < count; ++k) {
    const LoopRow& row = loop[at(k)];
    if (sides != Sides::first) rows.add_twist(g, k, b, B.p, row.on_B);
    if (sides != Sides::second) rows.add_twist(g, k, a, B.p, row.on_A);
    note(row.error, dot(row.on_B, driven_B) + dot(row.on_A, driven_A), row.angle);
  }
}

// f(x) and f'(x) of the polynomial, by Horner's rule.
static std::pair<double, double> polynomial(const std::array<double, 5>& c, double x) {
  double value = 0, slope = 0;
  for (std::size_t k = c.size(); k-- > 0;) {
    slope = slope * x + value;
    value = value * x + c[k];
  }
  return {value, slope};
}

void EqualityRows::add_tendons(const Equality& e, const Derived& d, ConstraintRows& rows) {
  const auto length = [&](int t) {  // from qpos0
    double rest = 0;
    for_each_term(t, [&](const TendonTerm& term) {
      rest += term.coef * (term.measure < 0 ? model_.qpos0[at(term.q)]
                                            : model_.measures[at(term.measure)].offset);
    });
    return d.tendon_length[at(t)] - rest;
  };
  const auto [value, slope] = polynomial(e.polycoef, e.second < 0 ? 0 : length(e.second));
  bodies_.clear();
  const auto note_bodies = [&](const TendonTerm& term) {
    for_each_body(model_, term, [&](int body) { bodies_.push_back(body); });
  };
  for_each_term(e.first, note_bodies);
  if (e.second >= 0) for_each_term(e.second, note_bodies);
  const int g = rows.add(1, bodies_);
  const auto add = [&](const TendonTerm& term, double factor) {
    const double c = factor * term.coef;
    if (term.measure < 0) {
      rows.add_dof(g, 0, term.dof, c);
      return;
    }
    const JointMeasure& m = model_.measures[at(term.measure)];
    const MeasureNow& now = d.measure[at(term.measure)];
    rows.add_twist(g, 0, m.second, now.p, now.w * c);
    rows.add_twist(g, 0, m.first, now.p, now.w * -c);
  };
  for_each_term(e.first, [&](const TendonTerm& t) { add(t, 1); });
  if (e.second >= 0) for_each_term(e.second, [&, s = slope](const TendonTerm& t) { add(t, -s); });
  const int measured = model_.tendon_terms[at(model_.tendons[at(e.first)].term_begin)].measure;
  const bool angle = measured >= 0 && model_.measures[at(measured)].kind != MeasureKind::shift;
  note(length(e.first) - value, 0, angle);
}

void EqualityRows::add_joints(const Equality& e, const State& state, ConstraintRows& rows) {
  const Joint& first = model_.joints[at(e.first)];
  const Joint* second = e.second < 0 ? nullptr : &model_.joints[at(e.second)];
  const int g = rows.add(1, first.body, second ? second->body : 0);
  const double x = second ? state.q[at(second->q)] - model_.qpos0[at(second->q)] : 0;
  const auto [value, slope] = polynomial(e.polycoef, x);
  rows.add_dof(g, 0, first.dof, 1);
  if (second) rows.add_dof(g, 0, second->dof, -slope);
  const double error = state.q[at(first.q)] - model_.qpos0[at(first.q)] - value;
  note(error, 0, first.type != JointType::slide);
}

}  // namespace abut
