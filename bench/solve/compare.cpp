// Complementarity solvers on generated problems, abut against its peers: one run, one table,
// ratios from that run.
//
//   solve_compare --out build/bench [--rounds 5] [--seconds 0.03] [--families definite stack]
//                 [--sizes 10 50]
//
// Each engine is a process of its own and they take turns, round after round; what takes long
// takes fewer turns, and so does what takes the same time three times. A time goes with how many of
// the problems were solved, to a relative residual of 1e-8 by abut's measure, and the worst
// residual of all; a ratio of the same method counts the problems that the peer solved. The numbers
// go to OUT/solve.csv, the chart to OUT/solve.svg.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/support/chart.h"
#include "bench/support/engine.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kSolved = 1e-8;
constexpr double kLong = 1;  // seconds: a pass that is not made again
// Rounds, and how far they may differ, after which more would say nothing new.
constexpr std::size_t kEnough = 3;
constexpr double kSteady = 0.02;

struct Set {
  std::string family;
  int n = 0, count = 0;  // unknowns wanted, and problems
};

// Redundant contacts, one solution only, pyramids, friction row by row; then cones.
std::vector<Set> plan(const std::vector<std::string>& families, const std::vector<int>& sizes) {
  std::vector<Set> sets;
  const auto wanted = [](const auto& list, const auto& one) {
    return list.empty() || std::find(list.begin(), list.end(), one) != list.end();
  };
  const auto add = [&](const char* family, std::initializer_list<std::pair<int, int>> all) {
    for (const auto& [n, count] : all)
      if (wanted(families, family) && wanted(sizes, n)) sets.push_back({family, n, count});
  };
  add("semidefinite", {{10, 200}, {50, 100}, {200, 20}, {1000, 2}});
  add("definite", {{10, 200}, {50, 100}, {200, 20}, {1000, 1}});
  add("friction", {{10, 200}, {50, 100}, {200, 20}, {1000, 1}});
  add("boxed-friction", {{10, 200}, {50, 100}, {200, 10}, {1000, 1}});
  add("stack", {{30, 10}, {60, 10}, {120, 3}, {240, 1}});
  add("stack-redundant", {{60, 10}, {120, 3}, {240, 1}});
  return sets;
}

// One engine and method at one set.
struct Row {
  const Set* set = nullptr;
  std::string engine, method;
  Engine* runner = nullptr;
  std::size_t index = 0;       // of the method, as the engine counts
  int unknowns = 0;            // of the first problem
  std::vector<double> rounds;  // ns a problem
  int solved = 0;
  double worst = 0;   // relative residual; infinite: not a number
  std::string which;  // those solved, " 0 1 5"
  double ratio = 0;   // of a peer: its time over abut's by the same method, on what it solved

  bool is_abut() const { return engine == "abut"; }
  double ns() const {  // of the middle round
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  bool is_steady() const {
    if (rounds.size() < kEnough) return false;
    const auto [least, most] = std::minmax_element(rounds.begin(), rounds.end());
    return *most <= (1 + kSteady) * *least;
  }
  double spread() const { return ns() / *std::min_element(rounds.begin(), rounds.end()) - 1; }
};

void judge(Row& row, const json& residuals) {
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const double off = residuals[i].is_null() ? HUGE_VAL : residuals[i].get<double>();
    row.worst = std::max(row.worst, off);
    if (off > kSolved) continue;
    ++row.solved;
    row.which += fmt::format(" {}", i);
  }
}

// abut's own by the same name, or nothing
const Row* counterpart(const std::vector<Row>& rows, const Row& peer) {
  for (const Row& row : rows)
    if (row.set == peer.set && row.is_abut() && row.method == peer.method) return &row;
  return nullptr;
}

// Giving up is fast. A peer that leaves problems unsolved is compared on the others, timed by
// themselves; one that takes seconds, by its only pass.
void find_ratio(const std::vector<Row>& rows, Row& peer, double seconds) {
  const Row* own = peer.is_abut() || peer.solved == 0 ? nullptr : counterpart(rows, peer);
  if (!own) return;
  peer.ratio = peer.ns() / own->ns();
  if (peer.solved == peer.set->count || 1e-9 * peer.ns() * peer.set->count > kLong) return;
  const auto time = [&](const Row& row) {
    return ask(*row.runner, fmt::format("time {} {}{}", row.index, seconds / 2, peer.which))
        .at("ns")
        .get<double>();
  };
  // in turns, the fastest of each: other programs can only add time
  double theirs = HUGE_VAL, ours = HUGE_VAL;
  for (int turn = 0; turn < 3; ++turn) {
    theirs = std::min(theirs, time(peer));
    ours = std::min(ours, time(*own));
  }
  peer.ratio = theirs / ours;
}

std::vector<Row> race(const Set& set, std::vector<Engine>& engines, int rounds, double seconds) {
  std::vector<Row> rows;
  for (Engine& engine : engines) {
    if (!engine.process) continue;
    const json loaded = ask(engine, fmt::format("load {} {} {}", set.family, set.n, set.count));
    const json& methods = loaded.at("methods");
    for (std::size_t m = 0; m < methods.size(); ++m) {
      Row row{&set, engine.name, methods[m], &engine, m, loaded.at("unknowns"), {}, 0, 0, {}, 0};
      const json answer = ask(engine, fmt::format("answer {}", m));
      judge(row, answer.at("residual"));
      row.rounds.push_back(answer.at("ns"));
      rows.push_back(row);
    }
  }
  // the first pass was for the answers, with cold caches: it counts where there is no other
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows) {
      const double pass = 1e-9 * row.rounds.front() * set.count;
      if (pass * (round + 1) > 10 * seconds || row.is_steady()) continue;
      if (round == 0) row.rounds.clear();
      row.rounds.push_back(
          ask(*row.runner, fmt::format("time {} {}", row.index, seconds)).at("ns"));
    }
  for (Row& row : rows) find_ratio(rows, row, seconds);
  return rows;
}

std::string readable(double ns) {
  if (ns < 1e5) return fmt::format("{:.2f} us", 1e-3 * ns);
  return ns < 1e7 ? fmt::format("{:.0f} us", 1e-3 * ns) : fmt::format("{:.1f} ms", 1e-6 * ns);
}

double fastest(const std::vector<Row>& rows, const Set* set, bool ours) {
  double least = HUGE_VAL;
  for (const Row& row : rows)
    if (row.set == set && row.is_abut() == ours && row.solved == set->count)
      least = std::min(least, row.ns());
  return least;
}

void print(const std::vector<Row>& rows) {
  const Set* last = nullptr;
  for (const Row& row : rows) {
    if (row.set != last) {
      last = row.set;
      fmt::print("\n{} {}: {} problems, the first of {} unknowns\n", row.set->family, row.set->n,
                 row.set->count, row.unknowns);
    }
    const std::string ratio = row.ratio > 0 ? fmt::format("{:.2f} x", row.ratio) : "";
    const double best = fastest(rows, row.set, true);
    fmt::print(
        "  {:<14}{:<10}{:>12}{:>7.0f}%{:>9.0f}%{:>11.1e}{:>11}{:>11}\n", row.engine, row.method,
        readable(row.ns()), 100 * row.spread(), 100.0 * row.solved / row.set->count, row.worst,
        ratio,
        row.is_abut() || !std::isfinite(best) ? "" : fmt::format("{:.2f} x", row.ns() / best));
  }
}

std::string to_csv(const std::vector<Row>& rows) {
  std::string text =
      "family,size,unknowns,engine,method,ns,spread,problems,solved,worst_residual,ratio\n";
  for (const Row& row : rows)
    text +=
        fmt::format("{},{},{},{},{},{:.1f},{:.3f},{},{},{:.3g},{}\n", row.set->family, row.set->n,
                    row.unknowns, row.engine, row.method, row.ns(), row.spread(), row.set->count,
                    row.solved, row.worst, row.ratio > 0 ? fmt::format("{:.3f}", row.ratio) : "");
  return text;
}

std::vector<Chart> to_charts(const std::vector<Row>& rows) {
  std::vector<Chart> charts;
  for (const Row& row : rows) {
    if (charts.empty() || charts.back().title != row.set->family)
      charts.push_back({row.set->family, "unknowns", "ns a problem", {}});
    std::vector<ChartLine>& lines = charts.back().lines;
    const std::string name = row.engine + " " + row.method;
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const ChartLine& l) { return l.name == name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {name, {}});
    line->points.emplace_back(row.set->n, row.ns());
  }
  return charts;
}

int run(int argc, char** argv) {
  fs::path out = "build/bench";
  int rounds = 5;
  double seconds = 0.03;
  std::vector<std::string> families;
  std::vector<int> sizes;
  CLI::App app("Complementarity solvers: abut against its peers");
  app.add_option("--out", out, "folder for solve.csv and solve.svg");
  app.add_option("--rounds", rounds, "turns each engine takes")->check(CLI::PositiveNumber);
  app.add_option("--seconds", seconds, "length of a turn")->check(CLI::PositiveNumber);
  app.add_option("--families", families, "only these");
  app.add_option("--sizes", sizes, "only these");
  CLI11_PARSE(app, argc, argv);

  fs::create_directories(out);
  // Siconos calls a BLAS that would take all cores; the others have one each
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  const fs::path programs = fs::path(argv[0]).parent_path();
  std::vector<Engine> engines;
  engines.push_back(start_native("abut", programs / "solve_abut", "abut"));
  engines.push_back(
      start_native("Siconos", programs / "solve_siconos", "Siconos (libsiconos-numerics-dev)"));
  engines.push_back(start_native("ODE", programs / "solve_ode", "ODE (libode-dev)"));

  fmt::print(
      "Complementarity solvers on generated problems. Mean time a problem, middle of up to {}\n"
      "rounds, and how far it is from the fastest; problems solved, to a relative residual of\n"
      "1e-8; the worst residual of all. Then, how many times faster abut is in this run: by\n"
      "the same method on the problems that the peer solves, and by its fastest that solves\n"
      "all, on all of them.\n\n"
      "  {:<14}{:<10}{:>12}{:>8}{:>10}{:>11}{:>11}{:>11}\n",
      rounds, "engine", "method", "time", "spread", "solved", "residual", "same", "fastest");
  const std::vector<Set> sets = plan(families, sizes);
  std::vector<Row> rows;
  for (const Set& set : sets) {
    const std::vector<Row> some = race(set, engines, rounds, seconds);
    print(some);
    std::fflush(stdout);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  print_absent(engines);
  std::ofstream(out / "solve.csv") << to_csv(rows);
  std::ofstream(out / "solve.svg") << to_svg(to_charts(rows));

  // a method that promises a solution may not fail: docs/solvers.md
  const bool right = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    const bool promised = row.method == "lemke" || row.set->family.ends_with("definite");
    return !row.is_abut() || !promised || row.solved == row.set->count;
  });
  if (!right) fmt::print("\nabut left problems unsolved: see above.\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "solve_compare: {}\n", error.what());
  return 1;
}
