// abut run: simulate.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "abut/math/output_file.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/exclude_lines.h"
#include "abut/simulate/outside.h"
#include "abut/simulate/record/recorded_controls.h"
#include "abut/simulate/record/recording.h"
#include "abut/simulate/run.h"
#include "abut/version.h"
#include "abut/view/page/page_file.h"
#include "abut/view/page/report.h"
#include "abut/view/page/viewer_page.h"
#include "commands.h"
#include "common.h"
#include "contact_flags.h"
#include "dump_problems.h"
#include "haptic_run.h"
#include "interrupt.h"
#include "last_state.h"
#include "outputs.h"
#include "progress.h"
#include "run_summary.h"
#include "warnings.h"
#include "world_flags.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;

struct RunArguments {
  WorldFlags world;
  std::string from, save, out, control, measure, report, record, csv, dump;
  ContactFlags contact;
  HapticFlags haptic;
  std::vector<std::string> push, drive, pd;
  int record_every = 1, threads = 0;
  bool json = false, quiet = false, profile = false;
};

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

// A state file, FILE.h5 (its last row: also of a run that was killed) or FILE.h5:ROW.
void start_from(const std::string& from, const Model& model, State& state, Input& input) {
  std::string file = from;
  std::optional<double> row;
  if (const auto colon = from.rfind(".h5:"); colon != std::string::npos) {
    file = from.substr(0, colon + 3);
    row = parse_number(from.substr(colon + 4), "--from " + file);
    if (*row < 0 || *row != std::floor(*row) || *row > 1e15)
      throw UsageError(fmt::format("--from {}: the row is a whole number, from 0", from));
  }
  if (!file.ends_with(".h5") && !file.ends_with(".hdf5"))
    return load_state(model, file, state, input);
  const Recording recording(file);
  const auto at = row ? static_cast<std::int64_t>(*row) : recording.rows() - 1;
  recording.read_state(at, state);
  if (!input.ctrl.empty()) input.ctrl = recording.read("ctrl", at, 1);
  const std::vector<Pose> poses = recording.poses(at);
  for (int b = 0; b < model.nbody(); ++b)
    if (const int mocap = model.bodies[static_cast<std::size_t>(b)].mocap; mocap >= 0)
      input.mocap[static_cast<std::size_t>(mocap)] = poses[static_cast<std::size_t>(b)];
}

// Everything that acts from outside, gathered from the flags.
struct Outside {
  std::vector<Push> pushes;
  std::vector<ControlTable> controls;
  std::vector<DrivePath> drives;
  PdTargets targets;

  Outside(const RunArguments& a, const Model& model) : targets(model) {
    for (const std::string& text : a.pd) targets.set(text);
    for (const std::string& text : a.push) pushes.push_back(parse_push(model, text));
    if (!a.control.empty()) controls.emplace_back(model, read_controls(a.control));
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
  bool empty() const {
    return pushes.empty() && controls.empty() && drives.empty() && targets.empty();
  }
};

view::RunFacts report_facts(Integrator integrator, const std::string& contact, const State& state,
                            const RunOutcome& outcome, const MeasureWhen& when,
                            const Measure& measure, const Profile& profile,
                            const std::vector<std::string>& warnings) {
  view::RunFacts facts;
  facts.version = version();
  facts.contact = contact;
  facts.integrator = integrator_name(integrator);
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

// Of what `run` takes, a hand in real time leaves little.
int run_with_hand(const RunArguments& a) {
  const std::pair<const char*, bool> others[] = {
      {"--from", !a.from.empty()},       {"--out", !a.out.empty()},
      {"--control", !a.control.empty()}, {"--pd", !a.pd.empty()},
      {"--measure", !a.measure.empty()}, {"--report", !a.report.empty()},
      {"--csv", !a.csv.empty()},         {"--dump-problems", !a.dump.empty()},
      {"--push", !a.push.empty()},       {"--drive", !a.drive.empty()},
      {"--profile", a.profile}};
  for (const auto& [flag, given] : others)
    if (given) throw UsageError(fmt::format("--haptic does not go with {}", flag));
  return run_haptic({a.haptic, a.world, a.contact, a.save, a.record, a.threads == 0 ? 1 : a.threads,
                     a.json, a.quiet});
}

int run_command(const RunArguments& a) {
  if (a.haptic.on) return run_with_hand(a);
  const Model model = a.world.read(a.quiet);
  Warnings warnings(a.quiet || a.json, warning_lines(model));
  const ContactSettings contact = a.contact.over(model);

  // where to start
  State state(model);
  Input input(model);
  if (!a.from.empty() && !a.world.keyframe.empty())
    throw UsageError("--from and --keyframe: choose one");
  a.world.start(model, state, input);
  if (!a.from.empty()) start_from(a.from, model, state, input);

  const Outside outside(a, model);
  ProgressBar bar(wants_progress(a.quiet), "preparing the run");
  Simulator simulator(model, contact);
  simulator.profile().enabled = a.profile;
  if (a.threads < 0)
    throw UsageError(
        fmt::format("--threads {}: write a number of threads, or 0 for all cores", a.threads));
  simulator.set_threads(a.threads);
  bar.clear();
  warnings.add(simulator.warnings());
  Measure measure(model);
  const Overlap overlap = measure.sample(state, input).overlap;
  bar.clear();
  // a saved state may have been pressed together by the forces of its model
  if (a.from.empty() && simulator.contact().contacts_on()) {
    warnings.add(overlap_warning(model, overlap));
    if (overlap.deep > 0) warnings.add(exclude_warning(model, measure.solids()));
  }
  const std::vector<Pose> start = measure.derived().body_pose;

  RunSettings settings;
  settings.time = a.world.time;
  MeasureWhen when = parse_measure(a.measure, model);
  // a report has curves, also of worlds so large that each sample costs
  if (!a.report.empty() && a.measure.empty() && when.every == 0)
    when.every = static_cast<int>(std::clamp<std::int64_t>(
        step_count(a.world.time, model.option.timestep) / 500, 1, 1'000'000'000));
  settings.measure = when;
  settings.stop = &stop_asked();
  Derived poses(model);
  if (!outside.empty())
    settings.control = [&](const Model& m, const State& s, Input& in) {
      for (const ControlTable& c : outside.controls) c.apply(s.time, in);
      for (const DrivePath& path : outside.drives) path.apply(s.time, in);
      outside.targets.apply(s, in);
      if (outside.pushes.empty()) return;
      positions(m, s, in, poses);
      for (const Push& push : outside.pushes) push.apply(m, poses, s.time, in);
    };
  if (!a.csv.empty() && when.off)
    throw UsageError("--csv: there is nothing to write with --measure off");
  if (!a.save.empty()) check_output(a.save);
  Outputs outputs({a.world.world, a.out, a.csv, a.record, contact.model, a.record_every,
                   simulator.integrator()},
                  model, state, stop_asked());
  const bool writes =
      !(a.out + a.csv + a.record + a.dump + a.report).empty();  // and may fill the disk
  LastState last_state(a.world.world, model, writes);
  std::optional<ProblemDump> dump;
  if (!a.dump.empty()) dump.emplace(a.dump, model.name, state.time, simulator, outputs);
  std::optional<view::PageFile> report_file;
  view::Report report(model);
  std::optional<view::Film> film;
  ContactForces forces;
  if (!a.report.empty()) report_file.emplace(a.report);
  if (report_file && view::has_viewer()) film.emplace(model, state, input);
  settings.observe = [&](std::int64_t step, const State& s, const Sample& sample) {
    outputs.observe(step, s, sample);
    if (report_file) report.observe(s, sample, measure.derived());
    if (!film || !film->wants(s.time)) return;
    if (step > 0) simulator.contact_forces(forces);
    film->observe(s, input, &sample, &forces);
  };
  outputs.record_into(settings);
  settings.progress = [&](std::int64_t done, std::int64_t all) { bar.show(done, all); };

  // a step that takes too long for who interrupts it: what is asked for holds all steps before it
  const State* good = &state;
  const EndsItself in_a_step([&] {
    outputs.close("stopped",
                  {fmt::format("stopped by the user in a step, at t = {:.6g} s", good->time)});
    if (!a.save.empty()) outputs.attempt([&] { save_state(model, *good, input, a.save); });
    if (!outputs.failure().empty())
      put(stderr, "abut: " + printable_lines(outputs.failure()) + "\n");
    put(stderr, fmt::format("abut: stopped in the middle of a step, at t = {:.6g} s; the files "
                            "end before it\n",
                            good->time));
  });
  Uninterrupted between_steps;
  settings.before_step = [&](const State& before) {
    good = &before;
    between_steps.pause();
  };
  settings.after_step = [&] { between_steps.resume(); };
  const RunOutcome outcome = run(simulator, state, input, settings, measure);
  bar.end();

  warnings.add(simulator.warnings());  // some show only under way
  warnings.add(run_warnings(outcome));
  if (outcome.stopped && outputs.failure().empty())
    warnings.add(fmt::format("stopped by the user at t = {:.6g} s", state.time));
  outputs.close(outcome.diverged_body >= 0 ? "diverged"
                : outcome.stopped          ? "stopped"
                                           : "done",
                warnings.of_run());

  if (!a.save.empty()) outputs.attempt([&] { save_state(model, state, input, a.save); });
  Json j = summary(simulator, state, input, outcome, when, measure, warnings.lines());
  if (outputs.recording()) j["record_s"] = outcome.record_s;
  if (!a.out.empty())
    outputs.attempt([&] { write_file(fs::path(a.out) / "summary.json", json_text(j)); });
  if (film && !film->frames().empty()) {
    if (outcome.steps > 0) simulator.contact_forces(forces);
    film->close(state, input, &measure.last(), outcome.diverged_body < 0 ? &forces : nullptr);
  }
  if (report_file)
    outputs.attempt([&] {
      report_file->write(
          report.page(report_facts(simulator.integrator(), contact.model, state, outcome, when,
                                   measure, simulator.profile(), warnings.lines()),
                      film ? &*film : nullptr));
    });
  if (a.json)
    print_json(j);
  else if (!a.quiet)
    print_summary(j, model, start, measure.derived());
  const bool tell = !a.quiet && !a.json && outputs.failure().empty();
  if (!a.out.empty() && tell) print_safe("\n  wrote {0}/summary.json, {0}/measures.csv\n", a.out);
  if (report_file && tell) print_safe("\n  open {} in a browser to see what happened\n", a.report);

  if (dump && tell)
    print_safe("  wrote {} problems to {}; 'abut solve {}/*.json' solves them\n", dump->count(),
               a.dump, a.dump);
  for (const std::string* file : {&a.record, &a.csv})
    if (!file->empty() && tell) print_safe("  wrote {}\n", *file);
  if (std::string why; !stdout_works(&why)) outputs.fail("stdout: cannot be written: " + why);

  if (!outputs.failure().empty()) {
    print_safe(stderr, "abut: {}\n      the run ended at t = {:.6g} s; {}\n", outputs.failure(),
               state.time, last_state.save(model, state, input));
    // not by main's end: HDF5 would try to close a file that it failed to write, and crash
    std::fflush(nullptr);
    std::_Exit(kBadInput);
  }
  if (outcome.diverged_body >= 0) {
    print_safe(stderr,
               "abut: diverged after t = {:.6g} s at body '{}'; {}\n"
               "      try a smaller --step, or --integrator implicit or rk4\n",
               state.time, model.body_names[outcome.diverged_body],
               last_state.save(model, state, input));
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
  add_world_flags(*command, a.world);
  add_contact_flags(*command, a.contact);
  add_haptic_flags(*command, a.haptic);
  option("--control", a.control,
         "controls over time: CSV with columns t and actuators' names, or a recording (.h5), whose "
         "controls are given again",
         "FILE");
  option("--pd", a.pd, "pull a hinge or slide to a position; repeatable",
         "JOINT,POSITION,STIFFNESS,DAMPING");
  option("--push", a.push, "push a body; repeatable", "T0,DURATION,BODY,FX,FY,FZ[,PX,PY,PZ]")
      ->allow_extra_args(false);
  option("--drive", a.drive, "path of a mocap body: CSV t,x,y,z,qw,qx,qy,qz; repeatable",
         "BODY=FILE")
      ->allow_extra_args(false);
  option("--from", a.from, "start from a saved state, or a row of a recording (the last)",
         "STATE|FILE.h5[:ROW]");
  option("--save", a.save, "save the state at the end", "STATE");
  option("--out", a.out, "folder for summary.json and measures.csv", "DIR");
  option("--report", a.report, "one page that shows the run, for a browser", "FILE.html");
  option("--record", a.record, "record the run to an HDF5 file (docs/recording.md)", "FILE.h5");
  option("--record-every", a.record_every, "record every N-th step (default 1)", "N");
  option("--csv", a.csv, "write the measures to a table", "FILE");
  option("--measure", a.measure,
         "all, every N steps, end, off (default: all below 200 bodies, else end)", "WHEN");
  option("--dump-problems", a.dump,
         "write every complementarity problem of the run, for 'abut solve'", "DIR");
  option("--threads", a.threads,
         "threads that a step may run on; results are the same for any number (default: all cores)",
         "N");
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
      "Exit codes: 0 done, 2 bad usage or input, or an output failed, 3 diverged, 130 or 143\n"
      "stopped by SIGINT (^C) or SIGTERM.");
  command->callback([args, exit_code] { *exit_code = run_command(*args); });
}

}  // namespace abut::tool
