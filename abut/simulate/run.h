// A run: many steps, with control before each and measurements after.
//
//   abut::RunSettings settings;
//   settings.time = 5;
//   settings.control = [](const abut::Model&, const abut::State& s, abut::Input& in) {
//     in.ctrl[0] = -10 * s.q[0];
//   };
//   abut::Measure measure(model);
//   abut::RunOutcome outcome = abut::run(simulator, state, input, settings, measure);
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "abut/simulate/measure.h"
#include "abut/simulate/simulator.h"

namespace abut {

// When to measure: after every n-th step, at both ends only, or never.
struct MeasureWhen {
  int every = 1;  // 0: at the ends only
  bool off = false;
  // Every step for worlds below 200 bodies, else at the ends.
  static MeasureWhen default_for(const Model& model) {
    return {model.nbody() < 200 ? 1 : 0, false};
  }
};

struct RunSettings {
  double time = 10;  // s; the run takes round(time / step) steps
  std::optional<MeasureWhen> measure;

  // Called before each step with the current state; sets controls, wrenches and driven poses.
  // Wrenches, generalised forces and the spring are cleared before each call.
  std::function<void(const Model&, const State&, Input&)> control;

  // Called at the start and after each measured step.
  std::function<void(std::int64_t step, const State&, const Sample&)> observe;

  // Called at the start, after every n-th step and at the end, measured or not, with the sample and
  // the poses of the state, and the contact forces of the step that led to it: for a Recorder.
  std::function<void(std::int64_t step, const State&, const Input&, const Sample&, const Derived&,
                     const ContactForces&)>
      record;
  int record_every = 1;

  // Called about ten times a second with the number of steps done and the total.
  std::function<void(std::int64_t done, std::int64_t all)> progress;

  const std::atomic<bool>* stop = nullptr;  // set by another thread: end after this step

  // Called before and after each step, for a thread that may have to end the run during a step.
  // Between the two calls nothing is observed or recorded, and `good`, the state before the step,
  // and the input do not change.
  std::function<void(const State& good)> before_step;
  std::function<void()> after_step;
};

// Totals of the contact model over the steps of a run.
struct ContactTotals {
  SolveReport solving;  // of contacts and joints
  std::int64_t post_steps = 0, post_unsolved = 0;
  double post_residual = 0;  // the worst, relative
  double work = 0;           // J: work of contacts on moving bodies; negative if they took energy
  double lifted = 0;         // J: potential energy that post-steps added
  double handed = 0;         // N s: momentum that post-steps and peg took from some bodies and gave
                             // to others, so that the sum of all angular momentum stays
  void add(const ContactStep& step);
};

struct RunOutcome {
  std::int64_t steps = 0;  // taken
  bool stopped = false;    // by RunSettings::stop
  double wall_s = 0;       // in steps and control, without measuring and recording
  double measure_s = 0;
  double record_s = 0;     // handing over, and waiting for the disk if it is slower
  int diverged_body = -1;  // >= 0: the run ended there, and state is the last good one
  ContactTotals contact;
  std::int64_t ghosts = 0;  // in the measured steps (ghosts.h)
};

std::int64_t step_count(double time, double step);

RunOutcome run(Simulator& simulator, State& state, Input& input, const RunSettings& settings,
               Measure& measure);

}  // namespace abut
