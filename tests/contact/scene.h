// A world from text, its simulator and its state, run together.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "abut/dynamics/energy.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/simulator.h"

namespace abut::test {

inline ContactSettings settings(const std::string& model) {
  ContactSettings s;
  s.model = model;
  return s;
}

struct Scene {
  Model model;
  Simulator simulator;
  State state;
  Input input;
  double residual = 0;
  int unsolved = 0;

  Scene(const std::string& world, const ContactSettings& settings)
      : model(compile(parse_mjcf(world))), simulator(model, settings), state(model), input(model) {}

  void step() {
    simulator.step(state, input);
    residual = std::max(residual, simulator.contact().stepping().report().residual);
    unsolved += simulator.contact().stepping().report().unsolved;
  }
  void run(double seconds) {
    const int steps = static_cast<int>(std::round(seconds / model.option.timestep));
    for (int i = 0; i < steps; ++i) step();
  }
  // Of free bodies, in worlds that have no others.
  Vec3 velocity(int body = 0) const {
    return {state.v[6 * body], state.v[6 * body + 1], state.v[6 * body + 2]};
  }
  Vec3 position(int body = 0) const {
    return {state.q[7 * body], state.q[7 * body + 1], state.q[7 * body + 2]};
  }
};

// J: of motion.
inline double kinetic(const Scene& s) {
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  velocities(s.model, s.state, d);
  return energy(s.model, s.state, d).kinetic;
}

// m: of the last step's contacts.
inline double deepest(const Scene& s) {
  double most = 0;
  for (const Patch& p : s.simulator.contact().data().patches) most = std::max(most, -p.distance);
  return most;
}

}  // namespace abut::test
