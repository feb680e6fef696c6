#include "abut/simulate/simulator.h"

#include <fmt/format.h>

#include <functional>

#include "abut/contact/combinations.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// Substeps of a step of st that may end at a bounce. After these, all bounces in the rest of the
// step are resolved at once, at most kMostStrikes times.
constexpr int kMostBounces = 16, kMostStrikes = 64;

void check_fit(const Model& model, const State& state, const Input& input) {
  const bool fits =
      std::ssize(state.q) == model.nq && std::ssize(state.v) == model.nv &&
      std::ssize(state.act) == model.na && state.turn.size() == model.measures.size() &&
      std::ssize(input.ctrl) == model.nu() && std::ssize(input.wrench) == model.nbody() &&
      std::ssize(input.force) == model.nv && std::ssize(input.mocap) == model.nmocap;
  if (!fits)
    throw WorldError(
        "state or input was made for another model; make them with State(model), Input(model)");
}

bool may_touch(const Model& model, const ContactSettings& settings) {
  if (!has_contacts(model, settings)) return false;
  const PairFilter filter(model);
  bool any = false;
  for (int a = 0; a < filter.count() && !any; ++a)
    for (int b = a + 1; b < filter.count() && !any; ++b) any = filter.allows(a, b);
  return any;
}

bool has_joint_constraints(const Model& model) {
  if (model.option.constraint_on && model.option.equality_on)
    for (const Equality& e : model.equalities)
      if (e.active) return true;
  return JointRows(model).any();
}

bool has_constraints(const Model& model, const ContactStep& contact) {
  return has_joint_constraints(model) ||
         (contact.contact().has_rows() && may_touch(model, contact.settings()));
}

}  // namespace

std::string why_not_rk4(const Model& model, const ContactSettings& settings) {
  const bool contacts = has_contacts(model, settings);
  if (!has_joint_constraints(model) &&
      !(contacts && info_of(settings).family == ContactFamily::forces) &&
      !may_touch(model, settings))
    return {};
  const std::string why = why_not(settings, model, Integrator::rk4);
  // a reason that also excludes euler is not specific to rk4
  if (!why.empty() && why_not(settings, model, Integrator::euler).empty()) return why;
  if (!JointRows(model).any()) return {};
  return "integrator rk4 has no place for impulses of limits and dry friction of joints; use "
         "euler, "
         "or turn them off with --set constraint=off";
}

Simulator::Simulator(const Model& model) : Simulator(model, contact_settings(model)) {}

Simulator::Simulator(const Model& model, const ContactSettings& settings)
    : model_(model),
      integrator_(model.option.integrator),
      derived_(model),
      stepper_(model),
      contact_(model, settings, choose_integrator(settings)),
      constrained_(has_constraints(model, contact_)),
      u_free_(static_cast<std::size_t>(model.nv)),
      v_before_(static_cast<std::size_t>(model.nv)),
      substeps_(model),
      regresses_(settings.regress && contact_.contacts_on() && info_of(settings).regresses),
      impact_time_(model),
      after_(model) {
  if (const std::string why = why_not_contacts(settings); !why.empty()) throw WorldError(why);
  if (!constrained_ && contact_.forces() == nullptr) return;
  if (const std::string why = why_not(settings, model, integrator_); !why.empty())
    throw WorldError(why);
}

Integrator Simulator::choose_integrator(const ContactSettings& settings) {
  if (integrator_ != Integrator::rk4) return integrator_;
  const std::string why = why_not_rk4(model_, settings);
  if (why.empty()) return integrator_;
  const auto instead = model_.custom.find("abut.integrator.else");
  if (instead == model_.custom.end() || instead->second.text == "none") throw WorldError(why);
  if (instead->second.text != "euler")
    throw WorldError(
        instead->second.source,
        fmt::format("abut.integrator.else = '{}': there are euler, none", instead->second.text));
  const std::string where = to_string(instead->second.source);
  integrator_warning_ = fmt::format("{}integrator RK4 is asked for, and euler runs instead: {}",
                                    where.empty() ? "" : where + ": ", why);
  return integrator_ = Integrator::euler;
}

std::vector<std::string> Simulator::warnings() const {
  std::vector<std::string> lines = contact_.warnings();
  if (!integrator_warning_.empty()) lines.insert(lines.begin(), integrator_warning_);
  return lines;
}

void Simulator::step(State& state, const Input& input) {
  check_fit(model_, state, input);
  const double h = model_.option.timestep, end = state.time + h;
  profile_.begin();
  v_before_ = state.v;
  contact_.start_step();
  part_forces_.begin(h);
  impact_time_.begin_step();
  bounces_left_ = contact_.contact().has_bounces() ? kMostBounces + kMostStrikes : 0;
  substeps_.begin(h, contact_.choose_parts(state), input);
  for (bool is_new = true; !substeps_.done();) {
    if (is_new && regresses_) {
      impact_time_.start(state, substeps_.input(), contact_.collider());
      work_before_ = contact_.work();
    }
    is_new = advance(substeps_.length(), state, substeps_.input()) && ends_at_impact(state);
    if (!is_new) continue;  // repeated, shorter or in halves
    if (substeps_.several() || part_forces_.any()) part_forces_.add(contact_, substeps_.length());
    // inside a part, a post-step would hide that solids have met
    if (constrained_ && (!regresses_ || substeps_.ends_part()))
      contact_.settle(state, substeps_.input());
    profile_.mark(Stage::stabilise);
    substeps_.taken();
  }
  state.time = end;
}

// One substep of h seconds. Returns false if it was not taken; then substeps_ has another length.
bool Simulator::advance(double h, State& state, const Input& input) {
  positions(model_, state, input, derived_);
  velocities(model_, state, derived_);
  count_turns(state);
  profile_.mark(Stage::kinematics);
  contact_.begin(h, state, input, derived_);
  profile_.mark(Stage::contact_data);
  if (integrator_ == Integrator::rk4) {
    stepper_.step(integrator_, h, input, state, derived_, &contact_);
  } else {
    predict(h, state, input);
    if (constrained_ && !constrain(h, state, input)) return false;
    stepper_.move(integrator_, h, state, derived_,
                  constrained_ ? contact_.change() : std::span<const double>(), contact_.held());
    if (constrained_ && contact_.forces() == nullptr) contact_.add_work(stepper_.held_gain());
    state.time += h;
  }
  contact_.end(h, state);
  profile_.mark(Stage::integrate);
  return true;
}

// Computes the velocities from the forces, and the contacts on the way.
void Simulator::predict(double h, State& state, const Input& input) {
  stepper_.forces(input, state, derived_);
  profile_.mark(Stage::forces);
  contact_.add(1, state, input, derived_);
  profile_.mark(Stage::contact_model);
  stepper_.accelerate(integrator_, h, input, state, derived_);
  profile_.mark(Stage::dynamics);
  if (!constrained_) return;
  stepper_.end_velocities(h, state, derived_, u_free_);
  contact_.find(h, state, input, derived_, u_free_);
  profile_.mark(Stage::contact_data);
}

// Resolves impacts at the start, then the constraints. Returns false if the substep is too long.
bool Simulator::constrain(double h, State& state, const Input& input) {
  if (contact_.strike(h, state, input, derived_)) {
    part_forces_.add_struck(contact_);
    predict(h, state, input);
  }
  const auto move = [&](State& s, std::span<const double> change) {
    stepper_.move(integrator_, h, s, derived_, change, contact_.held());
  };
  // by reference: as a copy it would be too large for std::function to hold without allocating
  const Solved solved = contact_.solve({h,
                                        {state, input, derived_},
                                        u_free_,
                                        stepper_.implicit_damping(),
                                        std::cref(move),
                                        substeps_.may_halve(),
                                        bounces_left_ > 0},
                                       derived_);
  profile_.mark(Stage::contact_model);
  if (solved == Solved::done && contact_.contact().struck_on_the_way())
    part_forces_.add_struck(contact_);
  if (solved == Solved::halves) substeps_.halve();
  if (solved == Solved::bounces) bounce(h, state, input);
  return solved == Solved::done;
}

// Ends the substep at the first bounce. After many bounces all bouncing pairs are resolved now,
// except pairs that separate and fall back within the step.
void Simulator::bounce(double h, State& state, const Input& input) {
  --bounces_left_;
  if (bounces_left_ < kMostStrikes && contact_.strike_ahead(h, state, input, derived_))
    part_forces_.add_struck(contact_);
  else
    substeps_.shorten(contact_.contact().first_bounce());
}

// Whether to accept the substep: no solids met in it, or they met at its end.
bool Simulator::ends_at_impact(State& state) {
  if (!regresses_) return true;
  after_ = substeps_.input();
  carry(substeps_.length(), after_);
  const double length = impact_time_.retry(substeps_.length(), state, after_, contact_.collider());
  if (length == 0) return true;
  contact_.take_back(work_before_);
  substeps_.shorten(length);
  return false;
}

// Angles between bodies are known up to whole turns; the state counts the turns.
void Simulator::count_turns(State& state) const {
  for (std::size_t i = 0; i < state.turn.size(); ++i) state.turn[i] = derived_.measure[i].value;
}

ContactForces Simulator::contact_forces() const {
  ContactForces forces;
  contact_forces(forces);
  return forces;
}

void Simulator::contact_forces(ContactForces& out) const {
  if (part_forces_.any()) {
    out = part_forces_.mean();
    return;
  }
  abut::contact_forces(contact_, model_.option.timestep, out);
}

std::string why_not_simulated(const Model& model) {
  if (const std::string why = why_joints_not_simulated(model); !why.empty()) return why;
  if (!model.option.equality_on || !model.option.constraint_on) return {};
  for (std::size_t i = 0; i < model.equalities.size(); ++i)
    if (model.equalities[i].active)
      if (const std::string why = why_not_simulated(model, model.equalities[i]); !why.empty())
        return "equality '" + model.equality_names[static_cast<int>(i)] + "': " + why +
               "; run the world without it with <option><flag equality=\"disable\"/></option> or "
               "--set equality=off";
  return {};
}

}  // namespace abut
