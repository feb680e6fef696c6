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

void Measure::restart() { run_ = {}; }

const Sample& Measure::record(const State& state, const Input& input) {
  Figures& r = run_;
  r.last = sample(state, input);
  if (r.count++ == 0) r.first = r.last;
  const Energy &e = r.last.energy, &e0 = r.first.energy;
  r.energy_change =
      std::max(r.energy_change, std::abs(e.kinetic + e.potential - e0.kinetic - e0.potential));
  r.kinetic_max = std::max(r.kinetic_max, e.kinetic);
  const Momentum &p = r.last.momentum, &p0 = r.first.momentum;
  r.linear_change = std::max(r.linear_change, (p.linear - p0.linear).norm());
  r.linear_max = std::max(r.linear_max, p.linear.norm());
  r.angular_change = std::max(r.angular_change, (p.angular - p0.angular).norm());
  r.angular_max = std::max(r.angular_max, p.angular.norm());
  r.overlap.add(r.last.overlap);
  r.joint_error = std::max(r.joint_error, r.last.joint_error);
  return r.last;
}

double Measure::energy_drift() const {
  const Energy& e0 = run_.first.energy;
  const double scale = std::max(std::abs(e0.kinetic + e0.potential), run_.kinetic_max);
  return scale > 0 ? run_.energy_change / scale : 0;
}

double Measure::momentum_drift() const {
  // momentum that is rounding alone has no drift
  const double noise = kMomentumNoise * std::max(run_.linear_max, run_.angular_max);
  const double linear = run_.linear_max > noise ? run_.linear_change / run_.linear_max : 0;
  const double angular = run_.angular_max > noise ? run_.angular_change / run_.angular_max : 0;
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
