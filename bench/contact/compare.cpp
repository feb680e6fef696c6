// Boxes on a floor, and a robot, the same for every engine: how fast a step is, and how well it
// stands.
//
//   contact_compare --out build/bench [--rounds 1] [--time 2]
//
// Overlap and creep are measured here, in one way for all, from the poses at the end: the
// deepest pair by exact distances, and how far the worst box went. The robot is
// worlds/humanoid.xml at its keyframe "home", held by servos; the engines that read MJCF run it as
// it is. ODE and Debian's libdart-dev read none of it, and are not in that race.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "abut/collide/proximity/proximity.h"
#include "abut/collide/solid/convex.h"
#include "abut/load/load.h"
#include "abut/math/transform.h"
#include "abut/shape/primitives.h"
#include "abut/simulate/measure.h"
#include "bench/support/engine.h"
#include "participant.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kStep = 1.0 / 240;   // s
constexpr double kMostSeconds = 1.5;  // of a turn: some take a second a step

struct Scene {
  std::string name;
  std::vector<Boxes::Box> boxes;
  fs::path world = {};  // instead of boxes
};

Scene stack(int count, double top_mass) {
  Scene s{fmt::format("stack of {}{}", count, top_mass == 1 ? "" : ", top 100 times as heavy"), {}};
  for (int i = 0; i < count; ++i)
    s.boxes.push_back({{0.5, 0.5, 0.5}, {0, 0, i + 0.5}, i + 1 == count ? top_mass : 1});
  return s;
}

Scene pyramid(int rows) {
  Scene s{"", {}};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < rows - r; ++c)
      s.boxes.push_back({{0.5, 0.5, 0.5}, {1.05 * (c - 0.5 * (rows - r - 1)), 0, r + 0.5}, 1});
  s.name = fmt::format("pyramid of {}", s.boxes.size());
  return s;
}

void write(const Scene& scene, const fs::path& file) {
  std::ofstream out(file);
  out << fmt::format("{:.17g} 0.5 {}\n", kStep, scene.boxes.size());
  for (const Boxes::Box& b : scene.boxes)
    out << fmt::format("{} {} {} {} {} {} {}\n", b.half[0], b.half[1], b.half[2], b.position[0],
                       b.position[1], b.position[2], b.mass);
}

struct Stood {
  double overlap = 0;  // m: the deepest pair
  double creep = 0;    // m: the worst box
};

Stood judge(const Scene& scene, const json& poses) {
  Stood s;
  abut::ConvexSet solids;
  std::vector<abut::Pose> X;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    const Boxes::Box& b = scene.boxes[i];
    solids.add(abut::box_polyhedron({b.half[0], b.half[1], b.half[2]}));
    const auto p = poses.at(i).get<std::vector<double>>();
    X.push_back({{p[0], p[1], p[2]}, abut::Quat(p[3], p[4], p[5], p[6]).normalized()});
    const abut::Vec3 start(b.position[0], b.position[1], b.position[2]);
    s.creep = std::max(s.creep, (X[i].p - start).norm());
    for (const abut::Vec3& v : solids[static_cast<int>(i)].polyhedron->vertices)
      s.overlap = std::max(s.overlap, -(X[i] * v).z());
  }
  for (std::size_t i = 0; i < X.size(); ++i)
    for (std::size_t j = i + 1; j < X.size(); ++j)
      if ((X[i].p - X[j].p).norm() < 2)
        s.overlap =
            std::max(s.overlap, -abut::proximity(solids[static_cast<int>(i)],
                                                 solids[static_cast<int>(j)], relative(X[i], X[j]))
                                     .distance);
  return s;
}

// The robot: the deepest pair, and how far its base went from the keyframe (its arms sag on their
// servos, which is no creep).
Stood judge_world(const fs::path& file, const std::vector<double>& q) {
  const abut::Model model = abut::load_model(file);
  abut::State state(model);
  abut::Input input(model);
  abut::set_keyframe(model, model.find_keyframe("home"), state, &input);
  abut::Measure measure(model);
  measure.sample(state, input);
  const std::vector<abut::Pose> start = measure.derived().body_pose;
  state.q = q;
  Stood s;
  s.overlap = measure.sample(state, input).overlap.deepest;
  for (std::size_t b = 1; b < start.size(); ++b)
    if (model.bodies[b].parent == 0)
      s.creep = std::max(s.creep, (measure.derived().body_pose[b].p - start[b].p).norm());
  return s;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("boxes on a floor: abut and its peers");
  fs::path out = "build/bench";
  int rounds = 1;
  double seconds = 2;
  app.add_option("--out", out, "folder for the numbers");
  app.add_option("--rounds", rounds, "turns each engine takes")->check(CLI::PositiveNumber);
  app.add_option("--time", seconds, "simulated seconds of a run (s)")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  const fs::path programs = fs::path(argv[0]).parent_path();
  std::vector<Engine> engines;
  engines.push_back(start_native("abut", programs / "contact_abut", "abut"));
  engines.push_back(start_native("MuJoCo", programs / "contact_mujoco", "MuJoCo (libmujoco-dev)"));
  engines.push_back(start_native("ODE", programs / "contact_ode", "ODE (libode-dev)"));
  engines.push_back(start_native("DART", programs / "contact_dart", "DART (libdart-dev)"));
  print_absent(engines);

  fs::create_directories(out);
  std::ofstream csv(out / "contact.csv");
  csv << "scene,engine,method,us,overlap_m,creep_m\n";
  const Scene humanoid{"humanoid standing", {}, ABUT_WORLDS "/humanoid.xml"};
  for (const Scene& scene : {stack(10, 1), stack(10, 100), pyramid(10), pyramid(20), humanoid}) {
    const bool robot = !scene.world.empty();
    const fs::path file = robot ? scene.world : fs::absolute(out / "boxes.txt");
    if (!robot) write(scene, file);
    const double step = robot ? abut::load_model(file).option.timestep : kStep;
    const int steps = static_cast<int>(std::lround(seconds / step));
    fmt::print(
        "\n### {}, {:.3g} s at {:.3g} s a step\n\n| engine | us a step | steps | overlap (m) | "
        "creep "
        "(m) | abut is |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        scene.name, seconds, step);
    double ours = 0;
    for (Engine& engine : engines) {
      if (!engine.process) continue;
      const json methods = ask(engine, fmt::format("load {}", file.string())).at("methods");
      for (std::size_t m = 0; m < methods.size(); ++m) {
        std::vector<double> us;
        Stood stood;
        int taken = 0;
        for (int r = 0; r < rounds; ++r) {
          const json answer = ask(engine, fmt::format("run {} {} {}", m, steps, kMostSeconds));
          us.push_back(answer.at("us"));
          taken = answer.at("steps");
          stood = robot ? judge_world(file, answer.at("q").get<std::vector<double>>())
                        : judge(scene, answer.at("pose"));
        }
        std::nth_element(us.begin(), us.begin() + rounds / 2, us.end());
        const double median = us[static_cast<std::size_t>(rounds / 2)];
        if (ours == 0) ours = median;
        const std::string method = methods[m];
        fmt::print("| {} {} | {:.1f} | {} | {:.1e} | {:.1e} | {:.2f} x |\n", engine.name, method,
                   median, taken, stood.overlap, stood.creep, median / ours);
        std::fflush(stdout);
        csv << fmt::format("{},{},{},{:.4g},{:.3g},{:.3g}\n",
                           scene.name.substr(0, scene.name.find(',')) +
                               (scene.name.find(',') == std::string::npos ? "" : " heavy top"),
                           engine.name, method, median, stood.overlap, stood.creep);
      }
    }
  }
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "contact_compare: {}\n", e.what());
  return 1;
}
