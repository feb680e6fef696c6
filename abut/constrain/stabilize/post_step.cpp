#include "abut/constrain/stabilize/post_step.h"

#include <algorithm>

#include "abut/constrain/tolerances.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

constexpr int kMostHalvings = 6;

}  // namespace

PostStep::PostStep(const Model& model, const std::vector<double>& sizes, const PostOptions& options)
    : model_(model),
      options_(options),
      errors_(model, sizes),
      move_(model, options.metric),
      limit_(model, sizes, errors_.size()),
      keeper_(model),
      u_(at(model.nv)) {}

PostReport PostStep::apply(int steps, double tolerance, bool with_contacts, const Input& input,
                           Collider& collider, State& state, Derived& d) {
  PostReport report;
  const PositionErrors::Which which{tolerance, with_contacts, options_.max_points, leaves};
  report.before = report.after = errors_.find(which, input, collider, state, d);
  if (errors_.clean()) return report;
  const double potential = potential_energy(model_, state, d);
  for (double last = kInfinity; !is_done(steps, last, report);) {
    last = error_to_end(report);
    if (!take(which, input, collider, state, d, report)) break;
  }
  report.lifted = potential_energy(model_, state, d) - potential;
  return report;
}

// The error that kPostUntilDone is about.
double PostStep::error_to_end(const PostReport& report) const {
  return options_.repeat_for_overlap ? report.after : errors_.worst_joint();
}

// `before`: that error before the last post-step.
bool PostStep::is_done(int steps, double before, const PostReport& report) const {
  if (errors_.clean()) return true;
  if (steps != kPostUntilDone) return report.steps >= steps;
  if (report.steps == 0) return false;
  const double error = error_to_end(report);
  return report.steps >= kMostSteps || error <= kPostStepLeft * errors_.size() ||
         error > kProgress * before;
}

// One post-step; false: no part of it helps.
bool PostStep::take(const PositionErrors::Which& which, const Input& input, Collider& collider,
                    State& state, Derived& d, PostReport& report) {
  mass_matrix(model_, d);
  factor(model_, d);
  errors_.rows().finish();
  move_.find(errors_);
  limit_.apply(options_.most, move_.islands(), errors_.rows().groups(), move_.dp());
  report.unsolved += move_.unsolved();
  report.residual = std::max(report.residual, move_.residual());
  // velocities belong to the bodies, whatever their coordinates make of the change of pose
  to_solver_velocity(model_, d, state.v, u_);
  keeper_.note(move_.islands(), errors_.rows().groups(), move_.multipliers(), state.v, d);
  q_ = state.q;
  const double most = (1 + kSameError) * report.after;
  double after = 0;
  for (int halving = 0;; ++halving) {
    displace(model_, d, move_.dp(), state.q);
    after = errors_.find(which, input, collider, state, d);
    if (after <= most || halving == kMostHalvings || !options_.back_track) break;
    state.q = q_;
    positions(model_, state, input, d);
    for (double& x : move_.dp()) x *= 0.5;
  }
  if (after > most && options_.back_track) {
    state.q = q_;
    errors_.find(which, input, collider, state, d);
    return false;
  }
  from_solver_velocity(model_, d, u_, state.v);
  keeper_.restore(d, state.v);
  report.handed += keeper_.handed();
  report.after = after;
  ++report.steps;
  return true;
}

}  // namespace abut
