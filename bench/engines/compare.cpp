// The same scenes in abut and in other engines, one after the other in one run.
//
//   engines_compare --out build/bench [--scenes pile:2000 stack:10] [--contact st fast]
//       [--threads 1 2] [--npm build/bench/npm/node_modules] [--seconds 60] [--keep]
//
// judge.h says what is made of the poses that an engine answers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "bench/support/engine.h"
#include "judge.h"
#include "plot.h"
#include "table.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kFalling = 240, kWindow = 240, kSamples = 100;

struct Plan {
  std::string name;
  int count = 1;
};

Plan plan_of(const std::string& word) {
  const std::size_t colon = word.find(':');
  return {word.substr(0, colon),
          colon == std::string::npos ? 1 : std::stoi(word.substr(colon + 1))};
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

struct Settings {
  fs::path out = "build/bench";
  std::vector<std::string> scenes{"pile:500",   "pile:2000",    "pile:8000",  "messy:500",
                                  "messy:2000", "hulls:1000",   "stack:10",   "stack:30",
                                  "heavy:10",   "heavy1000:10", "pyramid:20", "kapla:30",
                                  "arch:101",   "chain:20",     "net:8",      "incline",
                                  "mixed:3000", "ragdolls:100", "shaken:200", "hinges:10"};
  std::vector<std::string> models{"fast"}, only;
  std::vector<int> threads{1};
  fs::path npm;
  std::string npm_absent = "no --npm FOLDER was given";
  double seconds = 60;
  int steps = 0;  // 0: as many as the scene has
  unsigned seed = 1;
  bool keep = false;
};

class Race {
 public:
  explicit Race(const Settings& settings) : settings_(settings), table_(start_table(settings)) {}

  void run(const Plan& plan, std::vector<Engine>& engines) {
    scene_ = make_engine_scene(plan.name, plan.count, settings_.seed);
    if (settings_.steps > 0) scene_.steps = settings_.steps;
    const fs::path stem = settings_.out / "engines-scene";
    std::ofstream(stem.string() + ".json") << as_json(scene_);
    std::ofstream(stem.string() + ".xml") << as_mjcf(scene_);
    fmt::print(
        "\n### {}\n\n| engine | falling ms | settled ms | of Bullet | overlap mean (m) | max (m) | "
        "drift (m) | kinetic (J) | joints (m) | energy (J) | state |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
        scene_.name);
    table_.drop_scene(scene_.name);
    bullet_ = {};
    for (Engine& engine : engines) {
      if (!engine.process) continue;
      const json can = ask(engine, "methods");
      for (std::size_t m = 0; m < can.at("methods").size(); ++m)
        for (const int threads : settings_.threads)
          if (threads <= can.at("threads").get<int>()) {
            const std::string line =
                fmt::format("run {} {} {} {} {} {} {} {} {} {} {}", m, threads, scene_.steps,
                            kFalling, kWindow, kSamples, settings_.seconds, settings_.seed,
                            plan.count, plan.name, fs::absolute(stem).string());
            one({.scene = scene_.name,
                 .engine = engine.name,
                 .method = can.at("methods")[m],
                 .threads = threads,
                 .asked = scene_.steps},
                answer(engine, line));
          }
    }
  }
  const ResultTable& table() const { return table_; }

 private:
  static ResultTable start_table(const Settings& s) {
    const fs::path file = s.out / "engines.csv";
    if (!s.keep) fs::remove(file);
    ResultTable table(file);
    table.set_heading(
        fmt::format("{}; GCC {}; seed {}; falling: the mean of the first {} steps; settled: of "
                    "the last {}",
                    processor(), __VERSION__, s.seed, kFalling, kWindow));
    return table;
  }
  // One that dies is started again.
  static json answer(Engine& engine, const std::string& line) try {
    return ask(engine, line);
  } catch (const std::exception& e) {
    engine.process.emplace(engine.command);
    engine.process->answer();
    return {{"refused", "it died: " + std::string(e.what()).substr(0, 80)}};
  }
  void one(ResultRow row, const json& a) {
    try {
      if (a.contains("refused"))
        row.note = "refused: " + a["refused"].get<std::string>();
      else
        fill(row, a, judge(scene_, a));
    } catch (const std::exception& e) {
      row.note = e.what();
    }
    print(row);
    table_.add(row);
  }
  void fill(ResultRow& row, const json& a, const Verdict& v) {
    const double settled = a.at("settled_ms"), falling = a.at("falling_ms");
    row.steps = a.at("steps");
    const bool late = row.steps < row.asked;
    if (row.engine.starts_with("Bullet") && row.threads == 1)
      bullet_ = {falling, late ? 0 : settled};
    const auto ratio = [](double ms, double bullet) {
      return bullet > 0 ? fmt::format("{:.3g}", ms / bullet) : "";
    };
    row.falling_ms = fmt::format("{:.4g}", falling);
    if (row.steps >= kFalling) row.ratio_falling = ratio(falling, bullet_.falling);
    row.mean = fmt::format("{:.3g}", v.mean);
    row.most = fmt::format("{:.3g}", v.most);
    row.kinetic = fmt::format("{:.3g}", v.kinetic);
    if (!scene_.joints.empty()) row.joint = fmt::format("{:.3g}", v.joint);
    if (!scene_.collides) row.energy = fmt::format("{:.3g}", v.energy);
    row.hash = a.at("hash");
    if (row.hash.empty()) row.hash = hash_of(a.at("after"));
    if (late) {
      row.note = fmt::format("out of time after {} of {} steps", row.steps, row.asked);
    } else {
      row.settled_ms = fmt::format("{:.4g}", settled);
      row.ratio = ratio(settled, bullet_.settled);
      row.drift = fmt::format("{:.3g}", v.drift);
    }
  }
  static void print(const ResultRow& r) {
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", r.name(), r.falling_ms,
               r.settled_ms, r.ratio, r.mean, r.most, r.drift, r.kinetic, r.joint, r.energy,
               r.note.empty() ? r.hash : r.note);
    std::fflush(stdout);
  }

  const Settings& settings_;
  ResultTable table_;
  EngineScene scene_;
  struct {
    double falling = 0, settled = 0;
  } bullet_;  // ms: of the scene
};

std::vector<Engine> start_engines(const Settings& s, const fs::path& programs) {
  std::vector<Engine> engines;
  const auto wanted = [&](const std::string& name) {
    return s.only.empty() || std::find(s.only.begin(), s.only.end(), name) != s.only.end();
  };
  const auto native = [&](const std::string& name, const std::string& program,
                          const std::string& package) {
    if (wanted(name)) engines.push_back(start_native(name, programs / program, package));
  };
  const auto node = [&](const std::string& name, const std::string& script,
                        const std::string& package) {
    if (wanted(name))
      engines.push_back(start_node(name, fs::path(ABUT_ENGINES) / script, s.npm / package,
                                   s.npm.empty() ? s.npm_absent : ""));
  };
  native("Bullet", "engines_bullet", "Bullet (libbullet-dev)");
  native("ODE", "engines_ode", "ODE (libode-dev)");
  native("MuJoCo", "engines_mujoco", "MuJoCo (libmujoco-dev)");
  native("DART", "engines_dart", "DART (libdart-dev)");
  node("Jolt", "jolt.mjs", "jolt-physics");
  node("Rapier", "rapier.mjs", "@dimforge/rapier3d-compat");
  node("MuJoCo-WASM", "mujoco.mjs", "@mujoco/mujoco");
  if (wanted("abut")) {
    std::vector<std::string> ours{(programs / "engines_abut").string()};
    ours.insert(ours.end(), s.models.begin(), s.models.end());
    engines.push_back(start("abut", ours, ""));
  }
  return engines;
}

void print_growth(const std::vector<ResultRow>& rows) {
  fmt::print("\nGrowth of settled ms a step with the number of boxes of a pile:\n\n");
  std::vector<std::string> names;
  for (const ResultRow& row : rows) {
    if (std::find(names.begin(), names.end(), row.name()) != names.end()) continue;
    names.push_back(row.name());
    const double slope = growth(rows, "pile", row.name());
    if (std::isfinite(slope)) fmt::print("- {}: N^{:.2f}\n", row.name(), slope);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"The same scenes in abut and in other engines"};
  Settings s;
  app.add_option("--out", s.out, "folder for engines.csv and engines.svg");
  app.add_option("--scenes", s.scenes, "NAME:COUNT ..");
  app.add_option("--contact", s.models, "contact models of abut; MODEL+rk4: another integrator");
  app.add_option("--engines", s.only,
                 "Bullet, ODE, MuJoCo, DART, Jolt, Rapier, MuJoCo-WASM, abut; all unless given");
  app.add_option("--threads", s.threads, "1 2 ..: for engines that have threads");
  app.add_option("--npm", s.npm, "node_modules of the engines from npm");
  app.add_option("--npm-absent", s.npm_absent, "why there are none");
  app.add_option("--seconds", s.seconds, "for each engine and scene; who needs longer is cut off");
  app.add_option("--steps", s.steps, "of every scene, in place of its own");
  app.add_option("--seed", s.seed, "of the piles");
  app.add_flag("--keep", s.keep, "keep the rows of other scenes in engines.csv");
  bool plot = false;
  app.add_flag("--plot", plot, "run nothing: draw the plot of engines.csv again");
  std::vector<std::string> panels;
  app.add_option("--panels", panels, "scenes of the plot, as 'pile 2000'; all unless given");
  CLI11_PARSE(app, argc, argv);

  s.keep = s.keep || plot;
  Race race(s);
  if (!plot) {
    std::vector<Engine> engines = start_engines(s, fs::absolute(fs::path(argv[0])).parent_path());
    print_absent(engines);
    for (const std::string& word : s.scenes) race.run(plan_of(word), engines);
  }
  print_growth(race.table().rows());
  std::ofstream(s.out / "engines.svg") << speed_against_overlap(race.table().rows(), panels);
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "engines_compare: {}\n", e.what());
  return 1;
}
