#include "fuzz/targets.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>

#include "abut/haptic/device/hand_check.h"
#include "abut/haptic/device/hand_message.h"
#include "abut/haptic/device/haply_messages.h"
#include "abut/haptic/device/packet.h"
#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/load/urdf/urdf.h"
#include "abut/math/file_error.h"
#include "abut/model/state.h"
#include "abut/simulate/simulator.h"
#include "abut/solve/fclib/problem_formats.h"
#include "abut/solve/solver.h"
#include "abut/sweep/plan.h"
#include "abut/view/live/session.h"
#include "support/tree.h"

namespace abut::fuzz {

namespace {

namespace fs = std::filesystem;

// Worlds above these sizes are loaded and not run.
constexpr int kMostBodies = 40, kMostGeoms = 60, kSteps = 2;
constexpr int kMostRows = 60, kMostIterations = 200;
constexpr int kCommandsOfASession = 100;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> files_of(std::string_view folder, std::string_view ending) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(test::in_tree(folder)))
    if (entry.is_regular_file() && entry.path().extension() == ending)
      out.push_back(content(entry.path()));
  std::sort(out.begin(), out.end());
  return out;
}

// A file with these bytes, in a folder of this process.
fs::path file_with(std::string_view bytes, const std::string& name) {
  static const fs::path folder = [] {
    const fs::path path =
        fs::temp_directory_path() / ("abut-fuzz-" + std::to_string(static_cast<long>(::getpid())));
    fs::create_directories(path);
    return path;
  }();
  std::ofstream(folder / name, std::ios::binary) << bytes;
  return folder / name;
}

void run_some_steps(const Model& model) {
  if (model.nbody() > kMostBodies || std::ssize(model.geoms) > kMostGeoms) return;
  Simulator simulator(model);
  State state(model);
  const Input input(model);
  for (int i = 0; i < kSteps; ++i) simulator.step(state, input);
}

template <class Load>
bool use_world(Load&& load) {
  try {
    run_some_steps(compile(load()));
    return true;
  } catch (const WorldError&) {
    return false;
  }
}

bool mjcf(std::string_view bytes) {
  return use_world(
      [&] { return parse_mjcf(bytes, "fuzz.xml", test::in_tree("/tests/data/mjcf")); });
}

bool urdf(std::string_view bytes) {
  return use_world(
      [&] { return parse_urdf(bytes, "fuzz.urdf", test::in_tree("/tests/data/urdf")); });
}

bool mesh(std::string_view bytes, const std::string& name) {
  const fs::path file = file_with(bytes, name);
  return use_world([&] {
    return parse_mjcf(
        "<mujoco><asset><mesh name='m' file='" + name +
            "'/></asset><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/>"
            "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
        "fuzz.xml", file.parent_path());
  });
}
bool obj(std::string_view bytes) { return mesh(bytes, "mesh.obj"); }
bool stl(std::string_view bytes) { return mesh(bytes, "mesh.stl"); }

const Model& pendulum() {
  static const Model model = load_model(test::in_tree("/worlds/double_pendulum.xml"));
  return model;
}

bool state(std::string_view bytes) {
  State state(pendulum());
  Input input(pendulum());
  try {
    load_state(pendulum(), file_with(bytes, "fuzz.state"), state, input);
  } catch (const StateError&) {
    return false;
  }
  Simulator(pendulum()).step(state, input);
  return true;
}

std::vector<std::string> state_seeds() {
  const fs::path file = file_with({}, "seed.state");
  State state(pendulum());
  const Input input(pendulum());
  Simulator(pendulum()).step(state, input);
  save_state(pendulum(), state, input, file);
  return {content(file)};
}

bool problem(std::string_view bytes) {
  ProblemFile file;
  try {
    file = read_problem(file_with(bytes, "problem.json"));
  } catch (const FileError&) {
    return false;
  }
  if (file.problem.size() > kMostRows) return true;
  Answer answer;
  const auto solver = make_solver("auto");
  solver->options.most_iterations = kMostIterations;
  solver->solve(file.problem, answer);
  return true;
}

// A message of a page, to a session that has had up to a hundred others.
bool command(std::string_view bytes) {
  static std::unique_ptr<view::Session> session;
  static int taken = 0;
  if (!session || taken == kCommandsOfASession) {
    view::SessionSettings settings{.world = load_world(test::in_tree("/worlds/drop.xml")),
                                   .build = [](const World& world) { return compile(world); }};
    session = std::make_unique<view::Session>(std::move(settings));
    taken = 0;
  }
  try {
    const view::Command c = view::parse_command(bytes);
    session->apply(c);
  } catch (const view::CommandError&) {
    return false;
  }
  session->step();
  ++taken;
  return true;
}

std::vector<std::string> command_seeds() {
  return {
      R"({"do": "grab", "body": 1, "point": [0, 0, 0.1], "target": [0.2, 0, 1]})",
      R"({"do": "twist", "body": 1, "turn": [0, 0, 1]})",
      R"({"do": "throw", "position": [0, 0, 2], "velocity": [0, 0, -3], "size": 0.1})",
      R"({"do": "push", "point": [0, 0, 0.2], "radius": 0.3})",
      R"({"do": "step", "n": 3})",
      R"({"do": "back", "n": 2})",
      R"({"do": "seek", "step": 1})",
      R"({"do": "contact", "lane": 0, "value": "deepest"})",
      R"({"do": "friction", "lane": 0, "value": "pyramid"})",
      R"({"do": "stabilize", "lane": 0, "value": "none"})",
      R"({"do": "timestep", "value": 0.002})",
      R"({"do": "lanes", "contact": ["st", "ap"]})",
      R"({"do": "reset"})",
      R"({"do": "undo"})",
      R"({"do": "release"})",
  };
}

// What a device may send, in each of the protocols. A hand that the check lets by is one.
bool hand(std::string_view bytes) {
  haptic::HandPacket packet;
  haptic::HandMessage message;
  haptic::HandSample sample;
  std::string device;
  if (haptic::decode(std::as_bytes(std::span(bytes)), packet))
    sample = packet.sample;
  else if (haptic::why_no_hand(bytes, message).empty())
    sample = message.sample;
  else if (!haptic::read_haply(bytes, device, sample))
    return false;
  if (haptic::HandCheck().look(sample, 0.001) == haptic::HandCheck::Verdict::refused) return false;
  if (!sample.pose.p.allFinite() || !sample.linear_velocity.allFinite() ||
      !sample.angular_velocity.allFinite() || !sample.pose.q.coeffs().allFinite())
    throw std::runtime_error("a hand that is not finite");
  return true;
}

std::vector<std::string> hand_seeds() {
  haptic::HandPacket packet;
  packet.sample.pose.p = {0.01, 0.02, 0.03};
  const auto bytes = haptic::encoded(packet);
  return {
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
      R"({"abut": "hand", "version": 1, "sequence": 7, "position": [0, 0, 0.1], "buttons": 0,
          "quaternion": [1, 0, 0, 0], "linear_velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]})",
      R"({"inverse3": [{"device_id": "1", "state": {"cursor_position": {"x": 0, "y": 0, "z": 0.2},
          "cursor_velocity": {"x": 0, "y": 0.1, "z": 0}}}]})"};
}

bool sweep_file(std::string_view bytes) {
  const auto any_world = [](const std::string&, const fs::path&) {
    return fs::path(test::in_tree("/worlds/pendulum.xml"));
  };
  try {
    const SweepPlan plan = read_sweep(file_with(bytes, "sweep.toml"), any_world);
    if (plan.runs() > 0) values_of(plan, plan.runs() - 1);
  } catch (const SweepError&) {
    return false;
  }
  return true;
}

std::vector<std::string> sweep_seeds() {
  return {"world = 'pendulum'\nruns = 20\nset.time = 1\n[random]\nv = {uniform = [-2, 2]}\n",
          "world = 'pendulum'\nseed = 7\nmeasure = ['energy.kinetic']\n[set]\ntime = 1.5\n"
          "gravity = [0, 0, -9.81]\n[grid]\ncontact = ['st', 'ap']\n"
          "step = {from = 0.0005, to = 0.004, count = 4, log = true}\n[random]\n"
          "geom.bob.friction = {integer = [1, 9]}\nbody.bob.quat = {rotation = true}\n"};
}

std::vector<std::string> mjcf_seeds() {
  std::vector<std::string> seeds = files_of("/tests/data/mjcf", ".xml");
  for (std::string& world : files_of("/worlds", ".xml"))
    if (world.size() < 6000) seeds.push_back(std::move(world));
  return seeds;
}
std::vector<std::string> urdf_seeds() { return files_of("/tests/data/urdf", ".urdf"); }
std::vector<std::string> obj_seeds() { return files_of("/tests/data/load", ".obj"); }
std::vector<std::string> stl_seeds() { return files_of("/tests/data/load", ".stl"); }
std::vector<std::string> problem_seeds() {
  std::vector<std::string> seeds = files_of("/tests/data/contact_problems", ".json");
  std::erase_if(seeds, [](const std::string& s) { return s.size() > 20000; });
  return seeds;
}

constexpr Target kTargets[] = {
    {"mjcf", mjcf, mjcf_seeds},
    {"urdf", urdf, urdf_seeds},
    {"obj", obj, obj_seeds},
    {"stl", stl, stl_seeds},
    {"state", state, state_seeds},
    {"problem", problem, problem_seeds},
    {"command", command, command_seeds},
    {"hand", hand, hand_seeds},
    {"sweep", sweep_file, sweep_seeds},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* target(std::string_view name) {
  for (const Target& t : kTargets)
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace abut::fuzz
