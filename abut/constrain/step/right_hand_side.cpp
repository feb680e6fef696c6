#include "abut/constrain/step/right_hand_side.h"

#include <algorithm>

#include "abut/constrain/tolerances.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

RightHandSide::RightHandSide(const Model& model)
    : model_(model), accelerations_(model), u_(at(model.nv)) {}

void RightHandSide::find(const Step& step, const StepSettings& settings, const StepRows& rows) {
  b_.resize(at(rows.count()));
  rows.rows().velocities(step.u_free, b_);
  // gaps are linear about u_free + change, not about 0: w = psi / h + J (u' - u_free - change)
  if (step.around != nullptr) {
    ahead_.resize(b_.size());
    rows.rows().velocities(step.around->change, ahead_);
  }
  set_bounds(step.h, rows);
  add_joints(step, settings, rows);
  to_solver_velocity(model_, step.start.d, step.start.state.v, u_);
  before_.resize(b_.size());
  rows.rows().velocities(u_, before_);
  add_contacts(step, settings, rows);
  add_turning(rows);
  if (settings.stabilizer.kind == Stabilize::baumgarte_acc || step.terms.joints)
    add_accelerations(step, settings.stabilizer, rows);
}

void RightHandSide::add_gap_rate(const Step& step, int row, double psi) {
  if (step.around != nullptr)
    b_[at(row)] = psi / step.h - ahead_[at(row)];
  else
    b_[at(row)] += psi / step.h;
}

void RightHandSide::add_joints(const Step& step, const StepSettings& settings,
                               const StepRows& rows) {
  // J u + alpha g = 0, or gamma g / h (C-7, C-15)
  const double rate = settings.stabilizer.position_rate(step.h);
  const std::span<const double> error = rows.loops().error(), driven = rows.loops().driven();
  for (std::size_t i = 0; i < error.size(); ++i) b_[i] += driven[i] + rate * error[i];
  // limits, as contacts: st lets the gap close and no more
  const JointRows& joints = rows.joints();
  for (std::size_t i = 0; i < joints.gap().size(); ++i) {
    const double gap = joints.gap()[i];
    const int row = static_cast<int>(error.size() + i);
    if (settings.gaps == GapRule::close_all)
      add_gap_rate(step, row, gap);
    else if (settings.gaps == GapRule::keep)
      b_[at(row)] += rate * std::min(gap, 0.0);
    else
      b_[at(row)] += std::max(gap, 0.0) / step.h + rate * std::min(gap, 0.0);
  }
  // inertia resists a change of the rate
  const std::size_t first = error.size() + joints.gap().size() + joints.bound().size();
  for (std::size_t i = 0; i < joints.softness().size(); ++i) b_[first + i] -= joints.rate_kept()[i];
}

void RightHandSide::add_contacts(const Step& step, const StepSettings& settings,
                                 const StepRows& rows) {
  if (settings.gaps == GapRule::accelerate) {
    lift_.assign(b_.size(), 0.0);
    rows.rows().velocities(step.terms.lift, lift_);
  }
  for (const Contact& c : rows.contacts()) {
    const RowGroup& g = rows.group(c.group);
    for (int k = 0; k < g.size; ++k) b_[at(g.row + k)] += c.driven[k];
    if (!step.terms.softness.empty()) softness_[at(g.row)] = step.terms.softness[at(c.point)];
    add_contact(step, settings, rows.size_of(step.data.patches[at(c.patch)]), g.row, c);
  }
}

// The first row of rolling, which sees no body, is as soft as the contact's normal row.
void RightHandSide::add_turning(const StepRows& rows) {
  for (const TurningContact& t : rows.turning()) {
    const Contact& contact = rows.contacts()[at(t.contact)];
    if (t.torsion >= 0) b_[at(rows.group(t.torsion).row)] += t.length * t.driven[0];
    if (t.rolling < 0) continue;
    const int row = rows.group(t.rolling).row;
    for (int k = 1; k < 3; ++k) b_[at(row + k)] += t.length * t.driven[k];
    const double normal = rows.rows().diagonal(contact.group, 0);
    softness_[at(row)] = normal > 0 ? normal : 1;
  }
}

// Of the normal row. `size`: of the pair (m).
void RightHandSide::add_contact(const Step& step, const StepSettings& settings, double size,
                                int row, const Contact& c) {
  const double h = step.h;
  double& b = b_[at(row)];
  if (step.terms.velocities) {
    b -= lift_[at(row)];
    if (c.psi / h + b > 0) b += std::max(c.psi, 0.0) / h;
  } else if (settings.gaps == GapRule::accelerate) {
    accelerate(step, settings.stabilizer, row, c);
  } else if (!step.terms.yield.empty()) {
    b += step.terms.yield[at(c.point)];
  } else if (settings.gaps == GapRule::keep) {
    const double rate = settings.stabilizer.position_rate(h);
    // the gap of a pair that touches may close, and that of a pair that pressed in the last step; if
    // the tolerance was set larger, gaps within it stay, as printed
    const bool closes = settings.tolerance <= kContactTolerance;
    if (c.psi > (closes ? kNoStepGap : settings.tolerance) * size)
      b += c.psi / h;
    else if (settings.stabilizer.contacts)
      b += (c.psi > 0 ? std::min(rate, 1 / h) : rate) * c.psi;
  } else if (settings.gaps == GapRule::close_all || c.psi > kNoStepGap * size) {
    add_gap_rate(step, row, c.psi);
  }
}

void RightHandSide::accelerate(const Step& step, const Stabilizer& stabilizer, int row,
                               const Contact& c) {
  const double h = step.h;
  double& b = b_[at(row)];
  const double parting = before_[at(row)] + c.driven[0];
  b -= lift_[at(row)];
  // h psi'' >= 0; what parts may stop to, and not turn round
  const double slack = h * step.terms.gap[at(c.point)] - std::min(parting, 0.0);
  // By forces that act for all of the step J u' > 0 would be asked for where the normal turns
  // against the motion, and p . J (u_free + u') / 2 might be positive: J u' >= 0 is enough, and
  // the next step has the rest. (Stages of rk4 need the acceleration itself.)
  b += step.terms.joints ? slack : std::max(slack, 0.0);
  if (stabilizer.kind == Stabilize::baumgarte_acc && stabilizer.contacts && c.psi < 0)
    b += h * (stabilizer.rate * parting + stabilizer.stiff * c.psi);
}

// Joints by their accelerations (Cline and Pai, eq. 9): g'' + alpha g' + beta g = 0 with u' - u for
// h du/dt.
void RightHandSide::add_accelerations(const Step& step, const Stabilizer& stabilizer,
                                      const StepRows& rows) {
  const auto& [state, input, d] = step.around != nullptr ? step.around->end : step.start;
  accelerations_.velocity_terms(step.h, state, input, d, u_, k_);
  const bool steady = stabilizer.kind == Stabilize::baumgarte_acc;
  const double alpha = steady ? stabilizer.rate : 0, beta = steady ? stabilizer.stiff : 0;
  const std::span<const double> error = rows.loops().error(), driven = rows.loops().driven();
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double rate = before_[i] + driven[i];
    b_[i] += step.h * (k_[i] + alpha * rate + beta * error[i]) - rate;
  }
}

// Impulses that joints may have: any, against which they are all but rigid; of limits, those that push; of dry friction, h times force;
// any of inertia, against which they are soft. Contacts push.
void RightHandSide::set_bounds(double h, const StepRows& rows) {
  const JointRows& joints = rows.joints();
  lo_.assign(rows.loops().error().size(), -kInfinity);
  hi_.assign(rows.loops().error().size(), kInfinity);
  lo_.resize(lo_.size() + joints.gap().size(), 0.0);
  hi_.resize(lo_.size(), kInfinity);
  for (const double force : joints.bound()) {
    lo_.push_back(-h * force);
    hi_.push_back(h * force);
  }
  softness_.assign(rows.loop_softness().begin(), rows.loop_softness().end());
  softness_.resize(lo_.size(), 0.0);
  softness_.insert(softness_.end(), joints.softness().begin(), joints.softness().end());
  lo_.resize(softness_.size(), -kInfinity);
  lo_.resize(b_.size(), 0.0);
  hi_.resize(b_.size(), kInfinity);
  softness_.resize(b_.size(), 0.0);
}

}  // namespace abut
