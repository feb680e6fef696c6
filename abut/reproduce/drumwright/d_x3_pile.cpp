// D-X3, Fig. 13 of Drumwright: boxes, cylinders and spheres of many sizes and masses fall into a
// bin, and come to rest against each other and its walls.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/dynamics/energy.h"
#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_worlds.h"
#include "abut/reproduce/watch.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr int kSteps = 5000, kMostSteps = 8000, kSecond = 1000;
constexpr unsigned kSeeds = 3;

struct Pile {
  double peak = 0, last = 0;    // J: kinetic, largest ever, largest of the last second
  double deepest = 0, end = 0;  // m: penetration in the last second, at the end
  double answer = 0;            // m: by a push of 1e-3 m/s in the next step, along x, y or z
  int outside = 0;
  std::vector<double> kinetic;
};

Drawing picture(const Model& model, const Derived& d, const Collider& collider) {
  Drawing drawing;
  drawing.title = "Fig. 13: the pile at rest";
  drawing.notes = {"without its bin; curved solids are inscribed polyhedra"};
  drawing.eye = {1, -2.4, 1.4};
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g)
    if (model.bodies[static_cast<std::size_t>(model.geoms[static_cast<std::size_t>(g)].body)]
            .link >= 0)
      drawing.solids.push_back(
          {transformed(*collider.solids()[g].tessellation, geom_pose(model, d, g)),
           g % 3 == 0   ? Role::a
           : g % 3 == 1 ? Role::b
                        : Role::volume,
           ""});
  return drawing;
}

}  // namespace

Outcome pile(const Progress& progress) {
  Outcome outcome;
  Graph graph{"Kinetic energy of the pile", "step", "", "log10 of kinetic energy", "J", {}};
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Model model = compile(pile_of_shapes(seed));
    ContactSettings settings;
    settings.model = "multipoint";
    Simulator simulator(model, settings);
    State state(model);
    const Input input(model);
    Watch watch(model);
    Derived d(model);
    Pile run;
    Graph::Curve line{fmt::format("seed {}", seed), {}};
    // a thing that was left standing on its edge falls when it falls: then the pile gets a second
    // more
    int steps = kSteps;
    for (int i = 0; i < steps; ++i) {
      if (progress && i % 500 == 0)
        progress((seed - 1 + std::min(1.0, static_cast<double>(i) / kSteps)) / kSeeds);
      simulator.step(state, input);
      positions(model, state, input, d);
      velocities(model, state, d);
      const double kinetic = energy(model, state, d).kinetic;
      run.peak = std::max(run.peak, kinetic);
      if (i % 25 == 0) line.points.emplace_back(i, std::log10(std::max(kinetic, 1e-12)));
      if (i < steps - kSecond) continue;
      run.last = std::max(run.last, kinetic);
      if (i % 50 == 0) run.deepest = std::max(run.deepest, watch.overlap(state, input));
      if (i == steps - 1 && run.last >= 1e-3 * run.peak && steps < kMostSteps) {
        steps += kSecond;
        run.last = 0;
      }
    }
    run.end = watch.overlap(state, input);
    for (int b = 0; b < kPileBodies; ++b) {
      const double* p = &state.q[static_cast<std::size_t>(7 * b)];
      run.outside += std::abs(p[0]) > kPileBin || std::abs(p[1]) > kPileBin || p[2] < 0 || p[2] > 2;
    }
    // dampers of about m / h stop a push in the step, and along one direction may do so almost
    // wholly; not along all three, each of which meets another mass
    State still = state;
    simulator.step(still, input);
    for (const std::size_t k : {0, 1, 2}) {
      State pushed = state;
      pushed.v[k] += 1e-3;
      simulator.step(pushed, input);
      run.answer = std::max(
          run.answer,
          std::hypot(pushed.q[0] - still.q[0], pushed.q[1] - still.q[1], pushed.q[2] - still.q[2]));
    }
    if (seed == 1) outcome.drawings.push_back(picture(model, d, simulator.contact().collider()));
    graph.curves.push_back(std::move(line));

    Check check;
    check.id = "D-T6";
    check.claim = fmt::format(
        "seed {}: largest kinetic energy of the last second, of its peak; things outside; deepest "
        "(of the least size); largest answer to 1e-3 m/s along x, y, z in the next step (m); when "
        "(s)",
        seed);
    check.paper = std::string("the pile is in a steady configuration");
    check.expected = "< 1e-3, 0, < 0.1, > 1e-7, 5 or, if something fell late, up to 8";
    check.measured =
        std::vector<double>{run.last / run.peak, double(run.outside), run.deepest / kPileSmallest,
                            run.answer, double(steps) / kSecond};
    check.pass = run.last < 1e-3 * run.peak && run.outside == 0 &&
                 run.deepest < 0.1 * kPileSmallest && run.answer > 1e-7;
    check.settings = fmt::format(
        "{} things, 4 boxes, 4 cylinders, 4 spheres of 0.16 to 0.32 m, masses in (0, 100] kg, "
        "friction 0.5, default gains, euler, h 1 ms",
        kPileBodies);
    if (seed == 1) check.world = "multipoint/pile";
    outcome.checks.push_back(std::move(check));
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
