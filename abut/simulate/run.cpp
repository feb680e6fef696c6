#include "abut/simulate/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "abut/simulate/ghosts.h"

namespace abut {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

void ContactTotals::add(const ContactStep& step) {
  solving.add(step.report());
  post_steps += step.post().steps;
  post_unsolved += step.post().unsolved;
  post_residual = std::max(post_residual, step.post().residual);
  work += step.work();
  lifted += step.post().lifted;
  handed += step.post().handed;
  handed += step.contact().handed();
}

std::int64_t step_count(double time, double step) { return std::llround(time / step); }

RunOutcome run(Simulator& simulator, State& state, Input& input, const RunSettings& settings,
               Measure& measure) {
  const Model& model = simulator.model();
  const MeasureWhen when = settings.measure.value_or(MeasureWhen::default_for(model));
  const std::int64_t steps = step_count(settings.time, model.option.timestep);
  RunOutcome out;
  State good = state;
  ContactForces forces;
  const Ghosts ghosts(model);

  std::int64_t recorded = -1;  // the last step that was
  auto look = [&](std::int64_t step, bool measured, bool record) {
    if (!measured && !record) return;
    const auto start = Clock::now();
    const Sample sample = measured ? measure.record(state, input) : measure.sample(state, input);
    if (measured && settings.observe) settings.observe(step, state, sample);
    if (measured && step > 0 && out.diverged_body < 0) {
      simulator.contact_forces(forces);
      out.ghosts += ghosts.count(simulator, forces, measure.solids());
    }
    out.measure_s += seconds_since(start);
    if (!record) return;
    const auto handed = Clock::now();
    // the forces of a diverged step do not belong to the remaining state
    if (step > 0 && out.diverged_body < 0) simulator.contact_forces(forces);
    if (out.diverged_body >= 0) forces = {};
    settings.record(step, state, input, sample, measure.derived(), forces);
    recorded = step;
    out.record_s += seconds_since(handed);
  };
  const bool recording = static_cast<bool>(settings.record);

  look(0, !when.off, recording);
  const double looked_before = out.measure_s + out.record_s;
  const auto begin = Clock::now();
  auto told = begin;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (settings.control) {
      input.clear_forces();
      settings.control(model, state, input);
    }
    if (settings.before_step) settings.before_step(good);
    simulator.step(state, input);
    if (settings.after_step) settings.after_step();
    out.steps = i + 1;

    if (out.diverged_body = diverged_body(model, state); out.diverged_body >= 0) {
      state = good;
      --out.steps;
      break;
    }
    good = state;
    out.contact.add(simulator.contact());
    const bool last = i + 1 == steps || (settings.stop && settings.stop->load());
    look(i + 1, !when.off && (last || (when.every > 0 && (i + 1) % when.every == 0)),
         recording && (last || (i + 1) % settings.record_every == 0));
    if (settings.progress && seconds_since(told) > 0.1) {
      told = Clock::now();
      settings.progress(i + 1, steps);
    }
    if (last && i + 1 < steps) {
      out.stopped = true;
      break;
    }
  }
  if (recording && recorded != out.steps) look(out.steps, false, true);  // the last good one
  out.wall_s = seconds_since(begin) - (out.measure_s + out.record_s - looked_before);
  return out;
}

}  // namespace abut
