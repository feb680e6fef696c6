// What knowing where faces end costs: time per step of peg against st on the same scenes, and how
// it grows with the contacts (Williams, Lu and Trinkle: "PEG may require more time").
//
//   row of N    N blocks side by side on a table, 1 mm apart, 2 s at h = 1/60 s
//   stack of 10 at h = 1/60 s: real time is 60 steps a second
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "abut/contact/complementarity/peg.h"
#include "abut/contact/complementarity/peg_model.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"

namespace {

using Clock = std::chrono::steady_clock;

std::string world(const std::string& bodies) {
  return "<mujoco><option timestep='0.016666666666666666'/><worldbody>"
         "<geom type='box' size='100 2 0.5' pos='0 0 -0.5'/>" +
         bodies + "</worldbody></mujoco>";
}

std::string block(double x, double z) {
  return fmt::format(
      "<body pos='{} 0 {}'><freejoint/><geom type='box' size='.5 .5 .5' mass='1'/></body>", x, z);
}

std::string row(int count) {
  std::string s;
  for (int i = 0; i < count; ++i) s += block(1.001 * (i - 0.5 * (count - 1)), 0.5);
  return world(s);
}

std::string stack(int count) {
  std::string s;
  for (int i = 0; i < count; ++i) s += block(0, 0.5 + i);
  return world(s);
}

struct Cost {
  double us = 1e300;  // a step: mean over the run, the best of the rounds
  double branches = 0, iterations = 0;
  int fallbacks = 0;
};

Cost measure(const std::string& text, const std::string& contact, int rounds) {
  const abut::Model model = abut::compile(abut::parse_mjcf(text));
  abut::ContactSettings settings;
  settings.model = contact;
  constexpr int kSteps = 120;
  Cost cost;
  for (int round = 0; round < rounds; ++round) {
    abut::Simulator simulator(model, settings);
    abut::State state(model);
    const abut::Input input(model);
    cost.branches = cost.iterations = 0;
    cost.fallbacks = 0;
    double seconds = 0;
    for (int i = 0; i < kSteps; ++i) {
      const auto begin = Clock::now();
      simulator.step(state, input);
      seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      cost.fallbacks += static_cast<int>(simulator.contact().report().fallbacks);
      if (const auto* contact = simulator.contact().as<abut::PegModel>()) {
        const abut::Peg* peg = &contact->peg();
        cost.branches += static_cast<double>(peg->report().branches) / kSteps;
        cost.iterations += static_cast<double>(peg->report().iterations) / kSteps;
      }
    }
    cost.us = std::min(cost.us, 1e6 * seconds / kSteps);
  }
  return cost;
}

}  // namespace

int main() {
  fmt::print("peg against st, h = 1/60 s, 120 steps, best of 3\n\n");
  fmt::print(
      "| scene | st us/step | peg us/step | peg / st | branches | solves | fallbacks | real time "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  const auto line = [](const std::string& name, const std::string& text) {
    const Cost st = measure(text, "st", 3), peg = measure(text, "peg", 3);
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {} | {:.0f}x |\n", name, st.us,
               peg.us, peg.us / st.us, peg.branches, peg.iterations, peg.fallbacks,
               1e6 / 60 / peg.us);
  };
  for (const int n : {1, 4, 16, 64}) line(fmt::format("row of {}", n), row(n));
  line("stack of 10", stack(10));
}
