#include "abut/contact/fast/fast_model.h"

#include <algorithm>
#include <string>

#include "abut/contact/complementarity/impulse_choices.h"
#include "abut/contact/fast/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Free bodies in contact from which on they are swept, unless the user says so.
constexpr int kManyBodies = 48;
// Sweeps of a step, and of its position pass. Where an accuracy or a time is asked for, sweeps go on
// until it is reached, or as often as this.
constexpr int kSweeps = 20, kLifts = 10, kSweepsAsked = 1000;
// Bodies of a new island that is left to the exact solver: some tenths of a second; of one that is
// solved against time.
constexpr int kMostNew = 512, kMostNewInTime = 24;
// Steps of Newton's method for an island in a step.
constexpr int kCorrections = 4;
// Multiplications of corrections, a body that moves: some microseconds.
constexpr double kOperations = 3e4;
// And in a step beside these, so that an arch of a hundred stones is solved: some 10 ms.
constexpr double kOperationsOfAStep = 4e7;

// From the program's settings, or else from the world.
double number(const ContactWorld& world, const std::string& key, double standard) {
  if (const std::string_view word = own(world.settings, key); !word.empty())
    return std::stod(std::string(word));
  const auto it = world.model.custom.find("abut." + key);
  return it == world.model.custom.end() || it->second.numbers.empty() ? standard
                                                                      : it->second.numbers[0];
}

WideSettings wide_settings(const ContactWorld& world) {
  const ContactSettings& s = world.settings;
  const bool asked = s.accuracy > 0 || s.budget_ms > 0;
  return {
      .accuracy = number(world, "fast.accuracy", s.accuracy > 0 ? s.accuracy : kAccuracy),
      .most_sweeps = static_cast<int>(number(world, "fast.sweeps", asked ? kSweepsAsked : kSweeps)),
      .most_lifts = kLifts,
      .most_corrections = static_cast<int>(number(world, "fast.corrections", kCorrections)),
      .operations = kOperationsOfAStep,
      .most_operations = kOperations,
      .removes_overlap =
          s.stabilize == Stabilize::post && s.stabilize_contacts == StabilizeContacts::on,
      .limit = world.stepping.limit()};
}

bool may_be_wide(const ContactSettings& s) {
  return s.solver == "auto" && s.data != ContactSource::features &&
         (s.friction == FrictionKind::cone || s.friction == FrictionKind::none) &&
         (s.stabilize == Stabilize::post || s.stabilize == Stabilize::none);
}

}  // namespace

FastModel::FastModel(const ContactWorld& world)
    : SteppingModel(world, Kind::st),
      may_be_wide_(may_be_wide(world.settings)),
      many_(static_cast<int>(number(world, "fast.bodies", kManyBodies))),
      islands_(world.model, world.settings.budget_ms > 0 ? kMostNewInTime : kMostNew),
      calm_geoms_(world.model, islands_, world.collider, many_),
      contacts_(world.model, islands_, world.collider.sizes(),
                world.settings.friction == FrictionKind::none),
      solver_(world.model, wide_settings(world), best_lane_kernels(), world.threads) {}

void FastModel::find(double h, const StepMoment& start, std::span<const double> u_free) {
  calm_ = may_be_wide_ ? calm_geoms_.find(h, start) : std::span<const std::uint8_t>();
  SteppingModel::find(h, start, u_free);
}

Solved FastModel::solve(const StepToSolve& step, std::span<double> change) {
  sweep(step);
  leave_out(swept_);
  const Solved solved = SteppingModel::solve(step, change);
  if (!any_swept_ || solved != Solved::done) return solved;
  solver_.finish(step.h, step.start, contacts_);
  solver_.add_change(contacts_, change);
  merge();
  memory_.write(near_, near_, queries_, at_points_, world_.stepping, [](std::size_t) { return 0; });
  return solved;
}

// Which islands are swept, and their impulses.
void FastModel::sweep(const StepToSolve& step) {
  swept_.clear();
  held_.clear();
  any_swept_ = all_swept_ = false;
  if (!may_be_wide_) return;
  islands_.find(near_, step.start.state.contacts);
  const bool is_small = islands_.bodies() < many_;
  if (!islands_.any() || (is_small && !islands_.all())) return;
  contacts_.build(step.h, step.start, near_, is_small ? kRestOverlap : kLetBe);
  all_swept_ = islands_.all();
  if (is_small) {
    if (!solver_.rests(step.h, step.u_free, contacts_)) return;
  } else {
    solver_.solve(step.u_free, contacts_);
  }
  swept_.resize(near_.patches.size());
  held_.assign(at(world_.model.nv), 0.0);
  for (std::size_t p = 0; p < swept_.size(); ++p) {
    swept_[p] = islands_.island()[p] >= 0;
    any_swept_ |= swept_[p] != 0;
    // gaps are asked for where h u' leads
    if (swept_[p]) hold(near_.patches[p]);
  }
}

void FastModel::hold(const Patch& patch) {
  for (const int geom : {patch.geom_a, patch.geom_b})
    if (const int tree = islands_.tree_of(geom); tree >= 0)
      held_[at(world_.model.trees[at(tree)].dof_begin)] = kInfinity;
}

// The contacts of both solvers, in the order of the patches.
void FastModel::merge() {
  at_points_.clear();
  const std::vector<Contact>& exact = world_.stepping.contacts();
  std::size_t next = 0;
  for (int p = 0; p < static_cast<int>(near_.patches.size()); ++p) {
    const Patch& patch = near_.patches[at(p)];
    if (swept_[at(p)])
      for (int i = patch.begin; i < patch.end; ++i)
        at_points_.push_back({p, i, contacts_.impulse(patch, p, i), Vec3::Zero()});
    for (; next < exact.size() && exact[next].patch == p; ++next)
      at_points_.push_back({p, exact[next].point, world_.stepping.impulses()[next],
                            world_.stepping.couples()[next]});
  }
}

void FastModel::remember() {
  if (!any_swept_) SteppingModel::remember();
}

void FastModel::end(double h, State& state) {
  SteppingModel::end(h, state);
  if (any_swept_) solver_.displace(contacts_, state);
}

std::span<const double> FastModel::held(std::span<const double> force) const {
  return !any_swept_ ? SteppingModel::held(force) : std::span<const double>(held_);
}

void FastModel::impulses(std::vector<ContactForce>& out) const {
  if (!any_swept_) return SteppingModel::impulses(out);
  out.clear();
  for (const ImpulseMemory::AtPoint& of : at_points_)
    out.push_back(
        {.patch = of.patch,
         .position = 0.5 * (near_.points.p_A[at(of.point)] + near_.points.p_B[at(of.point)]),
         .force = of.impulse,
         .couple = of.couple});
}

bool FastModel::keeps_apart(const Patch& patch) const {
  if (!any_swept_) return false;
  for (const int geom : {patch.geom_a, patch.geom_b})
    if (const int tree = islands_.tree_of(geom);
        tree >= 0 && held_[at(world_.model.trees[at(tree)].dof_begin)] > 0)
      return true;
  return false;
}

double FastModel::work() const {
  return SteppingModel::work() + (any_swept_ ? solver_.report().work : 0);
}

double FastModel::work_on_free() const {
  return SteppingModel::work_on_free() + (any_swept_ ? solver_.report().work_on_free : 0);
}

void FastModel::add_to(SolveReport& report) const {
  SteppingModel::add_to(report);
  if (!any_swept_) return;
  const WideReport& wide = solver_.report();
  Answer answer;
  answer.status =
      wide.change <= solver_.settings().accuracy ? SolveStatus::solved : SolveStatus::failed;
  answer.residuals.relative = wide.change;
  answer.solver = "sweep";
  report.note(answer, 3 * wide.contacts);
}

const ModelInfo& fast_info() {
  static const ModelInfo info = [] {
    ModelInfo i = stepping_info();
    i.name = "fast";
    i.summary = "the default: st, and large piles by sweeps over blocks of contacts";
    i.integrator = {"euler", "implicit"};
    i.not_with.push_back({Axis::integrator, "explicit", kEndVelocities});
    i.stabilizes_contacts = {"post", "post-pinv"};
    i.why_contacts_unstabilized =
        "gaps may close in a step, and the position pass removes overlap; use stabilize post, or "
        "contact ap";
    i.gaps = GapRule::close;
    i.settings = {
        {"bodies", "48", "",
         "free bodies in contact from which on these are swept; fewer, unless at rest: exact"},
        {"sweeps", "20", "", "the most sweeps of a step"},
        {"corrections", "4", "",
         "the most steps of Newton's method for islands that sweeps find slowly"},
        {"accuracy", "1e-5", "", "of the mean impulse: sweeps end when none changes by more"}};
    return i;
  }();
  return info;
}

std::unique_ptr<ContactModel> make_fast(const ContactWorld& world) {
  return std::make_unique<FastModel>(world);
}

}  // namespace abut
