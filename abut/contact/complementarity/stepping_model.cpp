#include "abut/contact/complementarity/stepping_model.h"

#include <algorithm>

#include "abut/constrain/tolerances.h"
#include "abut/contact/complementarity/impulse_choices.h"
#include "abut/contact/complementarity/tolerances.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

SteppingModel::SteppingModel(const ContactWorld& world, Kind kind)
    : ImpulseModel(world),
      kind_(kind),
      sizes_(world.collider.sizes()),
      bouncing_(world.model),
      after_(world.model),
      u_(at(world.model.nv)) {
  const ContactSettings& settings = world.settings;
  if (settings.data == ContactSource::features)
    features_ = std::make_unique<FeatureStepping>(world.model, settings, world.collider);
  if (Materials(world.model).any_bounces())
    impacts_ = std::make_unique<ImpactSet>(world.model, settings);
  if (kind != Kind::st) return;
  const bool as_printed = own(settings, "st.recover") == "velocity";
  if (as_printed) world.stepping.set_gaps(GapRule::close_all);
  const bool kissing = settings.data == ContactSource::kissing;
  if (!features_ && !kissing && !as_printed && own(settings, "st.contacts") != "start")
    ahead_ = std::make_unique<ContactsAhead>(world.model, world.collider, bouncing_,
                                             max_patch_points(settings));
  moves_by_end_ = !ahead_;
  if (ahead_ && impacts_ && !world.model.solids.any_compound())
    flights_ = std::make_unique<Flights>(world.model, settings, world.collider);
  if (flights_ && !flights_->any()) flights_.reset();
}

void SteppingModel::start_step() {
  exhausted_ = 0;
  if (TimeLimit* limit = world_.stepping.limit()) limit->start();
  if (flights_) flights_->start_step();
}

void SteppingModel::find(double h, const StepMoment& start, std::span<const double> u_free) {
  if (kind_ == Kind::ap) {
    find_pressed(start.state.contacts);
    find_within(reach_.find(h, start, u_free, pressed_), start);
  } else {
    ImpulseModel::find(h, start, u_free);
  }
  if (features_) features_->find(start.d, near_, reach_.last(), near_);
  if (moves_by_end_) hold_patches();
}

// Geoms of pairs that pressed in the last step: ap keeps these while they can still touch.
void SteppingModel::find_pressed(const ContactMemory& memory) {
  pressed_.assign(world_.model.geoms.size(), 0);
  for (const PairMemory& pair : memory.pairs())
    if (pair.phase == ContactPhase::resting)
      for (const int solid : solids_of(pair.key))
        pressed_[at(world_.model.solids.geom_of(solid))] = 1;
}

Solved SteppingModel::solve(const StepToSolve& step, std::span<double> change) {
  if (flights_) flights_->start(step.start.d);
  do {
    if (ahead_)
      solve_ahead(step, change);
    else
      solve_used(step, {}, change);
  } while (!follow_flights(step, change));
  if (first_bounce() < step.h) return Solved::bounces;
  remember();
  return Solved::done;
}

void SteppingModel::solve_used(const StepToSolve& step, std::span<const std::uint8_t> used,
                               std::span<double> change) {
  const auto& [state, input, d] = step.start;
  world_.stepping.solve(step.h, state, input, d, near_, step.u_free, change, {.used = used});
}

// With the pairs that touch, then with those that meet by what comes out, and with gaps that are
// right where the step ends.
void SteppingModel::solve_ahead(const StepToSolve& step, std::span<double> change) {
  const auto& [state, input, d] = step.start;
  ahead_->begin(state.contacts, d, near_, left_out_);
  for (int round = 0;;) {
    if (round == ContactsAhead::kMostRounds) ahead_->use_all();
    solve_used(step, ahead_->used(), change);
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = step.u_free[i] + change[i];
    const ContactsAhead::Step now{step.h, state, input, d, change, reach_.last(), u_};
    looked_ahead_ = round < ContactsAhead::kMostRounds && ahead_->looks_ahead(now, near_);
    if (!looked_ahead_) return;
    end_state_ = state;
    step.move(end_state_, change);
    positions(world_.model, end_state_, input, after_);
    const bool may_bounce = step.may_bounce && impacts_ && !(flights_ && flights_->is_spent());
    if (ahead_->extend(now, after_, may_bounce, flights_.get(), world_.collider, near_)) {
      ++round;
      continue;
    }
    const TimeStepping& stepping = world_.stepping;
    presses_.assign(near_.patches.size(), 0);
    for (std::size_t i = 0; i < stepping.contacts().size(); ++i)
      if (stepping.impulses()[i].squaredNorm() > 0) presses_[at(stepping.contacts()[i].patch)] = 1;
    if (!ahead_->correct(now, after_, presses_, world_.collider, near_)) return;
  }
}

// Bounces of bodies that fly. False: the first of them cannot be followed and is at the start of
// the step; the bodies concerned fly no longer, and the step is to be solved again.
bool SteppingModel::follow_flights(const StepToSolve& step, std::span<const double> change) {
  followed_until_ = kInfinity;
  if (!flights_) return true;
  flights_->clear();
  // a step that ends at another bounce is solved again
  if (!step.may_bounce || ahead_->bounce() < step.h || !looked_ahead_) return true;
  const auto& [state, input, d] = step.start;
  const StepMotion motion{world_.model, step.h, input, d, after_, change, u_};
  if (ahead_->followed().empty() && !flights_->has_legs(motion)) return true;
  followed_until_ = flights_->follow(motion, state, ahead_->followed(), world_.collider);
  exhausted_ += flights_->exhausted() ? 1 : 0;
  if (followed_until_ > kBounceAtStart * step.h || flights_->is_spent()) return true;
  flights_->ground();
  return false;
}

double SteppingModel::first_bounce() const {
  return ahead_ && impacts_ ? std::min(ahead_->bounce(), followed_until_) : kInfinity;
}

void SteppingModel::end(double h, State& state) {
  ImpulseModel::end(h, state);
  if (flights_) flights_->put_into(state);
}

bool SteppingModel::strike(double h, State& state, const Input& input, Derived& d) {
  if (!impacts_) return false;
  const double touch = ahead_ ? kTouchAhead : world_.settings.tolerance;
  return strike_at(h, touch, near_, state, input, d);
}

bool SteppingModel::strike_ahead(double h, State& state, const Input& input, Derived& d) {
  ++exhausted_;
  return strike_at(h, kInfinity, ahead_->bouncing(), state, input, d);
}

bool SteppingModel::strike_at(double h, double touch, const ContactData& data, State& state,
                              const Input& input, Derived& d) {
  if (flights_) flights_->clear();
  if (data.patches.empty()) return false;
  const Model& model = world_.model;
  struck_data_ = &data;
  mass_matrix(model, d);
  factor(model, d);
  to_solver_velocity(model, d, state.v, u_);
  if (!impacts_->resolve(h, touch, data, sizes_, state, input, d, u_)) return false;
  from_solver_velocity(model, d, u_, state.v);
  velocities(model, state, d);
  exhausted_ += impacts_->exhausted() ? 1 : 0;
  return true;
}

std::span<const ContactForce> SteppingModel::struck() const {
  if (struck_on_the_way()) return flights_->impulses();
  return impacts_ ? impacts_->impulses() : std::span<const ContactForce>();
}

const ContactData& SteppingModel::struck_data() const {
  return struck_on_the_way() ? flights_->data() : *struck_data_;
}

double SteppingModel::impact_work() const {
  if (struck_on_the_way()) return flights_->work();
  return impacts_ ? impacts_->work() : 0;
}

namespace {

constexpr std::string_view kOverlap =
    "they are of solids that overlap, which is what penalties live on; use manifold, or "
    "--contact multipoint";
constexpr std::string_view kOneProblem =
    "it follows one impact at a time, and this model has all contacts in one problem; use newton "
    "or poisson, or contact multipoint";

}  // namespace

ModelInfo stepping_info() {
  using enum Axis;
  return {.family = ContactFamily::impulses,
          .has_budget = true,
          .data = {"manifold", "patch", "features", "kissing"},
          .friction = {"cone", "pyramid", "none"},
          .stabilize = kVelocityStabilizers,
          .not_with = with_force_frictions({{integrator, "rk4", kStepIsIntegrator},
                                            {stabilize, "baumgarte-acc", kOfAccelerations},
                                            {data, "deepest", kOnePoint},
                                            {data, "volume", kVolume},
                                            {data, "vertices", kOverlap},
                                            {solver, "enum", kManyChoices}}),
          .why_contacts_unstabilized =
              "psi / h of st holds the whole gap, and it would count twice; use stabilize post, or "
              "contact ap",
          .bouncing = Bouncing::impulses,
          .restitution_laws = {"newton", "poisson", "sequential"},
          .why_not_other_laws = kOneProblem};
}

const ModelInfo& st_info() {
  static const ModelInfo info = [] {
    ModelInfo i = stepping_info();
    i.name = "st";
    i.summary = "Stewart-Trinkle: gaps may close in the step, not more; looks ahead";
    i.integrator = {"euler", "implicit"};
    i.not_with.push_back({Axis::integrator, "explicit", kEndVelocities});
    i.stabilizes_contacts = {"post", "post-pinv", "post-plain"};
    i.gaps = GapRule::close;
    i.settings = {
        {"recover",
         "post",
         "",
         "post: overlap is removed after the move; velocity: psi / h as printed, overlap pushes",
         {"post", "velocity"}},
        {"contacts",
         "meeting",
         "",
         "meeting: those that meet in the step; start: all within reach, linear about its start",
         {"meeting", "start"}}};
    return i;
  }();
  return info;
}

const ModelInfo& ap_info() {
  static const ModelInfo info = [] {
    ModelInfo i = stepping_info();
    i.name = "ap";
    i.summary = "Anitescu-Potra: where solids touch, they come no nearer; always has a solution";
    i.integrator = {"euler", "implicit", "explicit"};
    i.stabilizes_contacts = {"post", "post-pinv", "post-plain", "baumgarte", "gamma"};
    i.why_contacts_unstabilized =
        "its terms are of accelerations, and contacts are solved in velocities";
    i.gaps = GapRule::keep;
    return i;
  }();
  return info;
}

std::unique_ptr<ContactModel> make_st(const ContactWorld& world) {
  return std::make_unique<SteppingModel>(world, SteppingModel::Kind::st);
}
std::unique_ptr<ContactModel> make_ap(const ContactWorld& world) {
  return std::make_unique<SteppingModel>(world, SteppingModel::Kind::ap);
}

}  // namespace abut
