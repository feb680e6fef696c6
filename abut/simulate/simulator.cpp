#include "abut/simulate/simulator.h"

#include "abut/model/kinematics.h"

namespace abut {

namespace {

void check_fit(const Model& model, const State& state, const Input& input) {
  const bool fits = std::ssize(state.q) == model.nq && std::ssize(state.v) == model.nv &&
                    std::ssize(state.act) == model.na && std::ssize(input.ctrl) == model.nu() &&
                    std::ssize(input.wrench) == model.nbody() &&
                    std::ssize(input.force) == model.nv && std::ssize(input.mocap) == model.nmocap;
  if (!fits)
    throw WorldError(
        "state or input was made for another model; make them with State(model), Input(model)");
}

}  // namespace

Simulator::Simulator(const Model& model) : model_(model), derived_(model), stepper_(model) {}

void Simulator::step(State& state, const Input& input) {
  check_fit(model_, state, input);
  const double h = model_.option.timestep;
  const Integrator integrator = model_.option.integrator;
  profile_.begin();
  if (integrator == Integrator::rk4) {
    stepper_.step(integrator, h, input, state, derived_);
    profile_.mark(Stage::integrate);
    return;
  }
  positions(model_, state, input, derived_);
  velocities(model_, state, derived_);
  profile_.mark(Stage::kinematics);
  stepper_.forces(input, state, derived_);
  profile_.mark(Stage::forces);
  stepper_.accelerate(integrator, h, input, state, derived_);
  profile_.mark(Stage::dynamics);
  stepper_.move(integrator, h, state, derived_);
  profile_.mark(Stage::integrate);
  state.time += h;
}

std::string why_not_simulated(const Model& model) {
  if (!model.option.equality_on || !model.option.constraint_on) return {};
  for (std::size_t i = 0; i < model.equalities.size(); ++i)
    if (model.equalities[i].active)
      return "equality '" + model.equality_names[static_cast<int>(i)] +
             "' closes a loop, and loops are not simulated yet; run it without with "
             "<option><flag equality=\"disable\"/></option> or --set equality=off";
  return {};
}

}  // namespace abut
