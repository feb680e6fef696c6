#include "abut/sweep/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "abut/collide/planar/planar_world.h"
#include "abut/contact/choose.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/outside.h"
#include "abut/simulate/record/recorded_controls.h"
#include "abut/simulate/setting.h"
#include "abut/sweep/keys.h"
#include "abut/sweep/measured.h"

namespace abut {

namespace {

constexpr double kStandardTime = 10;  // s, as of `abut run`
constexpr double kMostSteps = 1e15;

// "step" and "integrator" are flags of the command line; --set calls the first timestep.
std::string_view setting_key(std::string_view key) { return key == "step" ? "timestep" : key; }

std::string key_text(const SweepValue& v) { return v.key + "=" + v.text + "\n"; }

}  // namespace

// The values of a run, by what they change.
struct SweepWorker::Keys {
  std::vector<SweepValue> world, model, state, run;
  std::string world_text, model_text;  // to know whether they are those of the last run

  explicit Keys(const std::vector<SweepValue>& values) {
    for (const SweepValue& v : values) {
      switch (key_kind(v.key)) {
        case KeyKind::world:
          world.push_back(v);
          world_text += key_text(v);
          break;
        case KeyKind::choice:
        case KeyKind::setting:
          model.push_back(v);
          model_text += key_text(v);
          break;
        case KeyKind::state:
          v.key == "keyframe" ? void(state.insert(state.begin(), v)) : state.push_back(v);
          break;
        case KeyKind::run:
          run.push_back(v);
          break;
      }
    }
  }
};

// What stays from run to run as long as its keys do.
struct SweepWorker::Ready {
  std::string world_text, model_text;
  bool compiled = false, whole = false;
  Model plain;  // of the world, before settings
  std::optional<Model> model;
  std::optional<State> start;
  std::optional<Input> start_input;
  std::optional<Simulator> simulator;
  std::optional<Measured> measured;
  std::optional<Sensors> sensors;
  std::optional<Measure> measure;
  ContactForces forces;

  void forget() { measure.reset(), sensors.reset(), measured.reset(), simulator.reset(); }
};

SweepWorker::SweepWorker(SweepPlan plan) : plan_(std::move(plan)), ready_(new Ready) {
  world_ = load_world(plan_.file);
  try {
    check();
  } catch (const std::invalid_argument& e) {
    throw SweepError(plan_.world + ": " + e.what());
  }
}

// Keys, words of the grid and names of measures, against the world of the first run. What a value
// makes impossible is a matter of its run alone.
void SweepWorker::check() {
  std::vector<SweepValue> values = plan_.set;
  for (SweepValue& v : values_of(plan_, 0)) values.push_back(std::move(v));
  World world = world_;
  for (const SweepValue& v : values)
    if (key_kind(v.key) == KeyKind::world) apply_world_key(world, v.key, v.text);
  const Model model = compile(world);
  Model changed = model;
  State state(model);
  Input input(model);
  ContactSettings contact;
  const auto check_value = [&](const std::string& key, const std::string& text) {
    const KeyKind kind = key_kind(key);
    if (kind == KeyKind::world) apply_world_key(world, key, text);
    if (kind == KeyKind::choice) apply_choice_key(contact, key, text);
    if (kind == KeyKind::setting) apply_setting(changed, setting_key(key), text, key);
    if (kind == KeyKind::state) apply_state_key(model, key, text, state, input);
    if (key == "time") parse_number(text, key);
    if (key == "push") parse_push(model, text);
    if (key == "control") ControlTable(model, read_controls(file_beside(text, plan_.folder)));
  };
  for (const SweepValue& v : values) check_value(v.key, v.text);
  for (const SweepAxis& axis : plan_.grid)
    for (const std::string& text : axis.values) check_value(axis.key, text);
  measured_ = Measured(plan_.measures, model).columns();
}

SweepWorker::~SweepWorker() = default;

std::vector<std::string> SweepWorker::columns() const {
  std::vector<std::string> names = {"run", "seed"};
  for (const SweepAxis& a : plan_.grid) names.push_back(a.key);
  for (const SweepDraw& d : plan_.random) names.push_back(d.key);
  // what is both varied and measured has two columns: "q", "end.q"
  for (std::string name : measured_) {
    while (std::find(names.begin(), names.end(), name) != names.end()) name = "end." + name;
    names.push_back(name);
  }
  names.insert(names.end(), {"hash", "status", "reason"});
  return names;
}

void SweepWorker::prepare(const Keys& keys) {
  Ready& r = *ready_;
  if (!r.compiled || r.world_text != keys.world_text) {
    r.compiled = r.whole = false;
    World world = world_;
    for (const SweepValue& v : keys.world) apply_world_key(world, v.key, v.text);
    r.forget();
    r.plain = compile(world);
    r.world_text = keys.world_text;
    r.compiled = true;
  }
  if (r.whole && r.model_text == keys.model_text) return;
  r.whole = false;
  r.forget();
  r.model.emplace(r.plain);
  for (const SweepValue& v : keys.model)
    if (key_kind(v.key) == KeyKind::setting)
      apply_setting(*r.model, setting_key(v.key), v.text, v.key);
  checked_plane_of(*r.model);
  if (const std::string why = why_not_simulated(*r.model); !why.empty())
    throw std::invalid_argument(why);
  ContactSettings contact = contact_settings(*r.model);
  for (const SweepValue& v : keys.model)
    if (key_kind(v.key) == KeyKind::choice) apply_choice_key(contact, v.key, v.text);
  r.simulator.emplace(*r.model, contact);
  r.measured.emplace(plan_.measures, *r.model);
  r.sensors.emplace(*r.model);
  r.measure.emplace(*r.model);
  r.start.emplace(*r.model);
  r.start_input.emplace(*r.model);
  // the world's own keyframe, as the tool starts it
  if (const auto it = r.model->custom.find("abut.keyframe"); it != r.model->custom.end())
    apply_state_key(*r.model, "keyframe", it->second.text, *r.start, *r.start_input);
  r.model_text = keys.model_text;
  r.whole = true;
}

void SweepWorker::simulate(const Keys& keys, const std::atomic<bool>* stop, SweepRow& row) {
  prepare(keys);
  Ready& r = *ready_;
  const Model& model = *r.model;
  State state = *r.start;
  Input input = *r.start_input;
  for (const SweepValue& v : keys.state) apply_state_key(model, v.key, v.text, state, input);
  normalize(model, state.q);

  RunSettings settings;
  settings.time = kStandardTime;
  settings.stop = stop;
  settings.measure = MeasureWhen{r.measured->every_step() ? 1 : 0, !r.measured->every_step()};
  std::vector<ControlTable> controls;
  std::vector<Push> pushes;
  for (const SweepValue& v : keys.run) {
    if (v.key == "time") settings.time = parse_number(v.text, v.key);
    if (v.key == "control")
      controls.emplace_back(model, read_controls(file_beside(v.text, plan_.folder)));
    if (v.key == "push") pushes.push_back(parse_push(model, v.text));
  }
  if (!(settings.time >= 0) || settings.time / model.option.timestep > kMostSteps)
    throw std::invalid_argument("time: must be zero or positive (s), and at most 1e15 steps");
  std::optional<Derived> poses;
  if (!pushes.empty()) poses.emplace(model);
  if (!controls.empty() || !pushes.empty())
    settings.control = [&](const Model& m, const State& s, Input& in) {
      for (const ControlTable& c : controls) c.apply(s.time, in);
      if (pushes.empty()) return;
      positions(m, s, in, *poses);
      for (const Push& push : pushes) push.apply(m, *poses, s.time, in);
    };

  Measure& measure = *r.measure;
  measure.restart();
  RestWatch rest(settings.time);
  if (r.measured->every_step())
    settings.observe = [&](std::int64_t, const State& at, const Sample& s) {
      rest.see(at.time, s.energy.kinetic);
    };
  const RunOutcome outcome = abut::run(*r.simulator, state, input, settings, measure);
  if (outcome.stopped) return;
  if (outcome.diverged_body >= 0) {
    row.status = "diverged";
    row.reason = fmt::format("diverged after t = {:.6g} s at body '{}'", state.time,
                             model.body_names[outcome.diverged_body]);
    return;
  }
  const Sample end = measure.sample(state, input);
  r.simulator->contact_forces(r.forces);
  if (r.measured->wants_sensors()) {
    if (outcome.steps > 0)
      r.sensors->update(*r.simulator, state, input);
    else
      r.sensors->update(state, input);
  }
  r.measured->append({*r.simulator, state, input, outcome, measure, end, measure.derived(),
                      r.forces, *r.sensors, rest},
                     row.measures);
  row.hash = state.hash();
}

SweepRow SweepWorker::run(std::int64_t number, const std::atomic<bool>* stop) {
  SweepRow row = run_with(values_of(plan_, number), stop);
  row.run = number;
  row.seed = seed_of(plan_, number);
  return row;
}

SweepRow SweepWorker::run_with(std::span<const SweepValue> chosen, const std::atomic<bool>* stop) {
  SweepRow row;
  std::vector<SweepValue> values = plan_.set;
  for (const SweepValue& v : chosen) {
    row.values.push_back(v.text);
    values.push_back(v);
  }
  try {
    simulate(Keys(values), stop, row);
  } catch (const std::exception& e) {
    row.status = "failed";
    row.reason = e.what();
  }
  if (row.status != "done") row.measures.clear(), row.hash = 0;
  return row;
}

}  // namespace abut
