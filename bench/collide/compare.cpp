// Distance and penetration of convex hulls, abut against its peers: one run, one table,
// ratios from that run.
//
//   collide_compare --out build/bench [--rounds 5] [--seconds 0.03] [--vertices 32 512]
//
// Each engine is a process of its own and they take turns, round after round. A time goes
// with the worst error of the engine's answers and the number of pairs it gave up on.
// The numbers go to OUT/collide.csv and OUT/collide.md, the chart to OUT/collide.svg.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "bench/support/chart.h"
#include "bench/support/engine.h"

#include "pairs.h"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// One engine and method at one set.
struct Row {
  std::string engine, method;
  const QuerySet* set = nullptr;
  std::vector<double> rounds;  // ns a query
  double worst = 0;            // m: largest error of the answers
  int off = 0;                 // answers off by more than 1e-9 m
  int given_up = 0;            // no answer

  std::string name() const { return engine + " " + method; }
  double ns() const {  // of the middle round
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  double spread() const { return ns() / *std::min_element(rounds.begin(), rounds.end()) - 1; }
  bool is_abut() const { return engine.starts_with("abut"); }
  // How much deeper an answer may be that keeps to last time's features (abut/collide/
  // proximity.h: 1e-6 of the pair's size, and solids here are 1 to 2 m).
  double kept() const { return is_ours() && set->motion > 0 && !set->apart ? 4e-6 : 0; }
  // what others call, and so what is compared; abut's other methods run beside it
  bool is_ours() const { return is_abut() && method == "proximity"; }
};

void judge(Row& row, const json& answers, const std::vector<double>& exact) {
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (answers.at(i).is_null()) {
      ++row.given_up;
      continue;
    }
    const double error = std::abs(answers.at(i).get<double>() - exact[i]);
    row.worst = std::max(row.worst, error);
    row.off += error > 1e-9 + row.kept();
  }
}

std::vector<Row> race(const Scene& scene, std::vector<Engine>& engines, const std::string& file,
                      int rounds, double seconds) {
  std::vector<Row> rows;
  std::vector<std::string> orders;  // what to say to time a row
  std::vector<Engine*> runners;
  std::vector<std::vector<double>> exact;
  for (const QuerySet& set : scene.sets) exact.push_back(exact_distances(scene, set));
  for (Engine& engine : engines) {
    if (!engine.process) continue;
    const json methods = ask(engine, "load " + file).at("methods");
    for (std::size_t m = 0; m < methods.size(); ++m)
      for (std::size_t s = 0; s < scene.sets.size(); ++s) {
        Row row{engine.name, methods[m], &scene.sets[s], {}, 0, 0, 0};
        const json answers = ask(engine, fmt::format("answer {} {}", m, s));
        if (answers.contains("skipped")) continue;
        judge(row, answers.at("distance"), exact[s]);
        rows.push_back(row);
        orders.push_back(fmt::format("time {} {} {}", m, s, seconds));
        runners.push_back(&engine);
      }
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].rounds.push_back(ask(*runners[i], orders[i]).at("ns"));
  return rows;
}

// Rows of the sets with one name, by vertices, then by engine and method as in `columns`.
struct Table {
  std::vector<std::string> columns;
  std::map<int, std::map<std::string, const Row*>> lines;
};

std::vector<std::pair<std::string, Table>> tables(const Scene& scene,
                                                  const std::vector<Row>& rows) {
  std::vector<std::pair<std::string, Table>> out;
  for (const QuerySet& set : scene.sets) {
    if (std::any_of(out.begin(), out.end(), [&](const auto& t) { return t.first == set.name; }))
      continue;
    out.emplace_back(set.name, Table{});
    for (const Row& row : rows)
      if (row.set->name == set.name) {
        Table& table = out.back().second;
        if (std::find(table.columns.begin(), table.columns.end(), row.name()) ==
            table.columns.end())
          table.columns.push_back(row.name());
        table.lines[row.set->vertices][row.name()] = &row;
      }
  }
  return out;
}

std::string errors(const Row& row) {
  std::string text = fmt::format("{:.0e}", row.worst);
  if (row.off > 0) text += fmt::format(", {} off", row.off);
  if (row.given_up > 0) text += fmt::format(", {} lost", row.given_up);
  return text;
}

// Markdown that reads as it stands.
std::string to_markdown(const std::string& name, const Table& table) {
  std::string text = fmt::format("### {}\n\n| vertices |", name);
  for (const std::string& column : table.columns) text += fmt::format(" {:>28} |", column);
  text += " abut is |\n| ---: |";
  for (std::size_t i = 0; i <= table.columns.size(); ++i) text += " ---: |";
  text += '\n';
  for (const auto& [vertices, rows] : table.lines) {
    double ours = HUGE_VAL, theirs = HUGE_VAL;
    text += fmt::format("| {:>8} |", vertices);
    for (const std::string& column : table.columns) {
      const auto found = rows.find(column);
      if (found == rows.end()) {
        text += fmt::format(" {:>28} |", "");
        continue;
      }
      const Row& row = *found->second;
      text += fmt::format(" {:>28} |", fmt::format("{:.0f} ns ({})", row.ns(), errors(row)));
      if (row.is_ours()) ours = row.ns();
      if (!row.is_abut()) theirs = std::min(theirs, row.ns());
    }
    const bool both = std::isfinite(ours) && std::isfinite(theirs);
    text += fmt::format(" {:>7} |\n", both ? fmt::format("{:.1f} x", theirs / ours) : "");
  }
  return text + '\n';
}

std::string to_csv(const std::vector<Row>& rows) {
  std::string text =
      "set,vertices,motion,engine,method,ns,spread,queries,worst_error_m,off_by_1e-9_m,given_up\n";
  for (const Row& row : rows)
    text += fmt::format("{},{},{:g},{},{},{:.1f},{:.3f},{},{:.3g},{},{}\n", row.set->name,
                        row.set->vertices, row.set->motion, row.engine, row.method, row.ns(),
                        row.spread(), row.set->queries.size(), row.worst, row.off, row.given_up);
  return text;
}

Chart to_chart(const std::string& name, const Table& table) {
  Chart chart{name, "vertices of each hull", "ns a query", {}};
  for (const std::string& column : table.columns) {
    chart.lines.push_back({column, {}});
    for (const auto& [vertices, rows] : table.lines)
      if (const auto found = rows.find(column); found != rows.end())
        chart.lines.back().points.emplace_back(vertices, found->second->ns());
  }
  return chart;
}

int run(int argc, char** argv) {
  fs::path out = "build/bench";
  int rounds = 5;
  double seconds = 0.02;
  ScenePlan plan;
  CLI::App app("Distance and penetration of convex hulls: abut against its peers");
  app.add_option("--out", out, "folder for collide.csv, .md, .svg and scratch files");
  app.add_option("--rounds", rounds, "turns each engine takes")->check(CLI::PositiveNumber);
  app.add_option("--seconds", seconds, "length of a turn")->check(CLI::PositiveNumber);
  app.add_option("--vertices", plan.vertices, "sizes of the hulls (8: boxes)");
  CLI11_PARSE(app, argc, argv);

  const fs::path scratch = fs::absolute(out) / "collide";
  fs::create_directories(scratch);
  const fs::path programs = fs::path(argv[0]).parent_path();
  std::vector<Engine> engines;
  engines.push_back(start_native("abut", programs / "collide_abut", "abut"));
  engines.push_back(start_native("FCL", programs / "collide_fcl", "FCL (libfcl-dev)"));
  engines.push_back(start_native("Bullet", programs / "collide_bullet", "Bullet (libbullet-dev)"));

  Scene scene = make_pairs(plan);
  const std::string file = (scratch / "pairs.bin").string();
  write_scene(scene, file);
  fmt::print(
      "Distance and penetration of convex hulls near contact. Nanoseconds a query, middle of\n"
      "{} rounds; in brackets the worst error (m), how many answers are off by more than\n"
      "1e-9 m, and how many pairs the engine gave up on or took for the wrong kind.\n"
      "abut is: fastest peer / abut, in this run.\n\n",
      rounds);
  const std::vector<Row> rows = race(scene, engines, file, rounds, seconds);

  std::string markdown;
  std::vector<Chart> charts;
  for (const auto& [name, table] : tables(scene, rows)) {
    markdown += to_markdown(name, table);
    charts.push_back(to_chart(name, table));
  }
  fmt::print("{}", markdown);
  print_absent(engines);
  std::ofstream(out / "collide.md") << markdown;
  std::ofstream(out / "collide.csv") << to_csv(rows);
  std::ofstream(out / "collide.svg") << to_svg(charts);

  const bool right = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return !row.is_abut() || (row.off == 0 && row.given_up == 0);
  });
  if (!right) fmt::print("\nabut is wrong on some pairs: see above.\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "collide_compare: {}\n", error.what());
  return 1;
}
