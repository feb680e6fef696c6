// Forward dynamics, abut against its peers: one run, one table, ratios from that run.
//
//   dynamics_compare --worlds worlds --out build/bench [--wasm node_modules/.../mujoco.js]
//
// Each engine is a process of its own. They take turns, round after round, so that a busy
// minute of the machine hits all of them; the fastest round counts. A time goes with the
// difference between the engine's accelerations and abut's: above 1e-6 the row is void.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>

#include "abut/load/load.h"

#include "bench/support/engine.h"

#include "scene.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kSame = 1e-6;  // relative difference of accelerations that still is one answer
constexpr int kStates = 8;

std::vector<Engine> start_engines(const fs::path& programs, const fs::path& script,
                                  const std::string& wasm, const std::string& wasm_absent) {
  const auto native = [&](const std::string& name, const char* file, const char* package) {
    return start_native(name, programs / file, package);
  };
  std::vector<Engine> engines;
  engines.push_back(native("abut", "dynamics_abut", "abut"));
  engines.push_back(native("MuJoCo", "dynamics_mujoco", "MuJoCo (libmujoco-dev)"));
  engines.push_back(
      start("MuJoCo WASM", {"node", script.string(), wasm}, wasm.empty() ? wasm_absent : ""));
  engines.push_back(native("DART", "dynamics_dart", "DART (libdart-dev)"));
  return engines;
}

struct Row {
  std::string scene, engine, method;
  std::vector<double> rounds;  // µs an evaluation
  double difference = 0;       // max |a - a_abut| / max(1, max |a_abut|)

  double fastest() const { return *std::min_element(rounds.begin(), rounds.end()); }
  double spread() const {  // of the middle round over the fastest
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2] / sorted.front() - 1;
  }
  bool same_answer() const { return difference <= kSame; }
};

double difference(const std::vector<double>& a, const std::vector<double>& reference) {
  if (a.size() != reference.size()) return HUGE_VAL;
  double largest = 1, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(reference[i]));
    // a NaN is no agreement
    apart = std::isfinite(a[i]) ? std::max(apart, std::abs(a[i] - reference[i])) : HUGE_VAL;
  }
  return apart / largest;
}

struct Refusal {
  std::string scene, engine, why;
};

// All engines and methods at one scene; the first row is abut with its mass matrix. An
// engine that can't load the scene has no rows but a refusal.
std::vector<Row> race(const Scene& scene, std::vector<Engine>& engines, const fs::path& scratch,
                      int rounds, double seconds, std::vector<Refusal>& refusals) {
  const abut::Model model = abut::load_model(scene.world);
  const fs::path flat = scratch / (scene.name + ".flat.xml");
  const fs::path states = scratch / (scene.name + ".states");
  write_flat(model, flat);
  write_states(model, kStates, states);

  std::vector<Row> rows;
  std::vector<Engine*> runner;
  std::vector<double> reference;
  for (Engine& engine : engines) {
    if (!engine.process) continue;
    const json loaded = ask(
        engine, fmt::format("load {} {} {}", flat.string(), scene.world.string(), states.string()));
    if (loaded.contains("refused")) {
      refusals.push_back({scene.name, engine.name, loaded.at("refused")});
      continue;
    }
    for (const std::string method : loaded.at("methods")) {
      const std::vector<double> a = ask(engine, "answer " + method).at("acceleration");
      if (reference.empty()) reference = a;
      rows.push_back({scene.name, engine.name, method, {}, difference(a, reference)});
      runner.push_back(&engine);
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].rounds.push_back(
          ask(*runner[i], fmt::format("time {} {}", rows[i].method, seconds)).at("us"));
  return rows;
}

// abut's time by the same method; a method that abut does not have by name (mj_forward)
// uses the mass matrix.
const Row& ours(const std::vector<Row>& rows, const std::string& method) {
  for (const Row& row : rows)
    if (row.engine == rows.front().engine && row.method == method) return row;
  return rows.front();
}

void print_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const bool is_ours = row.engine == rows.front().engine;
    const std::string ratio =
        is_ours ? ""
        : row.same_answer()
            ? fmt::format("{:.2f} x", row.fastest() / ours(rows, row.method).fastest())
            : "void";
    fmt::print("{:<12}{:<20}{:<14}{:>10.2f}{:>7.0f} %{:>12}{:>12.1e}\n", row.scene, row.engine,
               row.method, row.fastest(), 100 * row.spread(), ratio, row.difference);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

json to_json(const std::vector<Row>& rows) {
  json out = json::array();
  for (const Row& row : rows) {
    json entry = {{"scene", row.scene},
                  {"engine", row.engine},
                  {"method", row.method},
                  {"us", row.fastest()},
                  {"rounds_us", row.rounds},
                  {"difference", row.difference},
                  {"same_answer", row.same_answer()}};
    if (row.engine != rows.front().engine)
      entry["ratio"] = row.fastest() / ours(rows, row.method).fastest();
    out.push_back(entry);
  }
  return out;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

int run(int argc, char** argv) {
  fs::path worlds = "worlds", out = "build/bench", script = "bench/dynamics/mujoco_wasm.mjs";
  std::string wasm, wasm_absent = "no --wasm given";
  int rounds = 7;
  double seconds = 0.1;
  CLI::App app("Forward dynamics: abut against its peers");
  app.add_option("--worlds", worlds, "folder of the worlds");
  app.add_option("--out", out, "folder for dynamics.json and scratch files");
  app.add_option("--script", script, "mujoco_wasm.mjs");
  app.add_option("--wasm", wasm, "mujoco.js of MuJoCo's npm package");
  app.add_option("--wasm-absent", wasm_absent, "why there is none");
  app.add_option("--rounds", rounds, "turns each engine takes")->check(CLI::PositiveNumber);
  app.add_option("--seconds", seconds, "length of a turn")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  const fs::path scratch = fs::absolute(out) / "dynamics";
  fs::create_directories(scratch);
  std::vector<Engine> engines =
      start_engines(fs::path(argv[0]).parent_path(), script, wasm, wasm_absent);

  fmt::print(
      "Forward dynamics: q, v, tau -> v'. Microseconds an evaluation, fastest of {} rounds;\n"
      "spread: middle round over fastest; abut is: peer / abut by the same method, in this\n"
      "run; difference: of the accelerations from abut's, relative.\n\n",
      rounds);
  fmt::print("{:<12}{:<20}{:<14}{:>10}{:>9}{:>12}{:>12}\n", "scene", "engine", "method", "µs",
             "spread", "abut is", "difference");
  json rows = json::array(), absent = json::object();
  std::vector<Refusal> refusals;
  std::map<int, double> articulated;  // links -> µs
  bool all_same = true;
  for (const Scene& scene : make_scenes(fs::absolute(worlds), scratch)) {
    const std::size_t refused_before = refusals.size();
    const std::vector<Row> raced = race(scene, engines, scratch, rounds, seconds, refusals);
    print_rows(raced);
    for (std::size_t i = refused_before; i < refusals.size(); ++i)
      fmt::print("{:<12}{:<20}refused: {}\n\n", refusals[i].scene, refusals[i].engine,
                 refusals[i].why);
    for (const json& row : to_json(raced)) rows.push_back(row);
    for (const Row& row : raced) all_same = all_same && row.same_answer();
    if (scene.links > 0) articulated[scene.links] = ours(raced, "articulated").fastest();
  }

  fmt::print("abut's articulated-body path, linear in links:\n");
  for (const auto& [links, us] : articulated)
    fmt::print("{:>6} links{:>10.2f} µs{:>10.3f} µs a link\n", links, us, us / links);
  print_absent(engines);
  for (const Engine& engine : engines)
    if (!engine.process) absent[engine.name] = engine.absent;
  json refused = json::array();
  for (const Refusal& r : refusals)
    refused.push_back({{"scene", r.scene}, {"engine", r.engine}, {"why", r.why}});
  const json result = {{"processor", processor()},   {"compiler", "g++ " __VERSION__},
                       {"states", kStates},          {"rounds", rounds},
                       {"seconds_a_round", seconds}, {"rows", rows},
                       {"refused", refused},         {"absent", absent}};
  std::ofstream(out / "dynamics.json") << result.dump(1) << '\n';
  if (!all_same) fmt::print("\nA row is void: that engine's accelerations are not abut's.\n");
  return all_same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "dynamics_compare: {}\n", error.what());
  return 1;
}
