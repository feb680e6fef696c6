#include "abut/dynamics/equality.h"

#include <cmath>

#include "abut/dynamics/jacobian.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::string why_not_simulated(const Model& model, const Equality& e) {
  switch (e.type) {
    case EqualityType::connect:
    case EqualityType::weld:
      return {};
    case EqualityType::joint:
      for (const int j : {e.first, e.second})
        if (j >= 0 && model.joints[at(j)].type != JointType::hinge &&
            model.joints[at(j)].type != JointType::slide)
          return "it couples a joint that is neither hinge nor slide";
      return {};
    default:
      return "this kind of equality is not simulated yet";
  }
}

EqualityRows::EqualityRows(const Model& model) : model_(model) {}

void EqualityRows::add(const State& state, const Input& input, const Derived& d,
                       ConstraintRows& rows) {
  error_.clear();
  driven_.clear();
  groups_ = 0;
  worst_ = {};
  if (!model_.option.equality_on || !model_.option.constraint_on) return;
  for (const Equality& e : model_.equalities) {
    if (!e.active || !why_not_simulated(model_, e).empty()) continue;
    if (e.type == EqualityType::joint) {
      add_joints(e, state, rows);
    } else {
      add_frames(e, input, d, rows);
    }
    ++groups_;
  }
}

void EqualityRows::add_frames(const Equality& e, const Input& input, const Derived& d,
                              ConstraintRows& rows) {
  const bool weld = e.type == EqualityType::weld;
  const Pose A = d.body_pose[at(e.first)] * e.frame_first;
  const Pose B = d.body_pose[at(e.second < 0 ? 0 : e.second)] * e.frame_second;
  const int b = e.second < 0 ? 0 : e.second;
  const int g = rows.add(weld ? 6 : 3, e.first, b);
  const Vec3 gap = B.p - A.p;
  const Spatial driven_A = driven_twist(model_, input, d, e.first, A.p);
  const Spatial driven_B = driven_twist(model_, input, d, b, B.p);
  for (int k = 0; k < 3; ++k) {
    rows.add_point(g, k, b, B.p, Vec3::Unit(k), 1);
    rows.add_point(g, k, e.first, A.p, Vec3::Unit(k), -1);
    error_.push_back(gap[k]);
    driven_.push_back(driven_B.lin[k] - driven_A.lin[k]);
  }
  worst_.length = std::max(worst_.length, gap.cwiseAbs().maxCoeff());
  if (!weld) return;
  const Vec3 turn = log_rotation(B.q * A.q.conjugate());
  for (int k = 0; k < 3; ++k) {
    rows.add_twist(g, 3 + k, b, B.p, {Vec3::Zero(), Vec3::Unit(k)});
    rows.add_twist(g, 3 + k, e.first, A.p, {Vec3::Zero(), -Vec3::Unit(k)});
    error_.push_back(turn[k]);
    driven_.push_back(driven_B.ang[k] - driven_A.ang[k]);
  }
  worst_.angle = std::max(worst_.angle, turn.cwiseAbs().maxCoeff());
}

void EqualityRows::add_joints(const Equality& e, const State& state, ConstraintRows& rows) {
  const Joint& first = model_.joints[at(e.first)];
  const Joint* second = e.second < 0 ? nullptr : &model_.joints[at(e.second)];
  const int g = rows.add(1, first.body, second ? second->body : 0);
  const double x = second ? state.q[at(second->q)] - model_.qpos0[at(second->q)] : 0;
  double value = 0, slope = 0;  // of the polynomial, by Horner's rule
  for (std::size_t k = e.polycoef.size(); k-- > 0;) {
    slope = slope * x + value;
    value = value * x + e.polycoef[k];
  }
  rows.add_dof(g, 0, first.dof, 1);
  if (second) rows.add_dof(g, 0, second->dof, -slope);
  const double error = state.q[at(first.q)] - model_.qpos0[at(first.q)] - value;
  error_.push_back(error);
  driven_.push_back(0);
  double& worst = first.type == JointType::slide ? worst_.length : worst_.angle;
  worst = std::max(worst, std::abs(error));
}

}  // namespace abut
