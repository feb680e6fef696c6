// abut tune: gains of a penalty model for a world.
#include "abut/sweep/tune.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/contact/choose.h"
#include "abut/contact/registry.h"
#include "abut/math/output_file.h"
#include "abut/view/plot/plot.h"
#include "commands.h"
#include "common.h"
#include "interrupt.h"
#include "progress.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;

struct TuneArguments {
  std::string world, contact, measure = "penetration,settling", out;
  std::vector<std::string> vary, set;
  std::string time = "2", step;
  int runs = 64, threads = 0;
  std::uint64_t seed = 1;
  bool json = false, quiet = false;
};

constexpr std::size_t kShown = 5;  // trials of the table

// "multipoint.kp=100:10000", or without the model
TuneRange range_of(const std::string& text, const std::string& model) {
  const auto equals = text.find('='), colon = text.find(':');
  if (equals == text.npos || colon == text.npos || colon < equals)
    throw UsageError("--vary " + text + ": write KEY=LOW:HIGH, as kp=100:10000");
  TuneRange r;
  r.key = text.substr(0, equals);
  if (r.key.starts_with("abut.")) r.key.erase(0, 5);
  if (r.key.find('.') == std::string::npos) r.key = model + "." + r.key;
  r.low = parse_number(std::string_view(text).substr(equals + 1, colon - equals - 1), "--vary");
  r.high = parse_number(std::string_view(text).substr(colon + 1), "--vary");
  return r;
}

// "penetration,settling=0.5"
std::vector<TuneTerm> terms_of(const std::string& list) {
  std::vector<TuneTerm> terms;
  for (const std::string& part : split(list)) {
    const auto equals = part.find('=');
    TuneTerm t{.name = part.substr(0, equals)};
    if (equals != part.npos) t.weight = parse_number(part.substr(equals + 1), "--measure");
    terms.push_back(t);
  }
  return terms;
}

TunePlan plan_of(const TuneArguments& a) {
  TunePlan plan;
  plan.sweep.world = a.world;
  plan.sweep.file = find_world(a.world);
  plan.sweep.folder = fs::current_path();
  if (!(parse_number(a.time, "--time") > 0)) throw UsageError("--time: write seconds, more than 0");
  plan.sweep.set.push_back({"time", a.time});
  if (!a.step.empty()) plan.sweep.set.push_back({"step", a.step});
  for (const std::string& assignment : a.set) {
    const auto equals = assignment.find('=');
    if (equals == assignment.npos) throw UsageError("--set " + assignment + ": write KEY=VALUE");
    plan.sweep.set.push_back({assignment.substr(0, equals), assignment.substr(equals + 1)});
  }
  plan.model = a.contact.empty() ? contact_settings(load_for_tool(a.world, true)).model : a.contact;
  plan.model = contact_model(plan.model).info->name;
  for (const std::string& text : a.vary) plan.ranges.push_back(range_of(text, plan.model));
  plan.terms = terms_of(a.measure);
  plan.seed = a.seed;
  plan.runs = a.runs;
  check(plan);
  if (plan.ranges.empty()) plan.ranges = natural_ranges(plan);
  return plan;
}

Json to_json(const TunePlan& plan, const TuneTrial& t) {
  Json gains = Json::object(), measures = Json::object();
  for (const SweepValue& v : t.gains) gains["abut." + v.key] = std::stod(v.text);
  for (std::size_t i = 0; i < t.measures.size(); ++i) measures[plan.terms[i].name] = t.measures[i];
  Json j = {{"run", t.number}, {"origin", t.origin}, {"gains", gains}, {"measures", measures}};
  j["cost"] = std::isfinite(t.cost) ? Json(t.cost) : Json();
  if (!t.reason.empty()) j["reason"] = t.reason;
  return j;
}

Json to_json(const TunePlan& plan, const TuneResult& result) {
  Json ranges = Json::object(), weights = Json::object(), trials = Json::array();
  for (const TuneRange& r : plan.ranges) ranges["abut." + r.key] = {r.low, r.high};
  for (const TuneTerm& t : plan.terms) weights[t.name] = t.weight;
  for (const TuneTrial& t : result.trials) trials.push_back(to_json(plan, t));
  const TuneTrial* best = result.best < 0 ? nullptr : &result.trials[std::size_t(result.best)];
  return {{"world", plan.sweep.world},
          {"contact", plan.model},
          {"seed", plan.seed},
          {"weights", weights},
          {"ranges", ranges},
          {"runs", result.trials.size()},
          {"failed", result.failed},
          {"best", best ? to_json(plan, *best) : Json()},
          {"custom", best ? custom_block(*best) : ""},
          {"trials", trials}};
}

// Costs of the trials, and of the best until then; those of failed ones are left out.
view::Plot plot_of(const TunePlan& plan, const TuneResult& result) {
  view::Plot plot;
  plot.title = fmt::format("{} under {}", plan.sweep.world, plan.model);
  plot.x = {"run", ""};
  plot.y = {"cost, own gains = 1", ""};
  view::Line all{"each run", {}, view::kFaint}, best{"best so far", {}, 0};
  double least = std::numeric_limits<double>::infinity(), weights = 0;
  for (const TuneTerm& t : plan.terms) weights += t.weight;
  for (const TuneTrial& t : result.trials) {
    if (!std::isfinite(t.cost)) continue;
    least = std::min(least, t.cost);
    // one that is far worse would flatten all others
    all.points.push_back({double(t.number), std::min(t.cost, 3 * weights) / weights});
    best.points.push_back({double(t.number), least / weights});
  }
  plot.lines = {all, best};
  return plot;
}

std::string table_csv(const TunePlan& plan, const TuneResult& result) {
  std::string out = "run,origin";
  for (const TuneRange& r : plan.ranges) out += "," + r.key;
  for (const TuneTerm& t : plan.terms) out += "," + t.name;
  out += ",cost,reason\n";
  for (const TuneTrial& t : result.trials) {
    out += fmt::format("{},{}", t.number, t.origin);
    for (std::size_t i = 0; i < plan.ranges.size(); ++i)
      out += "," + (i < t.gains.size() ? t.gains[i].text : "");
    for (std::size_t i = 0; i < plan.terms.size(); ++i)
      out += "," + (i < t.measures.size() ? number_text(t.measures[i]) : "");
    std::string reason = t.reason;
    std::ranges::replace(reason, '"', '\'');
    out += fmt::format(",{},{}\n", std::isfinite(t.cost) ? number_text(t.cost) : "",
                       reason.empty() ? "" : "\"" + reason + "\"");
  }
  return out;
}

void write_files(const fs::path& folder, const TunePlan& plan, const TuneResult& result) {
  make_output_folder(folder, "--out");
  write_file(folder / "trials.csv", table_csv(plan, result));
  write_file(folder / "tune.svg", view::standalone_svg(plot_of(plan, result)));
  write_file(folder / "summary.json", json_text(to_json(plan, result)));
  if (result.best >= 0)
    write_file(folder / "gains.xml", custom_block(result.trials[std::size_t(result.best)]));
}

void print_trial(const TunePlan& plan, const TuneTrial& t) {
  std::string gains, measures;
  for (std::size_t i = 0; i < plan.ranges.size(); ++i)
    gains += fmt::format(" {:>14}", i < t.gains.size() ? t.gains[i].text : "own");
  for (const double m : t.measures) measures += fmt::format(" {:>12.4g}", m);
  if (t.measures.empty()) measures = "  " + t.reason;
  print_safe("  {:>5}{}{} {:>8}  {}\n", t.number, gains, measures,
             std::isfinite(t.cost) ? fmt::format("{:.4g}", t.cost) : "-", t.origin);
}

void print_result(const TunePlan& plan, const TuneResult& result) {
  std::string terms;
  for (const TuneTerm& t : plan.terms)
    terms += fmt::format("{}{} {:g}", terms.empty() ? "" : ", ", t.name, t.weight);
  print_safe("{} runs of {} under {}, {} failed\n  weights     {}\n", result.trials.size(),
             plan.sweep.world, plan.model, result.failed, terms);
  std::string head = fmt::format("  {:>5}", "run");
  for (const TuneRange& r : plan.ranges) head += fmt::format(" {:>14}", r.key);
  for (const TuneTerm& t : plan.terms) head += fmt::format(" {:>12}", t.name);
  print_safe("{} {:>8}  {}\n", head, "cost", "from");
  std::vector<const TuneTrial*> order;
  for (const TuneTrial& t : result.trials) order.push_back(&t);
  std::ranges::stable_sort(order, {}, [](const TuneTrial* t) { return t->cost; });
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i < kShown || order[i]->number == 0) print_trial(plan, *order[i]);
  if (result.best > 0)
    put(stdout, "\n" + custom_block(result.trials[std::size_t(result.best)]));
  else if (result.best == 0)
    print_safe("\nno gains were better than the world's own\n");
}

int tune_command(const TuneArguments& a) {
  if (a.threads < 0)
    throw UsageError(
        fmt::format("--threads {}: write a number of threads, or 0 for all cores", a.threads));
  const TunePlan plan = plan_of(a);
  ProgressBar bar(wants_progress(a.quiet), "tuning");
  TuneSettings settings{.threads = a.threads, .stop = &stop_asked()};
  settings.progress = [&](std::int64_t done, std::int64_t all) { bar.show(done, all); };
  const EndsItself between_runs;
  const TuneResult result = tune(plan, settings);
  bar.end();
  if (interrupted()) return kDone;  // main makes it the signal's
  if (!a.out.empty()) write_files(a.out, plan, result);
  if (a.json)
    print_json(to_json(plan, result));
  else if (!a.quiet)
    print_result(plan, result);
  if (result.best < 0) {
    put(stderr, "abut: every run failed: " + printable_lines(result.trials.front().reason) + "\n");
    return kDiverged;
  }
  return kDone;
}

}  // namespace

void add_tune(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<TuneArguments>();
  TuneArguments& a = *args;
  CLI::App* command = app.add_subcommand("tune", "find gains of a penalty model for a world");
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form);
  };
  option("world", a.world, "file or name of a world (abut worlds)", "WORLD")->required();
  option("--contact", a.contact,
         "multipoint, deepest, volumetric, quasirigid (default: the world's)", "MODEL");
  option(
      "--vary", a.vary,
      "a gain and where it may be, as kp=100:10000; repeatable (default: kp and kv, below what a "
      "step can follow)",
      "KEY=LOW:HIGH");
  option(
      "--measure", a.measure,
      "what is to be small, with weights: penetration (largest, m), energy (kinetic, of the last "
      "tenth, J), settling (s) (default penetration,settling)",
      "LIST");
  option("--runs", a.runs, "trials (default 64)", "N");
  option("--seed", a.seed, "of the search (default 1)", "N");
  option("--time", a.time, "s of each run (default 2)", "S");
  option("--step", a.step, "time step (s) (default: the world's)", "S");
  option("--set", a.set, "a setting of the world, the same in all runs; repeatable", "KEY=VALUE");
  option("--threads", a.threads, "runs at a time (default: all cores)", "N");
  option("--out", a.out, "folder for trials.csv, tune.svg, gains.xml, summary.json", "DIR");
  command->add_flag("--json", a.json, "one JSON document on stdout");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  abut tune multipoint/block --measure settling\n"
      "  abut tune multipoint/block --contact deepest --vary kp=1e3:1e5 --vary kv=10:3e3 --out "
      "gains\n"
      "  abut tune drop --contact volumetric --measure penetration=2,energy --json\n"
      "The cost is the sum of weight times measure, over the measure with the world's own gains.\n"
      "Results are the same for any number of threads. Exit codes: 0 done, 2 bad usage or input, "
      "3\n"
      "every run failed, 130 or 143 stopped by SIGINT (^C) or SIGTERM.");
  command->callback([args, exit_code] { *exit_code = tune_command(*args); });
}

}  // namespace abut::tool
