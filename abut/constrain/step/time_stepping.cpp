#include "abut/constrain/step/time_stepping.h"

#include <algorithm>
#include <cmath>

#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Gaps that are none, of the pair's size: what a post-step lets be as well. Bodies at rest have
// gaps of 1e-13 by rounding, another at each point of a face; over h these are velocities that no
// rigid body can have, and Newton's method answers them by moving loads between the points.
constexpr double kNoGap = 1e-10;

// Of the memory, for the impulses of a group.
int points_for(const RowGroup& g) {
  return (g.size + TimeStepping::kPointMemory - 1) / TimeStepping::kPointMemory;
}

}  // namespace

TimeStepping::TimeStepping(const Model& model, const StepSettings& settings,
                           std::vector<double> sizes)
    : model_(model),
      settings_(settings),
      sizes_(std::move(sizes)),
      contacts_(model),
      equalities_(model),
      joints_(model),
      accelerations_(model),
      rows_(model),
      solvers_(settings.solver),
      pyramid_(settings.directions) {
  u_.resize(at(model.nv));
  problem_.A.set_factored();
}

void TimeStepping::solve(double h, const StepMoment& start, const Around* around,
                         const ContactData& data, std::span<const double> u_free,
                         std::span<double> change, const AccelerationTerms& terms) {
  const auto& [state, input, d] = around != nullptr ? around->end : start;
  report_ = {};
  work_ = work_on_free_ = 0;
  motion_ = 0;
  rows_.begin(d);
  equalities_.add(state, input, d, rows_);
  const bool keep = settings_.gaps == GapRule::keep;
  joints_.add_limits({settings_.tolerance, keep ? 0 : h}, state, d, u_free, rows_);
  joints_.add_friction(d, rows_);
  joints_.add_inertia(h, d, rows_);
  note_joint_keys();
  contacts_.build(data, input, d, settings_.cone == FrictionCone::none, rows_,
                  [&](const Patch& patch, int i) {
                    const auto index = static_cast<std::size_t>(&patch - data.patches.data());
                    if (!terms.used.empty() && !terms.used[index]) return false;
                    return !keep || data.points.psi[at(i)] <= tolerance_of(patch) ||
                           pressed(start.state.contacts, patch);
                  });
  impulses_.assign(contacts_.contacts().size(), Vec3::Zero());
  if (rows_.rows() == 0) {
    std::fill(change.begin(), change.end(), 0.0);
    return;
  }

  rows_.finish();
  contact_of_group_.assign(rows_.groups().size(), -1);
  for (std::size_t c = 0; c < contacts_.contacts().size(); ++c)
    contact_of_group_[at(contacts_.contacts()[c].group)] = static_cast<int>(c);
  b_.resize(at(rows_.rows()));
  rows_.velocities(u_free, b_);
  add_bias(h, start, around, data, terms);
  set_bounds(h);
  if (settings_.stabilizer.kind == Stabilize::baumgarte_acc || terms.joints)
    add_accelerations(h, state, input, d);
  recall(start.state.contacts, data);
  recall_joints(start.state.contacts);
  p_.assign(b_.size(), 0.0);
  islands_.find(rows_.groups(), static_cast<int>(model_.trees.size()));
  for (int i = 0; i < islands_.count(); ++i) solve_island(islands_.groups(i));
  std::fill(change.begin(), change.end(), 0.0);
  rows_.add_impulses(p_, change);
  add_up_work(u_free, change);

  for (std::size_t c = 0; c < contacts_.contacts().size(); ++c) {
    const Contact& contact = contacts_.contacts()[c];
    const RowGroup& g = rows_.groups()[at(contact.group)];
    for (int k = 0; k < g.size; ++k) impulses_[c] += p_[at(g.row + k)] * contact.frame.col(k);
  }
}

void TimeStepping::partings(std::span<const double> u, std::vector<double>& out) {
  out.resize(contacts_.contacts().size());
  if (out.empty()) return;
  rows_.velocities(u, after_);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Contact& c = contacts_.contacts()[i];
    out[i] = after_[at(rows_.groups()[at(c.group)].row)] + c.driven[0];
  }
}

double TimeStepping::size_of(const Patch& patch) const {
  return sizes_[at(patch.geom_a)] + sizes_[at(patch.geom_b)];
}

double TimeStepping::tolerance_of(const Patch& patch) const {
  return settings_.tolerance * size_of(patch);
}

// In the last step.
bool TimeStepping::pressed(const ContactMemory& memory, const Patch& patch) const {
  const int pair = memory.find(pair_key(patch.geom_a, patch.geom_b));
  return pair >= 0 && memory.pairs()[at(pair)].phase == ContactPhase::resting;
}

// What is not J u_free in w.
void TimeStepping::add_bias(double h, const StepMoment& start, const Around* around,
                            const ContactData& data, const AccelerationTerms& terms) {
  // gaps are linear about u_free + change, not about 0: w = psi / h + J (u' - u_free - change)
  if (around != nullptr) {
    ahead_.resize(b_.size());
    rows_.velocities(around->change, ahead_);
  }
  const auto gap_rate = [&](int row, double psi) {
    if (around != nullptr)
      b_[at(row)] = psi / h - ahead_[at(row)];
    else
      b_[at(row)] += psi / h;
  };
  // J u + alpha g = 0, or gamma g / h (C-7, C-15)
  const Stabilizer& stabilizer = settings_.stabilizer;
  const double rate = stabilizer.position_rate(h);
  const std::span<const double> error = equalities_.error(), driven = equalities_.driven();
  for (std::size_t i = 0; i < error.size(); ++i) b_[i] += driven[i] + rate * error[i];
  // limits, as contacts: st lets the gap close and no more
  for (std::size_t i = 0; i < joints_.gap().size(); ++i) {
    const double gap = joints_.gap()[i];
    const int row = static_cast<int>(error.size() + i);
    if (settings_.gaps == GapRule::close_all)
      gap_rate(row, gap);
    else if (settings_.gaps == GapRule::keep)
      b_[at(row)] += rate * std::min(gap, 0.0);
    else
      b_[at(row)] += std::max(gap, 0.0) / h + rate * std::min(gap, 0.0);
  }
  // inertia resists a change of the rate
  const std::size_t first = error.size() + joints_.gap().size() + joints_.bound().size();
  for (std::size_t i = 0; i < joints_.softness().size(); ++i)
    b_[first + i] -= joints_.rate_kept()[i];

  // velocities before the step
  to_solver_velocity(model_, start.d, start.state.v, u_);
  before_.resize(b_.size());
  rows_.velocities(u_, before_);
  if (settings_.gaps == GapRule::accelerate) {
    after_.assign(b_.size(), 0.0);
    rows_.velocities(terms.lift, after_);
  }
  layer_softness_.clear();
  for (const Contact& c : contacts_.contacts()) {
    const RowGroup& g = rows_.groups()[at(c.group)];
    if (!terms.softness.empty()) layer_softness_.push_back(terms.softness[at(c.point)]);
    for (int k = 0; k < g.size; ++k) b_[at(g.row + k)] += c.driven[k];
    if (terms.velocities) {
      double& b = b_[at(g.row)];
      b -= after_[at(g.row)];
      if (c.psi / h + b > 0) b += std::max(c.psi, 0.0) / h;
      continue;
    }
    if (settings_.gaps == GapRule::accelerate) {
      double& b = b_[at(g.row)];
      const double parting = before_[at(g.row)] + c.driven[0];
      b -= after_[at(g.row)];
      // h psi'' >= 0; what parts may stop to, and not turn round
      const double slack = h * terms.gap[at(c.point)] - std::min(parting, 0.0);
      // By forces that act for all of the step J u' > 0 would be asked for where the normal turns
      // against the motion, and p . J (u_free + u') / 2 might be positive: J u' >= 0 is enough, and
      // the next step has the rest. (Stages of rk4 need the acceleration itself.)
      b += terms.joints ? slack : std::max(slack, 0.0);
      if (stabilizer.kind == Stabilize::baumgarte_acc && stabilizer.contacts && c.psi < 0)
        b += h * (stabilizer.rate * parting + stabilizer.stiff * c.psi);
      continue;
    }
    if (!terms.yield.empty()) {
      b_[at(g.row)] += terms.yield[at(c.point)];
    } else if (settings_.gaps == GapRule::keep) {
      // of a gap that is open no more than closes in the step
      if (c.psi > tolerance_of(data.patches[at(c.patch)]))
        b_[at(g.row)] += c.psi / h;
      else if (stabilizer.contacts)
        b_[at(g.row)] += (c.psi > 0 ? std::min(rate, 1 / h) : rate) * c.psi;
    } else if (settings_.gaps == GapRule::close_all ||
               c.psi > kNoGap * size_of(data.patches[at(c.patch)])) {
      gap_rate(g.row, c.psi);
    }
  }
}

// Impulses that joints may have: any; of limits, those that push; of dry friction, h times force;
// any of inertia, against which they are soft.
void TimeStepping::set_bounds(double h) {
  lo_.assign(equalities_.error().size(), -kInfinity);
  hi_.assign(equalities_.error().size(), kInfinity);
  lo_.resize(lo_.size() + joints_.gap().size(), 0.0);
  hi_.resize(lo_.size(), kInfinity);
  for (const double force : joints_.bound()) {
    lo_.push_back(-h * force);
    hi_.push_back(h * force);
  }
  softness_.assign(lo_.size(), 0.0);
  softness_.insert(softness_.end(), joints_.softness().begin(), joints_.softness().end());
  lo_.resize(softness_.size(), -kInfinity);
  hi_.resize(softness_.size(), kInfinity);
}

// Joints by their accelerations (Cline and Pai, eq. 9): g'' + alpha g' + beta g = 0 with u' - u for
// h du/dt. Wants add_bias().
void TimeStepping::add_accelerations(double h, const State& state, const Input& input,
                                     const Derived& d) {
  accelerations_.velocity_terms(h, state, input, d, u_, k_);
  const bool steady = settings_.stabilizer.kind == Stabilize::baumgarte_acc;
  const double alpha = steady ? settings_.stabilizer.rate : 0,
               beta = steady ? settings_.stabilizer.stiff : 0;
  const std::span<const double> error = equalities_.error(), driven = equalities_.driven();
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double rate = before_[i] + driven[i];
    b_[i] += h * (k_[i] + alpha * rate + beta * error[i]) - rate;
  }
}

// Last step's impulses of the points that are still there.
void TimeStepping::recall(const ContactMemory& memory, const ContactData& data) {
  last_.assign(b_.size(), 0.0);
  if (memory.point_width() != kPointMemory) return;
  int patch = -1, pair = -1;
  for (const Contact& c : contacts_.contacts()) {
    if (c.patch != patch) {
      patch = c.patch;
      const Patch& of = data.patches[at(patch)];
      pair = memory.find(pair_key(of.geom_a, of.geom_b));
    }
    if (pair < 0) continue;
    const int point = memory.find_point(pair, data.points.id[at(c.point)]);
    if (point < 0) continue;
    const std::span<const double> v = memory.point_values(point);
    const Vec3 impulse = c.frame.transpose() * Vec3(v[0], v[1], v[2]);
    const RowGroup& g = rows_.groups()[at(c.group)];
    for (int k = 0; k < g.size; ++k) last_[at(g.row + k)] = impulse[k];
  }
}

// Beyond every pair of geoms, whose ids are never negative.
void TimeStepping::note_joint_keys() {
  constexpr PairKey kJoint = PairKey{1} << 63, kOther = PairKey{1} << 62;
  joint_keys_.clear();
  for (const int id : equalities_.ids()) joint_keys_.push_back(kJoint | static_cast<PairKey>(id));
  for (const int id : joints_.ids())
    joint_keys_.push_back(kJoint | kOther | static_cast<PairKey>(id));
}

void TimeStepping::recall_joints(const ContactMemory& memory) {
  if (memory.point_width() != kPointMemory) return;
  for (std::size_t i = 0; i < joint_keys_.size(); ++i) {
    const int pair = memory.find(joint_keys_[i]);
    if (pair < 0) continue;
    const RowGroup& g = rows_.groups()[i];
    const PairMemory& header = memory.pairs()[at(pair)];
    if (static_cast<int>(header.point_count) != points_for(g)) continue;
    for (int k = 0; k < g.size; ++k)
      last_[at(g.row + k)] = memory.point_values(static_cast<int>(header.point_begin) +
                                                 k / kPointMemory)[at(k % kPointMemory)];
  }
}

void TimeStepping::remember_joints(ContactMemory& memory) const {
  static constexpr std::uint64_t kIds[2] = {0, 1};  // six rows at most
  if (rows_.rows() == 0) return;
  for (std::size_t i = 0; i < joint_keys_.size(); ++i) {
    const RowGroup& g = rows_.groups()[i];
    PairMemory header;
    header.key = joint_keys_[i];
    const int pair = memory.append(header, {kIds, at(points_for(g))});
    const int begin = static_cast<int>(memory.pairs()[at(pair)].point_begin);
    for (int k = 0; k < g.size; ++k)
      memory.point_values(begin + k / kPointMemory)[at(k % kPointMemory)] = p_[at(g.row + k)];
  }
}

void TimeStepping::add_up_work(std::span<const double> u_free, std::span<const double> change) {
  after_.resize(b_.size());
  rows_.velocities(change, after_);
  for (std::size_t i = 0; i < p_.size(); ++i) motion_ += 0.5 * p_[i] * after_[i];
  const auto sum_up = [&](double& work) {
    for (const Contact& c : contacts_.contacts()) {
      const RowGroup& g = rows_.groups()[at(c.group)];
      for (int r = g.row; r < g.row + g.size; ++r) work += p_[at(r)] * after_[at(r)];
    }
  };
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = u_free[i] + 0.5 * change[i];
  rows_.velocities(u_, after_);
  sum_up(work_on_free_);
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = u_free[i] + change[i];
  rows_.velocities(u_, after_);
  for (std::size_t i = 0; i < after_.size(); ++i) after_[i] = 0.5 * (after_[i] + before_[i]);
  sum_up(work_);
}

void TimeStepping::solve_island(std::span<const int> groups) {
  int n = 0;
  for (const int g : groups) n += rows_.groups()[at(g)].size;
  problem_.resize(n);
  FactoredMatrix& A = problem_.A.factored();
  rows_.take(groups, A);
  A.softness.assign(at(n), 0.0);
  z_.resize(n);
  int row = 0;
  for (const int index : groups) {
    const RowGroup& g = rows_.groups()[at(index)];
    const int contact = contact_of_group_[at(index)];
    for (int k = 0; k < g.size; ++k) {
      problem_.b[row + k] = b_[at(g.row + k)];
      z_[row + k] = last_[at(g.row + k)];
      if (contact >= 0) continue;
      problem_.lo[row + k] = lo_[at(g.row + k)];
      problem_.hi[row + k] = hi_[at(g.row + k)];
    }
    if (contact < 0) A.softness[at(row)] = softness_[at(g.row)];  // a group of one row, where > 0
    if (contact >= 0 && !layer_softness_.empty())
      A.softness[at(row)] = layer_softness_[at(contact)];
    if (contact >= 0 && g.size == 3)
      problem_.cones.push_back({row, 3, contacts_.contacts()[at(contact)].material.friction});
    row += g.size;
  }
  solve_problem();
  report_.note(answer_, n);
  row = 0;
  for (const int index : groups) {
    const RowGroup& g = rows_.groups()[at(index)];
    for (int k = 0; k < g.size; ++k) p_[at(g.row + k)] = z_[row++];
  }
}

// From z_ to z_.
void TimeStepping::solve_problem() {
  const auto run = [this](Solver& solver, const Problem& problem) {
    solver.options.warm_start = true;
    if (solver.info().forms & bit(Matrix::Form::factored))
      rows_.add_inverse_masses(problem_.A.factored());
    solver.solve(problem, answer_);
  };
  if (settings_.cone == FrictionCone::pyramid && !problem_.cones.empty()) {
    const Problem& lcp = pyramid_.build(formed_.form(problem_));
    pyramid_.lift(z_, answer_.z);
    run(solvers_.pyramid(lcp), lcp);
    pyramid_.restore(answer_.z, z_);
  } else {
    answer_.z = z_;
    run(solvers_.round(problem_), problem_);
    z_ = answer_.z;
  }
}

}  // namespace abut
