// H-X3, Figs 11 and 12 of Hasegawa and Fujii: a cube that the hand moves pushes piled blocks, and
// bricks, at 200 Hz; the hand feels the force and torque on the cube. There is no device here: the
// hand is a script, and what it would feel is measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "abut/reproduce/all.h"
#include "abut/reproduce/hasegawa_fujii/h_worlds.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr double kStep = 0.005, kTime = 4;  // s
constexpr double kPointer = 0.15;           // m: half side of the hand's cube, for blocks of 1 m

World with_pointer(World world, const Vec3& at, double half) {
  BodyDesc& pointer = world.body("pointer", at);
  pointer.mocap = true;
  GeomDesc& cube = pointer.box(Vec3::Constant(half));
  cube.name = "pointer";
  cube.friction[0] = 0.5;
  return world;
}

World bricks() {
  World world;
  world.option.timestep = kStep;
  world.worldbody.plane().friction[0] = 0.6;
  const double x[] = {-0.25, 0, 0.25, -0.125, 0.125, 0};
  for (int i = 0; i < 6; ++i) {
    const int row = i < 3 ? 0 : i < 5 ? 1 : 2;
    BodyDesc& brick = world.body(fmt::format("brick{}", i), {x[i], 0, 0.035 + 0.0705 * row});
    brick.free();
    GeomDesc& box = brick.box({0.12, 0.06, 0.035});
    box.mass = 4;
    box.friction[0] = 0.6;
  }
  return world;
}

struct Felt {
  double most = 0, jump = 0;  // N: largest force, largest change of it in a cycle
  double balance = 0;         // N: of the wrench on the hand and that on all others, without others
  double slowest = 0;         // s of processor time, of a cycle
  bool finite = true;
  double moved = 0;  // m: farthest that a block has gone
  Graph::Curve curve;
};

// The hand goes along y by `way` and back, as 1 - cos does.
Felt feel(const World& world, const char* name, double way) {
  const Model model = compile(world);
  Simulator simulator(model, volumetric_method(FrictionKind::anchor));
  State state(model);
  Input input(model);
  const Pose start = input.mocap[0];
  const State before = state;
  const int hand = model.body_names.find("pointer");
  Felt out;
  out.curve.name = name;
  Vec3 last = Vec3::Zero();
  ContactForces forces;
  for (int i = 0; i < std::lround(kTime / kStep); ++i) {
    const double t = i * kStep, w = 2 * M_PI / kTime;
    input.mocap[0].p = start.p + Vec3(0, way / 2 * (1 - std::cos(w * t)), 0);
    input.mocap_velocity[0] << 0, way / 2 * w * std::sin(w * t), 0, 0, 0, 0;
    const std::clock_t begin = std::clock();
    simulator.step(state, input);
    simulator.contact_forces(forces);
    const Spatial on = forces.on_body(model, hand, input.mocap[0].p);
    out.slowest = std::max(out.slowest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    Vec3 on_pairs = Vec3::Zero();  // what the hand's pairs do to the others
    for (const PairForce& p : forces.pairs) {
      if (model.geoms[std::size_t(p.geom_a)].body == hand) on_pairs += p.force;
      if (model.geoms[std::size_t(p.geom_b)].body == hand) on_pairs -= p.force;
    }
    out.balance = std::max(out.balance, (on.lin + on_pairs).norm());
    out.finite = out.finite && on.lin.allFinite() && on.ang.allFinite();
    out.most = std::max(out.most, on.lin.norm());
    out.jump = std::max(out.jump, (on.lin - last).norm());
    last = on.lin;
    out.curve.points.emplace_back(t, on.lin.y());
  }
  for (std::size_t b = 0; b + 7 <= state.q.size(); b += 7)
    out.moved = std::max(out.moved, std::abs(state.q[b + 1] - before.q[b + 1]));
  return out;
}

}  // namespace

Outcome haptic_scenes(const Progress& progress) {
  Outcome outcome;
  struct Scene {
    const char* figure;
    const char* name;
    World world;
    double way;
    const char* file;
  };
  const Scene scenes[] = {
      {"Fig. 11", "four piled blocks", with_pointer(four_blocks(0.4, 1), {0, -1, 2.5}, kPointer),
       0.7, "four_blocks"},
      {"Fig. 12", "six bricks", with_pointer(bricks(), {0, -0.15, 0.176}, 0.03), 0.15,
       "six_bricks"}};
  Graph graph{"Figs 11, 12: what the hand feels", "time", "s", "force along y", "N", {}};
  double done = 0;
  for (const Scene& scene : scenes) {
    if (progress) progress(done);
    done += 0.5;
    Felt felt = feel(scene.world, scene.name, scene.way);
    graph.curves.push_back(std::move(felt.curve));
    Check check;
    check.id = "H-T5";
    check.statement = fmt::format(
        "{}, pushed by a scripted hand: largest force on it (N), largest change in a cycle (N), "
        "forces on "
        "hand and blocks together (N), a block moves by (m), slowest cycle (ms of processor time)",
        scene.name);
    const bool fast = felt.slowest < kStep;
    check.paper =
        as_printed(std::string("simulation and haptic control at 200 Hz, 6-DOF force feedback"),
                   fast && felt.finite && felt.most > 0,
                   "a cycle takes longer than 5 ms of processor time on this machine");
    check.expected = "> 0, finite, <= 1e-9 of the force, > 0.01; reported";
    check.measured =
        std::vector<double>{felt.most, felt.jump, felt.balance, felt.moved, 1e3 * felt.slowest};
    check.pass =
        felt.finite && felt.most > 0 && felt.balance <= 1e-9 * felt.most && felt.moved > 0.01;
    check.settings = fmt::format(
        "--contact volumetric --friction anchor --step 0.005 --time 4; a cube driven as `mocap`, "
        "{} m along "
        "y and back ({})",
        scene.way, scene.figure);
    check.world = scene.file;
    outcome.checks.push_back(std::move(check));
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
