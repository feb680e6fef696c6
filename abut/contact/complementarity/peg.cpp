#include "abut/contact/complementarity/peg.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg_search.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Relative to the pair's size: what presses touches.
constexpr double kTouches = 1e-7;
constexpr double kAtRest = 1e-9;    // relative to the velocities: what does not part
constexpr double kFinished = 1e-8;  // ditto: impulses of the motion that was found
// In the memory of a pair, beside its plane: rows are where the surfaces meet.
constexpr std::int32_t kMeets = 1 << 30;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

Peg::Peg(const Model& model, const ContactSettings& settings, const Collider& collider)
    : search_(std::make_unique<PegSearch>(model, settings, collider)) {}
Peg::~Peg() = default;

void Peg::start_step() { search_->start_step(); }
bool Peg::solve(const Step& step, TimeStepping& stepping, std::span<double> change) {
  return search_->solve(step, stepping, change);
}
const ContactData& Peg::data() const { return search_->data(); }
std::span<const SeparatingPlane> Peg::planes() const { return search_->planes(); }
std::int32_t Peg::memory_of(std::size_t patch) const { return search_->memory_of(patch); }
const PegReport& Peg::report() const { return search_->report(); }
std::span<const double> Peg::end_velocity() const { return search_->end_velocity(); }
std::span<const double> Peg::handed() const { return search_->handed(); }

PegSearch::PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider)
    : model_(model),
      relinearizes_(own(settings, "peg.relinearize") != "off"),
      view_(collider),
      start_view_(collider),
      keeper_(model),
      probe_(model),
      end_(model) {
  u_end_.resize(at(model.nv));
}

std::int32_t PegSearch::memory_of(std::size_t patch) const {
  const std::int32_t plane = packed(planes_of_data_[patch]);
  return plane != 0 && meets_of_data_[patch] ? plane | kMeets : plane;
}

SeparatingPlane PegSearch::remembered(PairKey key, bool* met) const {
  const ContactMemory& memory = step_->start.state.contacts;
  const int pair = memory.find(key);
  const std::int32_t branch = pair < 0 ? 0 : memory.pairs()[at(pair)].branch;
  if (met != nullptr) *met = (branch & kMeets) != 0;
  return unpacked_plane(branch & ~kMeets);
}

void PegSearch::begin(const PegStep& step, TimeStepping& stepping) {
  step_ = &step;
  stepping_ = &stepping;
  warm_ = step.start.state;
  has_end_ = false;
  let_stay_ = false;
  bound_ = kInfinity;
  end_velocity_.clear();
  handed_.clear();
  report_.level = 0;
  report_.motion = 0;
  const int near = static_cast<int>(step.near.patches.size());
  report_.most_pairs = std::max(report_.most_pairs, near);
  // a half may spend half as much
  spent_ = 0;
  is_hard_ = false;
  allowed_ = static_cast<int>(
      std::ceil(PegStep::allowance(near) * std::min(1.0, step.h / model_.option.timestep)));
}

bool PegSearch::solve(const PegStep& step, TimeStepping& stepping, std::span<double> change) {
  begin(step, stepping);
  Trial& best = best_;
  bool found = find_branch(best);
  if (!found && step.may_halve) return false;
  if (!found) {
    report_.level = 2;
    let_stay_ = true;
    allowed_ += spent_;
    best.clear();
    found = descend(best);
  }
  if (!found) {
    fall_back(change);
    return true;
  }
  improve(best);
  finish(best);
  calm(best);
  report_.motion = best.motion;
  report_.pairs = static_cast<int>(best.choices.size());
  std::copy(best.change.begin(), best.change.end(), change.begin());
  return true;
}

// From the planes of the step before, as far as their pairs are still near; else from none.
bool PegSearch::find_branch(Trial& best) {
  best.clear();
  for (const Patch& patch : step_->near.patches) {
    Choice c{patch.key(), patch.geom_a, patch.geom_b, {}};
    c.plane = remembered(c.key, &c.met);
    c.recalled = true;
    if (!c.plane.is_none()) best.choices.push_back(c);
  }
  const bool from_memory = !best.choices.empty();
  if (descend(best)) return true;
  best.clear();
  return from_memory && descend(best);
}

// Solves the best once more, so that contacts and impulses are its own. Its motion stays as it was
// found: the iteration need not come back to where it was.
void PegSearch::finish(Trial& best) {
  if (is_current_) return;
  if (!relinearizes_) {
    evaluate(best);
    return;
  }
  solve_at_end(best);
  if (is_spent() || largest_difference(next_, best.change) <=
                        kFinished * (largest(step_->u_free) + largest(best.change)))
    return;
  // edges that face each other or not, by rounding: by the way that it was found, then
  kept_ = best.change;
  const double motion = best.motion;
  best.fresh = true;
  evaluate(best);
  best.change = kept_;
  best.motion = motion;
}

// The free velocities where the step ends: what contacts did not change has those of its motion.
// Bodies that touch nothing but each other get the least change that keeps the angular momentum of
// the free motion (keep_momentum.h): contacts have moved them, to places where the same velocities
// are another momentum. The others keep the energy of their spin, turned as they are. Wants the
// rows and impulses of finish(), and go_to_end().
void PegSearch::find_alone(std::span<const double> change) {
  u_alone_.resize(change.size());
  to_solver_velocity(model_, end_, end_state_.v, u_alone_);
  for (const Tree& tree : model_.trees) {
    const auto first = change.begin() + tree.dof_begin, last = first + tree.dof_count;
    if (std::all_of(first, last, [](double x) { return x == 0; })) continue;
    std::copy_n(step_->u_free.begin() + tree.dof_begin, tree.dof_count,
                u_alone_.begin() + tree.dof_begin);
    if (!tree.free_body) continue;
    const std::size_t body = at(model_.links[at(tree.link_begin)].body);
    Eigen::Map<Vec3> spin(&u_alone_[at(tree.dof_begin + 3)]);
    spin =
        (end_.body_rotation[body] * step_->start.d.body_rotation[body].transpose() * spin).eval();
  }
  v_alone_.resize(change.size());
  from_solver_velocity(model_, step_->start.d, step_->u_free, v_alone_);
  keeper_.note(stepping_->islands(), stepping_->rows().groups(), stepping_->row_impulses(),
               v_alone_, step_->start.d);
  from_solver_velocity(model_, end_, u_alone_, v_alone_);
  keeper_.restore(end_, v_alone_, MomentumKeeper::TooLittleEnergy::leave);
  handed_ = u_alone_;
  to_solver_velocity(model_, end_, v_alone_, u_alone_);
  for (std::size_t i = 0; i < handed_.size(); ++i) handed_[i] = u_alone_[i] - handed_[i];
  report_.handed += keeper_.handed();
}

// Velocities at the end of the step with J u >= min(J u', 0), by the rows of finish() that touch:
// what would part by the curvature of its way alone does not. Where J u = b <= 0 on rows that
// press, p . J (u + u_alone) / 2 = p . b - p A p / 2 is not positive: no energy comes of it.
void PegSearch::calm(const Trial& best) {
  if (!relinearizes_) return;
  go_to_end(best.change);
  factor_end();
  const std::vector<Contact>& contacts = stepping_->contacts();
  const std::vector<Vec3>& impulses = stepping_->impulses();
  const auto presses = [](const Vec3& p) { return p.squaredNorm() > 0; };
  if (std::none_of(impulses.begin(), impulses.end(), presses)) return;
  find_alone(best.change);
  u_end_.resize(u_alone_.size());
  for (std::size_t i = 0; i < u_end_.size(); ++i) u_end_[i] = u_alone_[i] + best.change[i];
  const double least = kAtRest * largest(u_end_);
  stepping_->partings(u_end_, parting_);
  bool any = false;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    any |= parting_[i] > least && presses(impulses[i]);
  if (any) {
    keep_touching();
    const Around around{{end_state_, end_input_, end_}, best.change};
    solve_rows(&around, u_alone_, next_);
    data_.points.psi = gaps_;  // as they are
    for (std::size_t i = 0; i < u_end_.size(); ++i) u_end_[i] = u_alone_[i] + next_[i];
  }
  end_velocity_.resize(u_end_.size());
  from_solver_velocity(model_, end_, u_end_, end_velocity_);
}

// Of the contacts of the end those that touch, with what J u' lets them part for a gap; gaps_ has
// their own.
void PegSearch::keep_touching() {
  const std::vector<double>& sizes = step_->collider.sizes();
  ContactPoints& points = data_.points;
  row_.assign(points.psi.size(), 0.0);
  for (std::size_t i = 0; i < stepping_->contacts().size(); ++i)
    row_[at(stepping_->contacts()[i].point)] = step_->h * std::max(parting_[i], 0.0);
  gaps_.clear();
  int kept = 0;
  for (Patch& patch : data_.patches) {
    const double touch = kTouches * (sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)]);
    const int first = kept;
    for (int i = patch.begin; i < patch.end; ++i) {
      if (points.psi[at(i)] > touch) continue;
      gaps_.push_back(points.psi[at(i)]);
      points.p_A[at(kept)] = points.p_A[at(i)];
      points.p_B[at(kept)] = points.p_B[at(i)];
      points.id[at(kept)] = points.id[at(i)];
      points.psi[at(kept)] = points.psi[at(i)] + row_[at(i)];
      ++kept;
    }
    patch.begin = first, patch.end = kept;
  }
  points.resize(kept);
}

// No branch does: rows on all that is near, at the start (P-N4).
void PegSearch::fall_back(std::span<double> change) {
  data_ = step_->near;
  planes_of_data_.assign(data_.patches.size(), {});
  meets_of_data_.assign(data_.patches.size(), false);
  report_.level = 3;
  solve_rows(nullptr, step_->u_free, change);
  if (stepping_->report().unsolved == 0) return;
  report_.level = 4;
  for (double& psi : data_.points.psi) psi = std::max(psi, 0.0);
  solve_rows(nullptr, step_->u_free, change);
}

}  // namespace abut
