#include "abut/simulate/measure.h"

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/simulate/tolerances.h"

namespace abut {

Measure::Measure(const Model& model)
    : model_(model), derived_(model), equalities_(model), rows_(model) {}

Sample Measure::sample(const State& state, const Input& input) {
  positions(model_, state, input, derived_);
  velocities(model_, state, derived_);
  if (!solids_) solids_ = std::make_unique<OverlapMeasure>(model_);
  rows_.begin(derived_);
  equalities_.add(state, input, derived_, rows_);
  const EqualityRows::Worst worst = equalities_.worst();
  return {state.time, energy(model_, state, derived_), momentum(model_, derived_),
          solids_->of(derived_), std::max(worst.length, worst.angle)};
}

const Sample& Measure::record(const State& state, const Input& input) {
  last_ = sample(state, input);
  if (count_++ == 0) first_ = last_;
  const Energy &e = last_.energy, &e0 = first_.energy;
  energy_change_ =
      std::max(energy_change_, std::abs(e.kinetic + e.potential - e0.kinetic - e0.potential));
  kinetic_max_ = std::max(kinetic_max_, e.kinetic);
  const Momentum &p = last_.momentum, &p0 = first_.momentum;
  linear_change_ = std::max(linear_change_, (p.linear - p0.linear).norm());
  linear_max_ = std::max(linear_max_, p.linear.norm());
  angular_change_ = std::max(angular_change_, (p.angular - p0.angular).norm());
  angular_max_ = std::max(angular_max_, p.angular.norm());
  overlap_.add(last_.overlap);
  joint_error_ = std::max(joint_error_, last_.joint_error);
  return last_;
}

double Measure::energy_drift() const {
  const double scale =
      std::max(std::abs(first_.energy.kinetic + first_.energy.potential), kinetic_max_);
  return scale > 0 ? energy_change_ / scale : 0;
}

double Measure::momentum_drift() const {
  // momentum that is rounding alone has no drift
  const double noise = kMomentumNoise * std::max(linear_max_, angular_max_);
  const double linear = linear_max_ > noise ? linear_change_ / linear_max_ : 0;
  const double angular = angular_max_ > noise ? angular_change_ / angular_max_ : 0;
  return std::max(linear, angular);
}

int diverged_body(const Model& model, const State& state) {
  for (const Joint& joint : model.joints) {
    const int nq = joint.type == JointType::free ? 7 : joint.type == JointType::ball ? 4 : 1;
    for (int k = 0; k < nq; ++k)
      if (!std::isfinite(state.q[joint.q + k])) return joint.body;
  }
  for (int i = 0; i < model.nv; ++i) {
    // radius of gyration: a size that every mover has
    const Link& link = model.links[model.dofs[i].link];
    const double size = std::sqrt(link.mass.inertia.trace() / link.mass.mass);
    const JointType type = model.joints[model.dofs[i].joint].type;
    const bool linear = type == JointType::slide ||
                        (type == JointType::free && i < model.joints[model.dofs[i].joint].dof + 3);
    const double limit = linear ? kDivergedSpeed * size : kDivergedSpeed;
    if (!(std::abs(state.v[i]) <= limit)) return model.dofs[i].body;
  }
  return -1;
}

}  // namespace abut
