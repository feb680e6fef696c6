#include "haptic_run.h"

#include <fmt/format.h>

#include "abut/haptic/device/open_device.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "abut/haptic/record/haptic_recording.h"
#include "abut/math/output_file.h"
#include "abut/simulate/run.h"
#include "interrupt.h"
#include "last_state.h"
#include "run_summary.h"
#include "warnings.h"

namespace abut::tool {

namespace {

using namespace haptic;

// The world with the pointer held as asked, at the step of the cycle.
Model haptic_model(const HapticFlags& flags, const WorldFlags& world_flags) {
  World world = world_flags.describe();
  if (const std::string& hold = flags.hold; !hold.empty()) {
    if (hold != "coupled" && hold != "posed")
      throw UsageError(fmt::format("--hold {}: write coupled or posed", hold));
    hold_pointer(world, hold == "posed" ? Hold::posed : Hold::coupled);
  }
  Model model = world_flags.build(world);
  if (world_flags.step.empty()) model.option.timestep = 1 / flags.rate;
  return model;
}

Json percentiles(const Durations& d) {
  const auto us = [&](double seconds) { return seconds * 1e6; };
  return {{"p50", us(d.percentile(0.5))},
          {"p99", us(d.percentile(0.99))},
          {"p999", us(d.percentile(0.999))},
          {"p9999", us(d.percentile(0.9999))},
          {"max", us(d.max())}};
}

}  // namespace

Json haptic_json(const HapticFlags& flags, const HapticParts& parts, const LoopReport& report) {
  const HapticCycle& cycle = *parts.cycle;
  const HapticSettings& s = cycle.settings();
  Json j;
  j["rate"] = s.rate;
  j["cycles"] = report.cycles;
  j["late"] = report.late;
  j["compute_us"] = percentiles(report.compute);
  j["wake_us"] = percentiles(report.wake);
  j["force_max"] = cycle.force_max();
  j["torque_max"] = cycle.torque_max();
  j["energy_out"] = cycle.energy_out();
  j["device"] = parts.device->info().name;
  j["clock"] = flags.clock;
  j["hold"] = name(s.hold);
  j["pointer"] = cycle.model().body_names[s.pointer];
  j["steps"] = cycle.steps();
  j["stand_by"] = report.stand_by;
  j["behind_s"] = cycle.behind();
  j["refused"] = cycle.refused();
  j["silences"] = cycle.guard().silences();
  j["trips"] = cycle.guard().trips();
  j["realtime"] = {{"fifo", report.fifo}, {"locked", report.locked}};
  if (s.hold == Hold::coupled)
    j["coupling"] = {{"stiffness", s.gains.stiffness},
                     {"damping", s.gains.damping},
                     {"turn_stiffness", s.gains.turn_stiffness},
                     {"turn_damping", s.gains.turn_damping}};
  j["limit"] = {{"force", s.most_force}, {"torque", s.most_torque}};
  return j;
}

void print_haptic(const Json& h, const HapticParts& parts) {
  print_safe("{}: {} cycles at {:.6g} Hz, device {}, pointer '{}' {}, contact {}\n",
             parts.model.name, h["cycles"].get<std::int64_t>(), h["rate"].get<double>(),
             h["device"].get<std::string>(), h["pointer"].get<std::string>(),
             h["hold"].get<std::string>(), parts.cycle->simulator().contact().settings().model);
  for (const char* key : {"compute_us", "wake_us"})
    print_safe("  {:<11} p50 {:.1f}, p99 {:.1f}, p99.9 {:.1f}, p99.99 {:.1f}, most {:.1f} us\n",
               std::string_view(key) == "wake_us" ? "wake-up" : "computation",
               h[key]["p50"].get<double>(), h[key]["p99"].get<double>(),
               h[key]["p999"].get<double>(), h[key]["p9999"].get<double>(),
               h[key]["max"].get<double>());
  print_safe("  late        {} ({} answered by the stand-by)\n", h["late"].get<std::int64_t>(),
             h["stand_by"].get<std::int64_t>());
  print_safe("  felt        at most {:.4g} N, {:.4g} N m; energy given out {:.4g} J\n",
             h["force_max"].get<double>(), h["torque_max"].get<double>(),
             h["energy_out"].get<double>());
}

std::vector<std::string> haptic_run_warnings(const HapticFlags& flags, const LoopReport& report) {
  std::vector<std::string> lines;
  if (flags.clock == "simulated") return lines;
  if (report.late > 0)
    lines.push_back(
        fmt::format("{} of {} cycles were late; the hand felt the last contact, made linear",
                    report.late, report.cycles));
  if (!report.fifo)
    lines.push_back(
        "real-time priority (SCHED_FIFO) is not allowed here; other programs delay cycles");
  return lines;
}

std::unique_ptr<HapticParts> haptic_parts(const HapticFlags& flags, const WorldFlags& world,
                                          const ContactFlags& contact_flags, int threads) {
  if (flags.clock != "real" && flags.clock != "simulated")
    throw UsageError(fmt::format("--clock {}: write real or simulated", flags.clock));
  if (!(flags.rate > 0)) throw UsageError("--rate: write cycles a second, above 0");
  auto parts = std::make_unique<HapticParts>(HapticParts{haptic_model(flags, world), {}, {}, {}});
  const Model& model = parts->model;
  const ContactSettings contact = contact_flags.over(model);
  State state(model);
  Input input(model);
  world.start(model, state, input);
  const HapticSettings settings = haptic_settings(model, flags.rate);
  parts->cycle = std::make_unique<HapticCycle>(model, contact, settings, state, input);
  parts->cycle->simulator().set_threads(threads);
  parts->warnings = warning_lines(model);
  for (std::vector<std::string> more :
       {parts->cycle->simulator().warnings(), haptic_warnings(model, settings)})
    parts->warnings.insert(parts->warnings.end(), more.begin(), more.end());
  parts->device = open_device(flags.device, settings);
  return parts;
}

namespace {

HapticRecording::Notes notes_of(const HapticParts& parts) {
  const HapticCycle& cycle = *parts.cycle;
  return {parts.model.name,
          cycle.simulator().contact().settings().model,
          std::string(name(cycle.settings().hold)),
          parts.device->info().name,
          fmt::format("{:016x}", cycle.state().hash()),
          cycle.settings().rate};
}

// Does a recorded run again, and says whether it is the same, to the last bit.
int replay_run(const HapticRun& run, HapticParts& parts) {
  const HapticRecording recording = HapticRecording::read(run.haptic.replay);
  HapticCycle& cycle = *parts.cycle;
  const HapticRecording::Notes was = recording.notes, is = notes_of(parts);
  if (was.world != is.world || was.contact != is.contact || was.hold != is.hold ||
      was.rate != is.rate)
    throw UsageError(fmt::format(
        "--replay {}: is of world {}, contact {}, {} at {} Hz; this run is of {}, {}, {} at {} Hz",
        run.haptic.replay, was.world, was.contact, was.hold, was.rate, is.world, is.contact,
        is.hold, is.rate));
  std::int64_t differs = 0;
  for (const TickEvent& e : recording.events()) {
    const HandWrench w = replay(e, cycle);
    const bool written = e.kind == TickEvent::Kind::step || e.kind == TickEvent::Kind::late;
    if (written && (w.force != e.wrench.force || w.torque != e.wrench.torque)) ++differs;
  }
  const std::string hash = fmt::format("{:016x}", cycle.state().hash());
  const bool same = differs == 0 && hash == was.hash && recording.lost() == 0;
  const Json j = {{"world", is.world},
                  {"contact", is.contact},
                  {"hash", hash},
                  {"replay",
                   {{"file", run.haptic.replay},
                    {"events", recording.events().size()},
                    {"lost", recording.lost()},
                    {"wrenches_that_differ", differs},
                    {"hash", was.hash},
                    {"same", same}}}};
  if (run.json)
    print_json(j);
  else if (!run.quiet)
    print_safe(
        "{}: {} events done again, {}\n", run.haptic.replay, recording.events().size(),
        same ? "with the same bits"
             : fmt::format("{} wrenches differ, hash {} where it was {}", differs, hash, was.hash));
  return same ? kDone : kCheckFailed;
}

// Events of a run: one a tick, and two more for each late step.
std::size_t room_for(double time, double rate) {
  constexpr double kMostRoom = 2e7;
  return static_cast<std::size_t>(std::min(kMostRoom, 1000 + 1.5 * time * rate));
}

}  // namespace

int run_haptic(const HapticRun& run) {
  const std::unique_ptr<HapticParts> parts =
      haptic_parts(run.haptic, run.world, run.contact, run.threads);
  const Model& model = parts->model;
  HapticCycle& cycle = *parts->cycle;
  if (!run.haptic.replay.empty()) return replay_run(run, *parts);
  HapticRecording recording(run.record.empty() ? 0 : room_for(run.world.time, run.haptic.rate));
  if (!run.record.empty()) check_output(run.record);
  Warnings warnings(run.quiet || run.json, {});
  warnings.add(parts->warnings);

  RunOutcome outcome;
  LoopSettings loop_settings;
  loop_settings.time = run.world.time;
  loop_settings.clock = run.haptic.clock == "simulated" ? Clock::simulated : Clock::real;
  loop_settings.stop = &stop_asked();
  loop_settings.after_step = [&](const HapticCycle& c) {
    outcome.contact.add(c.simulator().contact());
  };
  if (!run.record.empty()) loop_settings.on_event = [&](const TickEvent& e) { recording.add(e); };
  HapticLoop loop(cycle, *parts->device, loop_settings);
  {
    const EndsItself in_order;
    if (run.world.time > 0) loop.run();
  }
  outcome.steps = cycle.steps() * cycle.settings().steps;
  outcome.wall_s = loop.report().wall;
  outcome.diverged_body = cycle.diverged_body();
  outcome.stopped = interrupted();
  warnings.add(haptic_run_warnings(run.haptic, loop.report()));
  if (!run.record.empty()) {
    recording.notes = notes_of(*parts);
    recording.write(run.record);
    if (recording.lost() > 0)
      warnings.add(fmt::format("{} events did not fit into the recording", recording.lost()));
  }
  if (!run.save.empty()) save_state(model, cycle.state(), cycle.input(), run.save);

  Measure measure(model);
  Json j = summary(cycle.simulator(), cycle.state(), cycle.input(), outcome, {0, true}, measure,
                   warnings.lines());
  j["haptic"] = haptic_json(run.haptic, *parts, loop.report());
  if (run.json)
    print_json(j);
  else if (!run.quiet)
    print_haptic(j["haptic"], *parts);
  if (outcome.diverged_body < 0) return kDone;
  print_safe(stderr, "abut: diverged after t = {:.6g} s at body '{}'; the hand was let go; {}\n",
             cycle.state().time, model.body_names[outcome.diverged_body],
             LastState(run.world.world, model, false).save(model, cycle.state(), cycle.input()));
  return kDiverged;
}

void add_haptic_flags(CLI::App& command, HapticFlags& f) {
  command.add_flag("--haptic", f.on, "a hand holds the pointer, in real time (docs/haptics.md)");
  command
      .add_option(
          "--device", f.device,
          "with --haptic: simulated (default), udp[:PORT], haply[:ws://HOST:PORT], the file of a "
          "driver; mouse, in the browser")
      ->option_text("NAME|FILE.so[:..]");
  command.add_option("--rate", f.rate, "with --haptic: cycles a second (default 1000)")
      ->option_text("HZ");
  command
      .add_option("--hold", f.hold,
                  "with --haptic: coupled (spring and damper) or posed (default: the world's)")
      ->option_text("NAME");
  command
      .add_option("--replay", f.replay,
                  "with run --haptic: do a recorded run again, and say whether it is the same")
      ->option_text("FILE.h5");
  command
      .add_option("--clock", f.clock,
                  "with --haptic: real (default), or simulated: as fast as it can, with the same "
                  "result each time")
      ->option_text("NAME");
}

}  // namespace abut::tool
