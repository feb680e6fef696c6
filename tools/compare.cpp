// abut compare: the same world under several contact models, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/view/page/page_file.h"
#include "abut/view/page/viewer_page.h"
#include "commands.h"
#include "compare_page.h"
#include "contact_flags.h"
#include "interrupt.h"
#include "progress.h"
#include "run_summary.h"
#include "warnings.h"
#include "world_flags.h"

namespace abut::tool {

namespace {

struct CompareArguments {
  WorldFlags world;
  ContactFlags contact;  // each but solver may be a list
  std::string report;
  bool json = false, quiet = false;
  bool films() const { return !report.empty() && view::has_viewer(); }
};

// Every combination of the lists, the first list slowest.
std::vector<Entry> entries(const ContactFlags& flags, const Model& model) {
  const auto contacts = split(flags.contact), frictions = split(flags.friction),
             stabilizers = split(flags.stabilize);
  std::vector<Entry> all;
  for (const std::string& contact : contacts)
    for (const std::string& friction : frictions)
      for (const std::string& stabilize : stabilizers) {
        ContactFlags one = flags;
        one.contact = contact;
        one.friction = contact == "none" ? "" : friction;  // it has none
        one.stabilize = stabilize;
        Entry e;
        e.settings = one.over(model);
        e.label = e.settings.model;
        if (frictions.size() > 1 && contact != "none") e.label += " " + friction_text(e.settings);
        if (stabilizers.size() > 1) e.label += " " + stabilize_text(e.settings);
        const auto same = [&](const Entry& other) { return other.label == e.label; };
        if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(e));
      }
  return all;
}

// Several films go into one page: poses and contacts alone, 30 a second.
view::FilmSettings film_settings() {
  view::FilmSettings s;
  s.interval = 1.0 / 30;
  s.show = {true, false, false, false, true, false};
  return s;
}

// Number `i` of all.
void run_entry(const CompareArguments& a, const Model& model, std::vector<Entry>& all,
               std::size_t i, Warnings& shown, ProgressBar& bar) {
  Entry& e = all[i];
  State state(model);
  Input input(model);
  a.world.start(model, state, input);
  Simulator simulator(model, e.settings);
  Measure measure(model);
  const Overlap overlap = measure.sample(state, input).overlap;
  if (a.films()) {
    e.film.emplace(model, state, input, film_settings());
    e.film->label = e.label;
  }
  ContactForces forces;
  RunSettings settings;
  settings.time = a.world.time;
  settings.measure = MeasureWhen::default_for(model);
  settings.observe = [&](std::int64_t step, const State& at, const Sample& s) {
    e.energy.add(s.time, s.energy.kinetic + s.energy.potential);
    e.overlap.add(s.time, s.overlap.deepest);
    if (!e.film || !e.film->wants(s.time)) return;
    if (step > 0) simulator.contact_forces(forces);
    e.film->observe(at, input, &s, &forces);
  };
  settings.progress = [&](std::int64_t done, std::int64_t steps) {
    bar.show(static_cast<std::int64_t>(i) * steps + done, std::ssize(all) * steps);
  };
  const RunOutcome outcome = run(simulator, state, input, settings, measure);
  e.diverged_body = outcome.diverged_body;
  Warnings warnings(true, warning_lines(model));
  warnings.add(simulator.warnings());
  if (simulator.contact().contacts_on()) warnings.add(overlap_warning(model, overlap));
  warnings.add(run_warnings(outcome));
  bar.clear();
  shown.add(warnings.of_run());
  e.summary =
      summary(simulator, state, input, outcome, *settings.measure, measure, warnings.lines());
  for (const Pose& pose : measure.derived().body_pose) e.end.push_back(pose.p);
}

// The farthest that a body ended from where it did under the first.
struct Apart {
  int body = 0;
  double distance = 0;
};
Apart apart(const Entry& e, const Entry& first) {
  Apart far;
  for (std::size_t b = 1; b < e.end.size(); ++b)
    if (const double d = (e.end[b] - first.end[b]).norm(); d > far.distance)
      far = {static_cast<int>(b), d};
  return far;
}

void print_table(const std::vector<Entry>& all, const Model& model) {
  std::size_t width = 8;
  for (const Entry& e : all) width = std::max(width, e.label.size());
  const Json& first = all.front().summary;
  print_safe("{}: {} steps of {:.6g} s under {} models\n\n  {:<{}}", model.name,
             first["steps"].get<std::int64_t>(), model.option.timestep, all.size(), "contact",
             width);
  for (const Column& c : compare_columns()) print_safe(" {:>12}", c.title);
  print_safe("  farthest from {}\n", all.front().label);
  for (const Entry& e : all) {
    print_safe("  {:<{}}", e.label, width);
    for (const Column& c : compare_columns()) {
      const Json& x = e.summary[c.field];
      print_safe(" {:>12}", x.is_null() ? "-" : fmt::format("{:.3g}", x.get<double>()));
    }
    const Apart far = apart(e, all.front());
    if (e.diverged_body >= 0)
      print_safe("  diverged at t = {:.4g} s, body '{}'", e.summary["time"].get<double>(),
                 model.body_names[e.diverged_body]);
    else if (far.body > 0)
      print_safe("  {:.3g} m, {}", far.distance, model.body_names[far.body]);
    print_safe("\n");
  }

  constexpr int kMost = 24;
  int shown = 0;
  print_safe("\n  where each body ended (m)\n");
  for (int b = 1; b < model.nbody(); ++b) {
    if (model.bodies[static_cast<std::size_t>(b)].link < 0) continue;
    if (++shown > kMost) continue;
    for (const Entry& e : all) {
      const Vec3& p = e.end[static_cast<std::size_t>(b)];
      print_safe("  {:<20} {:<{}} {:12.6f} {:12.6f} {:12.6f}\n",
                 &e == &all.front() ? model.body_names[b] : "", e.label, width, p.x(), p.y(),
                 p.z());
    }
  }
  if (shown > kMost) print_safe("  .. and {} more; --json has them all\n", shown - kMost);
}

int compare_command(const CompareArguments& a) {
  const Model model = a.world.read(a.quiet);
  Warnings warnings(a.quiet || a.json, warning_lines(model));
  std::vector<Entry> all = entries(a.contact, model);
  std::optional<view::PageFile> report;
  if (!a.report.empty()) report.emplace(a.report);
  ProgressBar bar(wants_progress(a.quiet), "preparing the runs");
  for (std::size_t i = 0; i < all.size(); ++i) run_entry(a, model, all, i, warnings, bar);
  bar.end();

  if (report) {
    const Uninterrupted whole;
    report->write(compare_page(all, model));
  }
  if (a.json) {
    Json out = Json::array();
    for (Entry& e : all) {
      const Apart far = apart(e, all.front());
      Json one = {{"label", e.label}, {"diverged", e.diverged_body >= 0}};
      one["farthest"] = {{"body", far.body > 0 ? Json(model.body_names[far.body]) : Json()},
                         {"distance", far.distance}};
      one.update(e.summary);
      out.push_back(std::move(one));
    }
    print_json(out);
  } else if (!a.quiet) {
    print_table(all, model);
    if (report)
      print_safe("\n  open {} in a browser: a replay that plays by itself, and curves\n", a.report);
  }
  const auto lost = [](const Entry& e) { return e.diverged_body >= 0; };
  return std::any_of(all.begin(), all.end(), lost) ? kDiverged : kDone;
}

}  // namespace

void add_compare(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<CompareArguments>();
  CompareArguments& a = *args;
  a.contact.contact = "st,ap";
  CLI::App* command = app.add_subcommand("compare", "run a world under several contact models");
  add_world_flags(*command, a.world);
  add_contact_flags(*command, a.contact);
  command
      ->add_option("--report", a.report,
                   "one page with a replay, a table and curves, for a browser")
      ->option_text("FILE.html");
  command->add_flag("--json", a.json, "one JSON document on stdout: a list with one entry per run");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->footer(
      "--contact, --friction and --stabilize take lists; every combination is run.\n"
      "Examples:\n"
      "  abut compare diff_drive --contact st,ap --time 2\n"
      "  abut compare four_bar --stabilize none,baumgarte:50,post --report drift.html\n"
      "Exit codes: 0 done, 2 bad usage or input, 3 one of them diverged, 130 or 143 stopped by\n"
      "SIGINT (^C) or SIGTERM.");
  command->callback([args, exit_code] { *exit_code = compare_command(*args); });
}

}  // namespace abut::tool
