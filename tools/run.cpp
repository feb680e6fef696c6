// abut run: simulate.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "abut/model/kinematics.h"
#include "abut/simulate/outside.h"
#include "abut/simulate/run.h"
#include "abut/version.h"
#include "abut/view/page_file.h"
#include "abut/view/report.h"
#include "commands.h"
#include "common.h"
#include "outputs.h"
#include "progress.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string world, step, contact, data, friction, stabilize, solver, integrator, keyframe;
  std::string from, save, out, control, measure, report, record, csv;
  std::vector<std::string> set, push, drive;
  double time = 10;
  int record_every = 1;
  LoadOptions load;
  bool json = false, quiet = false, profile = false;
};

std::atomic<bool> interrupted{false};

// Names that no part of this build answers to: never an alias of something else.
void refuse_unbuilt(const RunArguments& a, const Model& model) {
  std::string contact = a.contact;
  if (const auto it = model.custom.find("abut.contact");
      contact.empty() && it != model.custom.end())
    contact = it->second.text;
  if (!contact.empty() && contact != "none")
    throw UsageError(fmt::format("contact model '{}' is not built; there is: none", contact));
  const std::pair<const char*, const std::string*> axes[] = {{"--data", &a.data},
                                                             {"--friction", &a.friction},
                                                             {"--stabilize", &a.stabilize},
                                                             {"--solver", &a.solver}};
  for (const auto& [flag, value] : axes)
    if (!value->empty())
      throw UsageError(fmt::format("{} {}: contact model 'none' takes no {}", flag, *value, flag));
}

MeasureWhen parse_measure(const std::string& text, const Model& model) {
  if (text.empty()) return MeasureWhen::default_for(model);
  if (text == "all") return {1, false};
  if (text == "end") return {0, false};
  if (text == "off") return {0, true};
  const double n = parse_number(text, "--measure");
  if (n < 1 || n != std::floor(n) || n > 1e9)
    throw UsageError("--measure " + text + ": write all, end, off, or a number of steps");
  return {static_cast<int>(n), false};
}

// Everything that acts from outside, gathered from the flags.
struct Outside {
  std::vector<Push> pushes;
  std::vector<ControlTable> controls;
  std::vector<DrivePath> drives;

  Outside(const RunArguments& a, const Model& model) {
    for (const std::string& text : a.push) pushes.push_back(parse_push(model, text));
    if (!a.control.empty()) controls.emplace_back(model, read_csv(a.control));
    for (const std::string& text : a.drive) {
      const auto equals = text.find('=');
      if (equals == std::string::npos)
        throw UsageError(fmt::format("--drive {}: write BODY=FILE.csv", text));
      const std::string name = text.substr(0, equals);
      const int body = model.find_body(name);
      if (body < 0) throw UsageError(fmt::format("--drive {}: no body '{}'", text, name));
      drives.emplace_back(model, body, read_csv(text.substr(equals + 1)));
    }
  }
  bool empty() const { return pushes.empty() && controls.empty() && drives.empty(); }
};

Json bodies_json(const Model& model, const Derived& d) {
  Json bodies = Json::object();
  for (int b = 1; b < model.nbody(); ++b) {
    const Spatial t = twist_at(model, d, model.bodies[b].link, d.body_pose[b].p);
    bodies[model.body_names[b]] = {{"position", to_json(d.body_pose[b].p)},
                                   {"quaternion", to_json(d.body_pose[b].q)},
                                   {"linear_velocity", to_json(t.lin)},
                                   {"angular_velocity", to_json(t.ang)}};
  }
  return bodies;
}

Json summary(const Model& model, const State& state, const Input& input, const RunOutcome& outcome,
             const MeasureWhen& when, Measure& measure, const Profile& profile,
             const std::vector<std::string>& warnings) {
  Json j;
  j["world"] = model.name;
  j["contact"] = "none";
  j["data"] = nullptr;
  j["friction"] = nullptr;
  j["stabilize"] = nullptr;
  j["solver"] = nullptr;
  j["integrator"] = integrator_name(model.option.integrator);
  j["step"] = model.option.timestep;
  j["steps"] = outcome.steps;
  j["time"] = state.time;
  j["wall_s"] = outcome.wall_s;
  j["steps_per_s"] =
      outcome.wall_s > 0 ? Json(static_cast<double>(outcome.steps) / outcome.wall_s) : Json();
  j["measure_s"] = outcome.measure_s;
  j["contacts"] = 0;
  const Sample end = measure.sample(state, input);
  j["energy"] = {{"kinetic", end.energy.kinetic},
                 {"potential", end.energy.potential},
                 {"contact", 0.0},
                 {"stabilization", 0.0}};
  j["energy_drift"] = when.off ? Json() : Json(measure.energy_drift());
  j["momentum"] = {{"linear", to_json(end.momentum.linear)},
                   {"angular", to_json(end.momentum.angular)}};
  j["momentum_drift"] = when.off ? Json() : Json(measure.momentum_drift());
  j["penetration"] = {{"max", nullptr}, {"mean", nullptr}};
  j["penetration_end"] = {{"max", nullptr}, {"mean", nullptr}};
  j["joint_error_max"] = 0.0;
  j["residual_max"] = nullptr;
  j["fallbacks"] = 0;
  j["contact_force_total"] = 0.0;
  j["contact_pairs"] = Json::array();
  j["used"] = Json::object();
  j["hash"] = fmt::format("{:016x}", state.hash());
  j["warnings"] = warnings;
  if (profile.enabled) {
    Json stages = Json::object();
    for (std::size_t s = 0; s < kStageNames.size(); ++s)
      stages[std::string(kStageNames[s])] = profile.seconds(static_cast<Stage>(s));
    j["profile"] = stages;
  }
  j["bodies"] = bodies_json(model, measure.derived());
  return j;
}

view::RunFacts report_facts(const Model& model, const State& state, const RunOutcome& outcome,
                            const MeasureWhen& when, const Measure& measure, const Profile& profile,
                            const std::vector<std::string>& warnings) {
  view::RunFacts facts;
  facts.version = version();
  facts.integrator = integrator_name(model.option.integrator);
  facts.outcome = outcome;
  facts.time = state.time;
  facts.hash = state.hash();
  facts.warnings = warnings;
  if (!when.off) facts.energy_drift = measure.energy_drift();
  if (!when.off) facts.momentum_drift = measure.momentum_drift();
  for (std::size_t s = 0; s < kStageNames.size() && profile.enabled; ++s)
    facts.stages.push_back(
        {std::string(kStageNames[s]), profile.seconds(static_cast<Stage>(s)), ""});
  return facts;
}

void print_summary(const Json& j, const Model& model, const std::vector<Pose>& start,
                   const Derived& end) {
  fmt::print("{}: {} steps of {:.6g} s to t = {:.6g} s, {} integrator, no contact\n",
             j["world"].get<std::string>(), j["steps"].get<std::int64_t>(), j["step"].get<double>(),
             j["time"].get<double>(), j["integrator"].get<std::string>());
  const double wall = j["wall_s"].get<double>();
  if (wall > 0)
    fmt::print("  {:.3g} s of wall clock, {:.4g} steps/s, {:.3g} times real time\n", wall,
               j["steps_per_s"].get<double>(),
               j["steps"].get<double>() * j["step"].get<double>() / wall);
  fmt::print("  energy      kinetic {:.6g} J, potential {:.6g} J",
             j["energy"]["kinetic"].get<double>(), j["energy"]["potential"].get<double>());
  if (!j["energy_drift"].is_null())
    fmt::print("; drift {:.3g} (relative)", j["energy_drift"].get<double>());
  fmt::print("\n");
  auto vector = [&](const Json& v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", v[0].get<double>(), v[1].get<double>(),
                       v[2].get<double>());
  };
  fmt::print("  momentum    linear {} N s, angular {} N m s", vector(j["momentum"]["linear"]),
             vector(j["momentum"]["angular"]));
  if (!j["momentum_drift"].is_null())
    fmt::print("; drift {:.3g} (relative)", j["momentum_drift"].get<double>());
  fmt::print("\n  hash        {}\n", j["hash"].get<std::string>());
  if (j.contains("profile")) {
    fmt::print("  profile    ");
    for (const auto& [name, s] : j["profile"].items())
      fmt::print(" {} {:.3g} s,", name, s.get<double>());
    fmt::print("\n");
  }

  constexpr int kMost = 24;
  fmt::print("\n  {:<20} {:<30} {:<30} {:>9}\n", "body", "from (m)", "to (m)", "turned");
  int shown = 0, movers = 0;
  for (int b = 1; b < model.nbody(); ++b) {
    if (model.bodies[b].link < 0 && model.bodies[b].mocap < 0) continue;
    if (++movers > kMost) continue;
    ++shown;
    const Pose &x = start[b], &y = end.body_pose[b];
    const double turned = 2 * std::acos(std::min(1.0, std::abs(x.q.dot(y.q)))) * 180 / M_PI;
    auto point = [](const Vec3& p) {
      return fmt::format("{:8.3f} {:8.3f} {:8.3f}", p.x(), p.y(), p.z());
    };
    fmt::print("  {:<20} {:<30} {:<30} {:>6.1f} deg\n", model.body_names[b], point(x.p), point(y.p),
               turned);
  }
  if (movers > shown) fmt::print("  .. and {} more; --json has them all\n", movers - shown);
}

int run_command(const RunArguments& a) {
  Model model = load_for_tool(a.world, a.quiet || a.json, a.load);
  if (!a.integrator.empty()) model.option.integrator = parse_integrator(a.integrator);
  for (const std::string& s : a.set) apply_setting(model, s);
  if (!a.step.empty()) model.option.timestep = parse_number(a.step, "--step");
  if (!(model.option.timestep > 0)) throw UsageError("--step " + a.step + ": must be positive (s)");
  if (!(a.time >= 0) || a.time / model.option.timestep > 1e15)
    throw UsageError(
        fmt::format("--time {}: must be zero or positive (s), and at most 1e15 steps", a.time));
  refuse_unbuilt(a, model);
  if (const std::string why = why_not_simulated(model); !why.empty())
    throw UsageError(fmt::format("{}: {}", a.world, why));

  // where to start
  State state(model);
  Input input(model);
  if (!a.from.empty() && !a.keyframe.empty()) throw UsageError("--from and --keyframe: choose one");
  std::string keyframe = a.keyframe;
  if (const auto it = model.custom.find("abut.keyframe");
      keyframe.empty() && it != model.custom.end())
    keyframe = it->second.text;
  if (!keyframe.empty()) start_at_keyframe(model, keyframe, state, input);
  if (!a.from.empty()) load_state(model, a.from, state, input);

  const Outside outside(a, model);
  Simulator simulator(model);
  simulator.profile().enabled = a.profile;
  Measure measure(model);
  measure.sample(state, input);
  const std::vector<Pose> start = measure.derived().body_pose;

  RunSettings settings;
  settings.time = a.time;
  MeasureWhen when = parse_measure(a.measure, model);
  // a report has curves, also of worlds so large that each sample costs
  if (!a.report.empty() && a.measure.empty() && when.every == 0)
    when.every = static_cast<int>(std::clamp<std::int64_t>(
        step_count(a.time, model.option.timestep) / 500, 1, 1'000'000'000));
  settings.measure = when;
  settings.stop = &interrupted;
  Derived poses(model);
  if (!outside.empty())
    settings.control = [&](const Model& m, const State& s, Input& in) {
      for (const ControlTable& c : outside.controls) c.apply(s.time, in);
      for (const DrivePath& path : outside.drives) path.apply(s.time, in);
      if (outside.pushes.empty()) return;
      positions(m, s, in, poses);
      for (const Push& push : outside.pushes) push.apply(m, poses, s.time, in);
    };
  if (!a.csv.empty() && when.off)
    throw UsageError("--csv: there is nothing to write with --measure off");
  Outputs outputs({a.world, a.out, a.csv, a.record, a.record_every}, model, state, interrupted);
  std::optional<view::PageFile> report_file;
  view::Report report(model);
  if (!a.report.empty()) report_file.emplace(a.report);
  settings.observe = [&](std::int64_t step, const State& s, const Sample& sample) {
    outputs.observe(step, s, sample);
    if (report_file) report.observe(s, sample, measure.derived());
  };
  outputs.record_into(settings);
  ProgressBar bar(!a.quiet && isatty(STDERR_FILENO));
  settings.progress = [&](std::int64_t done, std::int64_t all) { bar.show(done, all); };

  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, [](int) { interrupted = true; });
  const RunOutcome outcome = run(simulator, state, input, settings, measure);
  bar.clear();

  std::vector<std::string> warnings = warning_lines(model);
  if (outcome.stopped && outputs.failure().empty())
    warnings.push_back(fmt::format("stopped by the user at t = {:.6g} s", state.time));
  outputs.close(outcome.diverged_body >= 0 ? "diverged"
                : outcome.stopped          ? "stopped"
                                           : "done",
                {warnings.begin() + std::ssize(model.warnings), warnings.end()});
  for (std::size_t i = model.warnings.size(); i < warnings.size() && !a.quiet && !a.json; ++i)
    fmt::print(stderr, "warning: {}\n", warnings[i]);

  if (!a.save.empty()) save_state(model, state, input, a.save);
  Json j = summary(model, state, input, outcome, when, measure, simulator.profile(), warnings);
  if (outputs.recording()) j["record_s"] = outcome.record_s;
  if (!a.out.empty()) {
    std::ofstream out(fs::path(a.out) / "summary.json");
    out << j.dump(2) << '\n';
    if (!out) throw UsageError((fs::path(a.out) / "summary.json").string() + ": cannot be written");
  }
  if (report_file)
    report_file->write(report.page(
        report_facts(model, state, outcome, when, measure, simulator.profile(), warnings)));
  if (a.json)
    print_json(j);
  else if (!a.quiet)
    print_summary(j, model, start, measure.derived());
  if (!a.out.empty() && !a.quiet && !a.json)
    fmt::print("\n  wrote {0}/summary.json, {0}/measures.csv\n", a.out);
  if (report_file && !a.quiet && !a.json)
    fmt::print("\n  open {} in a browser to see what happened\n", a.report);

  for (const std::string* file : {&a.record, &a.csv})
    if (!file->empty() && outputs.failure().empty() && !a.quiet && !a.json)
      fmt::print("  wrote {}\n", *file);

  if (!outputs.failure().empty()) {
    const std::string last = find_world(a.world).stem().string() + ".last.state";
    save_state(model, state, input, last);
    fmt::print(stderr, "abut: {}\n      the run stopped at t = {:.6g} s; go on with --from {}\n",
               outputs.failure(), state.time, last);
    // not by main's end: HDF5 would try to close a file that it failed to write, and crash
    std::fflush(nullptr);
    std::_Exit(kBadInput);
  }
  if (outcome.diverged_body >= 0) {
    const std::string last = find_world(a.world).stem().string() + ".last.state";
    save_state(model, state, input, last);
    fmt::print(stderr,
               "abut: diverged after t = {:.6g} s at body '{}'; the last good state is in {}\n"
               "      try a smaller --step, or --integrator implicit or rk4\n",
               state.time, model.body_names[outcome.diverged_body], last);
    return kDiverged;
  }
  return kDone;
}

}  // namespace

void add_run(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<RunArguments>();
  RunArguments& a = *args;
  CLI::App* command = app.add_subcommand("run", "simulate a world");
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form);
  };
  option("world", a.world, "MJCF or URDF file, or the name of a world", "WORLD")->required();
  option("--time", a.time, "seconds to simulate (default 10)", "S");
  option("--step", a.step, "time step in seconds: 0.004 or 1/240 (default: the world's)", "S");
  option("--integrator", a.integrator, "euler, implicit, explicit, rk4 (default: the world's)",
         "NAME");
  option("--contact", a.contact, "contact model (see 'abut models')", "NAME");
  option("--data", a.data, "what the contact model is fed", "NAME");
  option("--friction", a.friction, "friction model", "NAME");
  option("--stabilize", a.stabilize, "stabiliser", "NAME");
  option("--solver", a.solver, "solver, or a chain a,b,c", "NAME");
  option("--keyframe", a.keyframe,
         "start from a keyframe (default: the world's abut.keyframe, else qpos0)", "NAME");
  option("--set", a.set, "change a setting; repeatable", "KEY=VALUE")->allow_extra_args(false);
  option("--control", a.control, "controls over time: CSV with columns t and actuators' names",
         "FILE");
  option("--push", a.push, "push a body; repeatable", "T0,DURATION,BODY,FX,FY,FZ[,PX,PY,PZ]")
      ->allow_extra_args(false);
  option("--drive", a.drive, "path of a mocap body: CSV t,x,y,z,qw,qx,qy,qz; repeatable",
         "BODY=FILE")
      ->allow_extra_args(false);
  option("--from", a.from, "start from a saved state", "STATE");
  option("--save", a.save, "save the state at the end", "STATE");
  option("--out", a.out, "folder for summary.json and measures.csv", "DIR");
  option("--report", a.report, "one page that shows the run, for a browser", "FILE.html");
  option("--record", a.record, "record the run to an HDF5 file (docs/recording.md)", "FILE.h5");
  option("--record-every", a.record_every, "record every N-th step (default 1)", "N");
  option("--csv", a.csv, "write the measures to a table", "FILE");
  option("--measure", a.measure,
         "all, every N steps, end, off (default: all below 200 bodies, else end)", "WHEN");
  command->add_flag("--floating-base", a.load.floating_base, "URDF: the root link floats");
  command->add_flag("--profile", a.profile, "time of each stage of the step");
  command->add_flag("--json", a.json, "one JSON document on stdout");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  abut run worlds/pendulum.xml --time 5\n"
      "  abut run arm6 --keyframe home --push 1,0.1,wrist,0,0,50\n"
      "  abut run t_handle --time 50 --save half.state\n"
      "  abut run double_pendulum --record out.h5 --record-every 10\n"
      "  abut run t_handle --from half.state --time 50 --json\n"
      "Exit codes: 0 done, 2 bad usage or input, 3 diverged.");
  command->callback([args, exit_code] { *exit_code = run_command(*args); });
}

}  // namespace abut::tool
