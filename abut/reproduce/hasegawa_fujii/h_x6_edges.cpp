// H-X6: a hand drags a cube over the edges of another. What it feels is continuous: the change of
// the force from cycle to cycle has a bound that follows from the coupling.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/choose.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "abut/reproduce/all.h"

namespace abut::reproduce {
namespace {

using namespace haptic;

constexpr double kEdgesRate = 1000;  // Hz

// A fixed cube of 4 cm, and one of 1 cm in a hand that nothing turns aside. The hand presses the
// cube 2 mm into the top, drags it over an edge, presses it to a side, and drags it over an upright
// edge.
World cube_edges() {
  World world;
  world.option.gravity.setZero();
  GeomDesc& block = world.worldbody.box({0.02, 0.02, 0.02});
  BodyDesc& pointer = world.body("pointer", {0, 0, 0.027});
  pointer.free();
  GeomDesc& cube = pointer.box({0.005, 0.005, 0.005});
  cube.mass = 0.05;
  block.friction[0] = cube.friction[0] = 0.3;
  world.numerics.push_back({"abut.haptic.path",
                            {0,   0,     0,    0,       //
                             0.5, 0,     0,    -0.004,  //
                             1.5, 0.03,  0,    -0.004,  //
                             2,   0.03,  0,    -0.027,  //
                             2.5, 0.023, 0,    -0.027,  //
                             3.5, 0.023, 0.03, -0.027,  //
                             4,   0.03,  0.03, -0.027},
                            {}});
  world.numerics.push_back({"abut.haptic.turn", {0, 0, 0, 0, 1.5, 0.1, 0.15, 0.2}, {}});
  world.numerics.push_back({"abut.haptic.impedance", {1000, 600'000, 1e8, 100, 60'000, 1e7}, {}});
  return world;
}

struct Edges {
  double most = 0, jump = 0, bound = 0;  // N
  bool finite = true;
  Graph::Curve curve;
};

Edges drag(const std::string& contact) {
  Model model = compile(cube_edges());
  model.option.timestep = 1 / kEdgesRate;
  model.custom["abut.contact"].text = contact;
  const HapticSettings settings = haptic_settings(model, kEdgesRate);
  HapticCycle cycle(model, contact_settings(model), settings, State(model), Input(model));
  SimulatedDevice device(settings.path, settings.impedance);
  Edges out;
  out.curve.name = contact;
  Vec3 last = Vec3::Zero();
  double speed = 0;
  HapticLoop loop(
      cycle, device,
      {.time = 4.5, .clock = Clock::simulated, .after_step = [&](const HapticCycle& c) {
         const Vec3 force = c.asked().lin;
         out.finite = out.finite && force.allFinite() && c.asked().ang.allFinite();
         out.most = std::max(out.most, force.norm());
         out.jump = std::max(out.jump, (force - last).norm());
         last = force;
         speed = std::max({speed, c.hand().twist.lin.norm(), c.pointer().twist.lin.norm()});
         out.curve.points.emplace_back(c.state().time, force.norm());
       }});
  loop.run();
  // F = K (x_H - x_P) + B (v_H - v_P), and neither is faster than `speed`
  out.bound = (2 * settings.gains.stiffness / kEdgesRate + 4 * settings.gains.damping) * speed;
  return out;
}

}  // namespace

Outcome cube_over_edges(const Progress& progress) {
  Outcome outcome;
  Graph graph{
      "A cube dragged over edges: the force that the hand feels", "time", "s", "force", "N", {}};
  const char* models[] = {"volumetric", "multipoint", "quasirigid", "peg", "st", "fast"};
  double done = 0;
  for (const char* contact : models) {
    if (progress) progress(done);
    done += 1.0 / 6;
    Edges e = drag(contact);
    graph.curves.push_back(std::move(e.curve));
    Check check;
    check.id = "H-T12";
    check.statement = fmt::format(
        "{}: a cube dragged over the edges of another by a hand: largest change of the force in a "
        "cycle of 1 ms (N), the bound of it that follows from the coupling (N), largest force (N)",
        contact);
    check.expected = "below the bound";
    check.measured = std::vector<double>{e.jump, e.bound, e.most};
    check.pass = e.finite && e.jump <= e.bound && e.most > 0;
    check.settings = fmt::format(
        "--haptic --clock simulated --contact {}; cubes of 4 cm and 1 cm, 1000 Hz, K = 1000 N/m",
        contact);
    outcome.checks.push_back(std::move(check));
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
