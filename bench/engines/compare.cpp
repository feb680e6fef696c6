// The same scenes in abut and in other engines, one after the other, one thread each.
//
//   engines_compare --out build/bench [--scenes pile:2000 stack:10] [--contact st fast] [--seconds 60]
//
// Overlap, drift and energy are computed here, in one way for all, from the engine's poses and
// velocities; overlaps are abut's exact distances between the solids of the scene.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <fstream>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/measure.h"
#include "bench/support/engine.h"
#include "plot.h"
#include "scene.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kFalling = 240, kWindow = 240;  // steps

struct Plan {
  std::string name;
  int count = 1;
};

Plan plan_of(const std::string& word) {
  const std::size_t colon = word.find(':');
  return {word.substr(0, colon),
          colon == std::string::npos ? 1 : std::stoi(word.substr(colon + 1))};
}

struct Verdict {
  double mean = 0, most = 0;  // m: overlap of pairs that touch
  double drift = 0;           // m: the worst solid, from the start, or in the window where it fell
  double kinetic = 0;         // J
};

double kinetic(const Solid& s, const json& m) {
  const auto x = m.get<std::vector<double>>();
  const abut::Vec3 v(x[7], x[8], x[9]),
      w = abut::Quat(x[3], x[4], x[5], x[6]).normalized().conjugate() *
          abut::Vec3(x[10], x[11], x[12]);
  const abut::Vec3 inertia(s.inertia[0], s.inertia[1], s.inertia[2]);
  return 0.5 * (s.mass * v.squaredNorm() + w.dot(inertia.cwiseProduct(w)));
}

double drift_of(const EngineScene& scene, const Solid& s, const json& before, const json& after) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double from = scene.falls ? before.at(k).get<double>() : s.position[k];
    sum += std::pow(after.at(k).get<double>() - from, 2);
  }
  return std::sqrt(sum);
}

Verdict judge(const EngineScene& scene, const json& answer) {
  const abut::Model model = abut::compile(abut::parse_mjcf(as_mjcf(scene)));
  abut::State state(model);
  const json &before = answer.at("before"), &after = answer.at("after");
  Verdict out;
  std::size_t i = 0;
  for (const Solid& s : scene.solids) {
    if (s.mass == 0) continue;
    for (std::size_t k = 0; k < 7; ++k) state.q[7 * i + k] = after.at(i).at(k);
    out.drift = std::max(out.drift, drift_of(scene, s, before.at(i), after.at(i)));
    out.kinetic += kinetic(s, after.at(i));
    ++i;
  }
  abut::Measure measure(model);
  const abut::Overlap overlap = measure.sample(state, abut::Input(model)).overlap;
  out.mean = overlap.mean();
  out.most = overlap.deepest;
  return out;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

class Race {
 public:
  Race(const fs::path& out, double seconds, unsigned seed)
      : csv_(out / "engines.csv"), seconds_(seconds), seed_(seed) {
    if (!csv_) throw std::runtime_error("can't write " + (out / "engines.csv").string());
    csv_ << fmt::format("# {}, GCC {}, one thread, seed {}\n", processor(), __VERSION__, seed)
         << "scene,engine,method,steps,asked,falling_ms,settled_ms,ratio_to_bullet,mean_m,max_m,"
            "drift_m,"
            "kinetic_J,hash\n";
  }
  void run(const Plan& plan, std::vector<Engine>& engines) {
    const EngineScene scene = make_engine_scene(plan.name, plan.count, seed_);
    fmt::print(
        "\n### {}\n\n| engine | falling ms | settled ms | of Bullet | overlap mean (m) | max (m) | "
        "drift (m) | kinetic (J) | state |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
        scene.name);
    bullet_ = 0;
    for (Engine& engine : engines) {
      if (!engine.process) continue;
      const json methods = ask(engine, "methods").at("methods");
      for (std::size_t m = 0; m < methods.size(); ++m) one(plan, scene, engine, m, methods[m]);
    }
  }
  const std::vector<PlotPoint>& points() const { return points_; }

 private:
  void one(const Plan& plan, const EngineScene& scene, Engine& engine, std::size_t m,
           const std::string& method) {
    const int asked = scene.steps;
    const json a = ask(engine, fmt::format("run {} {} {} {} {} {} {} {}", m, asked, kFalling,
                                           kWindow, seconds_, seed_, plan.count, plan.name));
    const std::string name = fmt::format("{} {}", engine.name, method);
    if (a.contains("refused")) {
      fmt::print("| {} | refused: {} |\n", name, a["refused"].get<std::string>());
      return;
    }
    const Verdict v = judge(scene, a);
    const double settled = a.at("settled_ms"), falling = a.at("falling_ms");
    const int steps = a.at("steps");
    const bool late = steps < asked;
    if (engine.name.starts_with("Bullet") && !late) bullet_ = settled;
    const std::string ratio = bullet_ > 0 && !late ? fmt::format("{:.3f}", settled / bullet_) : "";
    const std::string hash = a.at("hash");
    // an engine that was cut off has neither settled nor a window to drift in
    const std::string still = late ? "" : fmt::format("{:.4g}", settled),
                      drift = late ? "" : fmt::format("{:.3g}", v.drift);
    fmt::print("| {} | {:.4g} | {} | {} | {:.2e} | {:.2e} | {} | {:.2e} | {} |\n", name, falling,
               still, ratio, v.mean, v.most, drift, v.kinetic,
               late ? fmt::format("out of time after {} of {} steps", steps, asked) : hash);
    std::fflush(stdout);
    csv_ << fmt::format("{},{},{},{},{},{:.4g},{},{},{:.3g},{:.3g},{},{:.3g},{}\n", scene.name,
                        engine.name, method, steps, asked, falling, still, ratio, v.mean, v.most,
                        drift, v.kinetic, hash)
         << std::flush;
    if (!late) points_.push_back({name, scene.name, settled, v.mean});
  }

  std::ofstream csv_;
  double seconds_;
  unsigned seed_;
  double bullet_ = 0;  // ms: of the scene
  std::vector<PlotPoint> points_;
};

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"The same scenes in abut and in other engines"};
  fs::path out = "build/bench";
  std::vector<std::string> scenes{
      "pile:100",   "pile:200", "pile:500", "pile:2000",  "messy:200", "messy:500", "messy:2000",
      "hulls:1000", "stack:10", "heavy:10", "pyramid:20", "incline",   "arch:101"};
  std::vector<std::string> models{"st"};
  double seconds = 60;
  unsigned seed = 1;
  app.add_option("--out", out, "folder for engines.csv and engines.svg");
  app.add_option("--scenes", scenes, "NAME:COUNT ..");
  app.add_option("--contact", models, "contact models of abut");
  app.add_option("--seconds", seconds, "for each engine and scene; who needs longer is cut off");
  app.add_option("--seed", seed, "of the piles");
  CLI11_PARSE(app, argc, argv);

  const fs::path programs = fs::path(argv[0]).parent_path();
  std::vector<Engine> engines;
  engines.push_back(start_native("Bullet", programs / "engines_bullet", "Bullet (libbullet-dev)"));
  engines.push_back(start_native("ODE", programs / "engines_ode", "ODE (libode-dev)"));
  std::vector<std::string> ours{(programs / "engines_abut").string()};
  ours.insert(ours.end(), models.begin(), models.end());
  engines.push_back(start("abut", ours, ""));
  print_absent(engines);
  Race race(out, seconds, seed);
  for (const std::string& word : scenes) race.run(plan_of(word), engines);
  std::ofstream(out / "engines.svg") << speed_against_overlap(race.points());
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "engines_compare: {}\n", e.what());
  return 1;
}
