// D-X3, Fig. 13 of Drumwright: boxes, cylinders and spheres of many sizes and masses fall into a
// bin, and come to rest against each other and its walls. With abut's own gains, and with those of
// the paper (III-C).
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
  int steps = 0;
  Graph::Curve kinetic;
  Drawing picture;

  double calm() const { return last / peak; }
  bool steady() const { return calm() < 1e-3 && outside == 0; }
};

Drawing picture(const Model& model, const Derived& d, const Collider& collider,
                const std::string& what) {
  Drawing drawing;
  drawing.title = "Fig. 13: the pile at rest, " + what;
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

// Dampers of about m / h stop a push in the step, and along one direction may do so almost wholly;
// not along all three, each of which meets another mass.
double answer_to_pushes(Simulator& simulator, const State& state, const Input& input) {
  double answer = 0;
  State still = state;
  simulator.step(still, input);
  for (const std::size_t k : {0, 1, 2}) {
    State pushed = state;
    pushed.v[k] += 1e-3;
    simulator.step(pushed, input);
    answer = std::max(answer, std::hypot(pushed.q[0] - still.q[0], pushed.q[1] - still.q[1],
                                         pushed.q[2] - still.q[2]));
  }
  return answer;
}

// A thing that was left standing on its edge falls when it falls: then the pile gets a second more.
Pile settle(const World& world, const std::string& name, const Progress& progress) {
  const Model model = compile(world);
  ContactSettings settings = contact_settings(model);
  settings.model = "multipoint";
  Simulator simulator(model, settings);
  State state(model);
  const Input input(model);
  Watch watch(model);
  Derived d(model);
  Pile run;
  run.kinetic.name = name;
  run.steps = kSteps;
  for (int i = 0; i < run.steps; ++i) {
    if (progress && i % 500 == 0) progress(std::min(1.0, static_cast<double>(i) / kSteps));
    simulator.step(state, input);
    positions(model, state, input, d);
    velocities(model, state, d);
    const double kinetic = energy(model, state, d).kinetic;
    run.peak = std::max(run.peak, kinetic);
    if (i % 25 == 0) run.kinetic.points.emplace_back(i, std::log10(std::max(kinetic, 1e-12)));
    if (i < run.steps - kSecond) continue;
    run.last = std::max(run.last, kinetic);
    if (i % 50 == 0) run.deepest = std::max(run.deepest, watch.overlap(state, input));
    if (i == run.steps - 1 && run.last >= 1e-3 * run.peak && run.steps < kMostSteps) {
      run.steps += kSecond;
      run.last = 0;
    }
  }
  run.end = watch.overlap(state, input);
  for (int b = 0; b < kPileBodies; ++b) {
    const double* p = &state.q[static_cast<std::size_t>(7 * b)];
    run.outside += std::abs(p[0]) > kPileBin || std::abs(p[1]) > kPileBin || p[2] < 0 || p[2] > 2;
  }
  run.answer = answer_to_pushes(simulator, state, input);
  run.picture = picture(model, d, simulator.contact().collider(), name);
  return run;
}

std::string scene(const char* more) {
  return fmt::format(
      "--contact multipoint --step 0.001 --time 5{}; {} things, 4 boxes, 4 cylinders, 4 spheres of "
      "0.16 to 0.32 m, masses in (0, 100] kg, friction 0.5",
      more, kPileBodies);
}

Check ours(unsigned seed, const Pile& run) {
  Check check;
  check.id = "D-T6";
  check.statement = fmt::format(
      "seed {}: largest kinetic energy of the last second, of its peak; things outside; deepest "
      "(of the least size); largest answer to 1e-3 m/s along x, y, z in the next step (m); when "
      "(s)",
      seed);
  check.paper = if_changed(std::string("the pile is in a steady configuration"), run.steady(),
                           "with gains that follow the step and the load, area weights and euler; "
                           "D-T19 has the paper's");
  check.expected = "< 1e-3, 0, < 0.1, > 1e-7, 5 or, if something fell late, up to 8";
  check.measured = std::vector<double>{run.calm(), double(run.outside), run.deepest / kPileSmallest,
                                       run.answer, double(run.steps) / kSecond};
  check.pass = run.steady() && run.deepest < 0.1 * kPileSmallest && run.answer > 1e-7;
  check.settings = scene("");
  if (seed == 1) check.world = "multipoint/pile";
  return check;
}

// The paper's gains, and one of the two readings that D-X2 needs.
Check with_paper_gains(const char* share, const Pile& run) {
  const bool printed = share == std::string("count");
  Check check;
  check.id = "D-T19";
  check.statement = fmt::format(
      "the paper's gains and integrator, {}: largest kinetic energy of the last second, of its "
      "peak; "
      "things outside; deepest (m), of the least size",
      printed ? "forces divided by the number of points as (3) has it" : "forces not divided");
  // at rest by itself a body is m g / (113 m) = 0.087 m deep, whatever it weighs
  const char* why =
      "gains of 100 (m1 + m2) N/m let every body sink by g / (100 + 2 / 0.15) = 0.087 m under its "
      "own "
      "weight, and more under others': things of 0.16 m lie in each other; sizes are not printed, "
      "and "
      "things of a metre would hide it";
  const Value said = std::string("the pile is in a steady configuration");
  check.paper = printed
                    ? as_printed(said, run.steady(), why)
                    : if_changed(said, run.steady(),
                                 "forces are not divided by the number of points, which D-X2 needs "
                                 "as well: so he may have done");
  check.expected = "reported";
  check.measured = std::vector<double>{run.calm(), double(run.outside), run.deepest,
                                       run.deepest / kPileSmallest};
  check.settings = scene(
      fmt::format(" --integrator rk4 --set multipoint.gains=paper --set multipoint.share={}", share)
          .c_str());
  check.world = "multipoint/pile";
  return check;
}

}  // namespace

Outcome pile(const Progress& progress) {
  Outcome outcome;
  constexpr double kRuns = kSeeds + 2;
  double done = 0;
  const auto part = [&](double share) {
    if (progress) progress((done + share) / kRuns);
  };
  Graph graph{"Kinetic energy of the pile", "step", "", "log10 of kinetic energy", "J", {}};
  for (unsigned seed = 1; seed <= kSeeds; ++seed, ++done) {
    Pile run = settle(pile_of_shapes(seed), fmt::format("seed {}", seed), part);
    outcome.checks.push_back(ours(seed, run));
    graph.curves.push_back(std::move(run.kinetic));
    if (seed == 1) outcome.drawings.push_back(std::move(run.picture));
  }
  for (const char* share : {"count", "none"}) {
    World world = pile_of_shapes(1);
    world.option.integrator = Integrator::rk4;
    world.texts.push_back({"abut.multipoint.gains", "paper", {}});
    world.texts.push_back({"abut.multipoint.share", share, {}});
    Pile run = settle(world, fmt::format("paper's gains, share {}", share), part);
    outcome.checks.push_back(with_paper_gains(share, run));
    graph.curves.push_back(std::move(run.kinetic));
    outcome.drawings.push_back(std::move(run.picture));
    ++done;
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
