#include "abut/simulate/simulator.h"

#include <fmt/format.h>

#include <functional>

#include "abut/contact/combinations.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

constexpr int kMostHalvings = 4;
constexpr int kMostImpacts = 50;  // that a step is cut at
// Parts of a step of st that end where something bounces; after these all bounces of what is left
// of the step are struck at once, this often at most.
constexpr int kMostBounces = 16, kMostStrikes = 64;

// Driven bodies to where they are after a time.
void carry(double time, Input& input) {
  for (std::size_t i = 0; i < input.mocap.size(); ++i) {
    const Vec6& v = input.mocap_velocity[i];
    input.mocap[i].p += time * v.head<3>();
    input.mocap[i].q = (exp_rotation(time * v.tail<3>()) * input.mocap[i].q).normalized();
  }
}

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
         (!contact.penalty() && may_touch(model, contact.settings()));
}

Choice choice_with(const Model& model, const ContactSettings& settings, Integrator integrator) {
  Choice choice = choice_of(settings, model);
  choice.integrator = integrator_name(integrator);
  return choice;
}

}  // namespace

std::string why_not_rk4(const Model& model, const ContactSettings& settings) {
  const bool contacts = has_contacts(model, settings);
  if (!has_joint_constraints(model) && !(contacts && is_penalty(settings.model)) &&
      !may_touch(model, settings))
    return {};
  if (contacts && settings.model == ContactModel::baraff)
    if (const std::string why = Baraff::why_not_rk4(model); !why.empty()) return why;
  const std::string why = why_not(choice_with(model, settings, Integrator::rk4));
  // what euler is refused for as well is no fault of rk4
  if (!why.empty() && why_not(choice_with(model, settings, Integrator::euler)).empty()) return why;
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
      impact_time_(model),
      part_start_(model),
      part_input_(model),
      after_part_(model),
      step_input_(model) {
  if (const std::string why = why_not_contacts(settings); !why.empty()) throw WorldError(why);
  if (!constrained_ && !contact_.penalty()) return;
  if (const std::string why = why_not(choice_with(model, settings, integrator_)); !why.empty())
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
  profile_.begin();
  contact_.start_report();
  in_parts_ = false;  // also after a step that threw
  tells_parts_ = false;
  const bool regress = contact_.settings().regress && contact_.contacts_on() &&
                       has_impacts(contact_.settings().model);
  const auto take = [&](double h, const Input& of) {
    if (regress)
      advance_to_impacts(h, state, of);
    else if (contact_.has_bounces())
      advance_by_bounces(h, state, of);
    else
      advance(h, 0, state, of);
  };
  const int parts = contact_.choose_parts(state);
  if (parts == 1) return take(model_.option.timestep, input);
  tell_parts();
  const double end = state.time + model_.option.timestep, h = model_.option.timestep / parts;
  step_input_ = input;  // keeps what it has grown to
  for (int i = 0; i < parts; ++i) {
    take(h, step_input_);
    if (!regress) part_forces_.add(contact_, h);
    carry(h, step_input_);
  }
  state.time = end;
}

// In parts that end where solids meet, so that the impulse of an impact acts at its time.
void Simulator::advance_to_impacts(double h, State& state, const Input& input) {
  const double end = state.time + h;
  double left = h;
  if (!tells_parts_) tell_parts();
  part_input_ = input;
  in_parts_ = true;  // a post-step would hide that solids have met
  for (int impacts = 0;; ++impacts) {
    part_start_ = state;
    const double work = contact_.work();
    impact_time_.start(state, part_input_, contact_.collider());
    // overlap after a part of that length, taken from the start again
    const auto take = [&](double length) {
      state = part_start_;
      contact_.take_back(work);
      advance(length, 0, state, part_input_);
      after_part_ = part_input_;
      carry(length, after_part_);
      return impact_time_.depth(state, after_part_, contact_.collider());
    };
    double length = left, low = 0, depth = take(left);
    if (impacts < kMostImpacts) {
      bool at_end = true;
      for (int k = 0; k < 60 && depth < -ImpactTime::kExact; ++k) {
        const double middle = 0.5 * (low + length);
        const double there = take(middle);
        at_end = there < 0;
        (at_end ? length : low) = middle;
        if (at_end) depth = there;
      }
      if (!at_end) take(length);
    }
    part_forces_.add(contact_, length);
    left -= length;
    if (!(left > 1e-12 * h)) break;
    part_input_ = after_part_;
  }
  in_parts_ = false;
  if (constrained_) contact_.settle(state, input);
  state.time = end;
}

// In parts that end where solids meet that bounce (st), so that an impact acts at its time.
void Simulator::advance_by_bounces(double h, State& state, const Input& input) {
  const double end = state.time + h;
  tell_parts();
  part_input_ = input;
  bounces_left_ = kMostBounces + kMostStrikes;
  for (double left = h; left > 1e-12 * h;) {
    const double taken = advance(left, 0, state, part_input_);
    part_forces_.add(contact_, taken);
    carry(taken, part_input_);
    left -= taken;
  }
  state.time = end;
}

// Impacts of the start of a part, and the free motion that follows.
bool Simulator::begin_bounces(double h, State& state, const Input& input) {
  if (!contact_.strike(h, state, input, derived_)) return false;
  part_forces_.add_struck(contact_);
  return true;
}

// The velocities that forces lead to, and the contacts on the way.
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

// Returns the time it took: less than h where it ends at a bounce. Halved where the contact model
// asks for it (peg, if no branch of the whole step does).
double Simulator::advance(double h, int halvings, State& state, const Input& input) {
  positions(model_, state, input, derived_);
  velocities(model_, state, derived_);
  count_turns(state);
  profile_.mark(Stage::kinematics);
  contact_.begin(h, state, input, derived_);
  profile_.mark(Stage::contact_data);
  if (integrator_ == Integrator::rk4) {
    stepper_.step(integrator_, h, input, state, derived_, &contact_);
    contact_.end(h, state);
    profile_.mark(Stage::integrate);
    if (constrained_ && !in_parts_) contact_.settle(state, input);
    profile_.mark(Stage::stabilise);
    return h;
  }
  predict(h, state, input);
  if (!constrained_) {
    stepper_.move(integrator_, h, state, derived_, {}, contact_.held());
    contact_.end(h, state);
    profile_.mark(Stage::integrate);
    state.time += h;
    return h;
  }
  if (begin_bounces(h, state, input)) predict(h, state, input);
  const auto move = [&](State& s, std::span<const double> change) {
    stepper_.move(integrator_, h, s, derived_, change, contact_.held());
  };
  // by reference: as a copy it would be too large for std::function to hold without allocating
  contact_.solve(h, state, input, derived_, stepper_.implicit_damping(), u_free_, std::cref(move),
                 (halvings < kMostHalvings), (bounces_left_ > 0));
  profile_.mark(Stage::contact_model);
  if (contact_.bounce() < h) {
    --bounces_left_;
    // what rises and falls back within the step cannot be struck now: its part ends at the bounce
    if (bounces_left_ < kMostStrikes && contact_.strike_ahead(h, state, input, derived_)) {
      part_forces_.add_struck(contact_);
      return advance(h, 0, state, input);
    }
    return advance(contact_.bounce(), 0, state, input);
  }
  if (contact_.wants_halves()) {
    Input half = input;
    if (halvings == 0) tell_parts();
    advance(h / 2, halvings + 1, state, half);
    carry(h / 2, half);
    advance(h / 2, halvings + 1, state, half);
    return h;
  }
  stepper_.move(integrator_, h, state, derived_, contact_.change(), contact_.held());
  if (contact_.forces() == nullptr) contact_.add_work(stepper_.held_gain());
  profile_.mark(Stage::integrate);
  contact_.end(h, state);
  if (halvings > 0) part_forces_.add(contact_, h);
  if (!in_parts_) contact_.settle(state, input);
  profile_.mark(Stage::stabilise);
  state.time += h;
  return h;
}

// Begins to tell of the parts of a step.
void Simulator::tell_parts() {
  tells_parts_ = true;
  part_forces_.begin(model_.option.timestep);
}

// Angles between bodies are known but for whole turns; the state counts those.
void Simulator::count_turns(State& state) const {
  for (std::size_t i = 0; i < state.turn.size(); ++i) state.turn[i] = derived_.measure[i].value;
}

ContactForces Simulator::contact_forces() const {
  ContactForces forces;
  contact_forces(forces);
  return forces;
}

void Simulator::contact_forces(ContactForces& out) const {
  if (tells_parts_) {
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
