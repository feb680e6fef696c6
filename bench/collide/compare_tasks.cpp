// Patches, volumes and the broad phase: abut's times, and those of peers that do the same.
//
//   collide_tasks --out build/bench [--rounds 7] [--seconds 0.05]
//
// Engines take turns, each in a process of its own; the numbers go to OUT/collide_tasks.csv.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "bench/support/engine.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Row {
  std::string task, engine;
  Engine* runner = nullptr;
  std::size_t index = 0;       // of the task, as the engine counts
  std::vector<double> rounds;  // ns
  double answer = 0;

  double ns() const {  // of the middle round
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

std::string readable(double ns) {
  if (ns < 1e4) return fmt::format("{:.0f} ns", ns);
  return ns < 1e7 ? fmt::format("{:.1f} us", 1e-3 * ns) : fmt::format("{:.1f} ms", 1e-6 * ns);
}

int run(int argc, char** argv) {
  fs::path out = "build/bench";
  int rounds = 7;
  double seconds = 0.05;
  CLI::App app("Patches, volumes and the broad phase: abut and its peers");
  app.add_option("--out", out, "folder for collide_tasks.csv");
  app.add_option("--rounds", rounds, "turns each engine takes")->check(CLI::PositiveNumber);
  app.add_option("--seconds", seconds, "length of a turn")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  fs::create_directories(out);
  const fs::path programs = fs::path(argv[0]).parent_path();
  std::vector<Engine> engines;
  engines.push_back(start_native("abut", programs / "collide_tasks_abut", "abut"));
  engines.push_back(start_native("FCL", programs / "collide_tasks_fcl", "FCL (libfcl-dev)"));
  engines.push_back(
      start_native("Bullet", programs / "collide_tasks_bullet", "Bullet (libbullet-dev)"));

  std::vector<Row> rows;
  for (Engine& engine : engines) {
    if (!engine.process) continue;
    const json tasks = ask(engine, "tasks").at("tasks");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      // a peer's row goes after those of the same task
      const std::string task = tasks[i];
      const auto after = std::find_if(rows.rbegin(), rows.rend(),
                                      [&](const Row& row) { return row.task == task; });
      rows.insert(after == rows.rend() ? rows.end() : after.base(),
                  {task, engine.name, &engine, i, {}, 0});
    }
  }
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows) {
      const json answer = ask(*row.runner, fmt::format("time {} {}", row.index, seconds));
      row.rounds.push_back(answer.at("ns"));
      row.answer = answer.at("answer");
    }

  fmt::print(
      "Patches, volumes and the broad phase. Middle of {} rounds; found: contact points a\n"
      "pair, or the sum of volumes (m^3), or pairs. abut is: peer / abut, in this run.\n\n"
      "{:<36}{:<14}{:>12}{:>12}{:>14}\n",
      rounds, "task", "engine", "time", "abut is", "found");
  std::string csv = "task,engine,ns,found\n";
  double ours = 0;
  std::string last;
  for (const Row& row : rows) {
    const bool first = row.task != last;
    last = row.task;
    if (first) ours = row.ns();
    fmt::print("{:<36}{:<14}{:>12}{:>12}{:>14.6g}\n", row.task, row.engine, readable(row.ns()),
               first ? "" : fmt::format("{:.2f} x", row.ns() / ours), row.answer);
    csv += fmt::format("\"{}\",{},{:.1f},{:.9g}\n", row.task, row.engine, row.ns(), row.answer);
  }
  print_absent(engines);
  std::ofstream(out / "collide_tasks.csv") << csv;
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "collide_tasks: {}\n", error.what());
  return 1;
}
