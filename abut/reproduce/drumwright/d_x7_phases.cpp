// D-X7, Fig. 2 of Drumwright: phases of a pair. A cube at rest is pressed down hard, and no impulse
// comes of it; a third body hits the cube, and the cube and the ground take part in the impact.
#include <fmt/format.h>

#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_worlds.h"
#include "abut/reproduce/flags.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr int kPressed = 500;                 // steps
constexpr double kForces[] = {20, 100, 500};  // N

World cube_below_cube() {
  World world;
  world.option.timestep = kBlockStep;
  world.worldbody.plane().name = "ground";
  for (const auto& [name, height] : {std::pair{"low", 0.1001}, {"high", 3.0}}) {
    BodyDesc& body = world.body(name, {0, 0, height});
    body.free();
    body.box({0.1, 0.1, 0.1}).mass = 1;
  }
  return world;
}

struct Phases {
  bool stopped_by_impulse = false;  // at first contact
  double impulses_pressed = 0;      // steps with one, while the cube is pressed
  double fastest = 0;               // m/s: down, while it is pressed
  bool woken = false;               // both pairs have impulses as the third body hits
  std::vector<Vec2> phase;          // over time
};

Phases run(const ContactSettings& settings, double force) {
  const Model model = compile(cube_below_cube());
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  Phases out;
  const auto pairs = [&] { return state.contacts.pairs(); };
  const auto step = [&] {
    simulator.step(state, input);
    const double y = pairs().empty() ? 0 : static_cast<double>(pairs()[0].phase);
    out.phase.emplace_back(state.time, y + (!pairs().empty() && pairs()[0].branch == 1 ? -1 : 0));
  };
  for (int i = 0; i < 100 && pairs().empty(); ++i) step();
  out.stopped_by_impulse = !pairs().empty() && pairs()[0].branch == 1;
  input.wrench[1].head<3>() = Vec3(0, 0, -force);
  for (int i = 0; i < kPressed; ++i) {
    step();
    out.impulses_pressed += !pairs().empty() && pairs()[0].branch == 1;
    out.fastest = std::max(out.fastest, -state.v[2]);
  }
  input.wrench[1].head<3>().setZero();
  for (int i = 0; i < 1000 && !out.woken; ++i) {
    step();
    out.woken = pairs().size() == 2 && pairs()[0].branch == 1 && pairs()[1].branch == 1;
  }
  return out;
}

}  // namespace

Outcome contact_phases(const Progress&) {
  Outcome outcome;
  ContactSettings settings;
  settings.model = "multipoint";
  double stopped = 0, pressed = 0, woken = 0, fastest = 0;
  Graph graph{"Fig. 2: phase of the cube and the ground", "time", "s",
              "0 apart, 1 impacting, 2 resting",          "",     {}};
  for (const double force : kForces) {
    Phases p = run(settings, force);
    stopped += p.stopped_by_impulse;
    pressed += p.impulses_pressed;
    woken += p.woken;
    fastest = std::max(fastest, p.fastest);
    graph.curves.push_back({fmt::format("pressed by {} N", force), std::move(p.phase)});
  }
  outcome.graphs.push_back(std::move(graph));
  Check check;
  check.id = "D-T13";
  check.statement =
      "falling on the ground a cube is stopped by an impulse (of 3 runs); pressed down hard it "
      "gets "
      "none (steps with one; fastest, m/s); hit by a third body, both pairs get impulses (of 3 "
      "runs)";
  const bool holds = stopped == 3 && pressed == 0 && woken == 3 && fastest > 0;
  check.paper =
      as_printed(std::string("after two bodies are in resting contact, the impact method "
                             "can only be triggered by a third body impacting one of the two"),
                 holds, "impulses come or do not come where the diagram says otherwise");
  check.expected = "3; 0, > 0; 3";
  check.measured = std::vector<double>{stopped, pressed, fastest, woken};
  check.pass = holds;
  check.settings = fmt::format(
      "{} --step 0.001; cubes of 0.2 m and 1 kg, the second falls from 3 m; pressed by 20, 100, "
      "500 N "
      "for 0.5 s",
      flags_of(settings));
  outcome.checks.push_back(std::move(check));
  return outcome;
}

}  // namespace abut::reproduce
