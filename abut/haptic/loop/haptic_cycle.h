// HapticCycle: what a tick of the haptic loop does, without a clock and without threads. The same
// samples and the same decisions about late ticks give the same bits.
//
//   abut::haptic::HandSample hand;
//   cycle.take(device.read(hand) ? &hand : nullptr);   // null: the device had nothing new
//   cycle.start();
//   cycle.simulate();                // the slow part
//   device.write(cycle.finish());
//
// A tick whose step has not ended is answered by take() and answer_late(), while simulate() still
// runs on another thread: simulate() touches nothing that these do.
//
// The rule for late ticks. The hand feels the last contact, made linear: through the coupling, the
// coupling to a pointer that drifts to a stop (its last velocity, fading within kDrift); posed, the
// springs of LinearContact. Either fades within kFade. When the step has ended, what is felt goes
// over to the simulated wrench: their difference fades within kBlend. So no force jumps because a
// step was late. Simulated time stands still meanwhile, and is not made up for.
#pragma once

#include <cstdint>

#include "abut/haptic/coupling/guard.h"
#include "abut/haptic/coupling/linear_contact.h"
#include "abut/haptic/coupling/passivity.h"
#include "abut/haptic/device/hand_check.h"
#include "abut/haptic/loop/haptic_settings.h"
#include "abut/simulate/simulator.h"

namespace abut::haptic {

class HapticCycle {
 public:
  static constexpr double kDrift = 0.01, kFade = 0.1, kBlend = 0.01;  // s

  // The model must outlive it. Throws WorldError for a world that cannot be run.
  HapticCycle(const Model& model, const ContactSettings& contact, const HapticSettings& settings,
              const State& state, const Input& input);

  // --- A tick, in this order.
  void take(const HandSample* sample);
  void start();
  void simulate();
  HandWrench finish();
  // In place of start() to finish().
  HandWrench answer_late();
  // In place of finish(), where the tick was answered already; false: the step has diverged.
  bool absorb();
  // After the last tick: so much of what was felt last, for a gentle end.
  HandWrench let_go(double part) const;

  // Steps a copy of the state often enough for every buffer to have its size.
  void warm_up(int steps);

  // --- To be read.
  const HapticSettings& settings() const { return settings_; }
  const Model& model() const { return model_; }
  Simulator& simulator() { return simulator_; }
  const Simulator& simulator() const { return simulator_; }
  const State& state() const { return state_; }  // not while simulate() runs
  const Input& input() const { return input_; }
  const Guard& guard() const { return guard_; }
  const MovingFrame& hand() const { return workspace_.hand(); }
  const MovingFrame& pointer() const { return touch_[touched_].pointer; }
  // On the hand, in the world, about the origin of hand(): what it feels (gate and limit included),
  // and what it would without them.
  const Spatial& felt() const { return felt_; }
  const Spatial& asked() const { return asked_; }
  // Of all contacts on the pointer in the last step, about its origin at the start of the step.
  const Spatial& contact_wrench() const { return touch_[touched_].contact; }
  const ContactForces& forces() const { return touch_[touched_].forces; }
  std::int64_t ticks() const { return ticks_; }
  std::int64_t steps() const { return steps_; }                    // that have ended
  std::int64_t late_ticks() const { return late_; }                // answered without a step
  std::int64_t refused() const { return check_.refused(); }        // samples
  double force_max() const { return force_max_; }                  // N, felt
  double torque_max() const { return torque_max_; }                // N m
  double energy_out() const { return passivity_.energy_out(); }    // J
  int diverged_body() const { return touch_[touched_].diverged; }  // -1: none
  // How far simulated time is behind the ticks (s).
  double behind() const { return static_cast<double>(late_) * settings_.cycle(); }

 private:
  // What a step leaves for the hand.
  struct Touch {
    MovingFrame pointer;  // at the end
    Spatial wrench;       // on the hand, about the hand's origin
    Spatial contact;
    ContactForces forces;
    LinearContact linear;
    double work = 0;  // J: on the pointer, by the coupling
    int diverged = -1;
  };
  struct Goal {
    MovingFrame hand;
    double part = 1;
  };
  MovingFrame pointer_now() const;
  Spatial pull(const MovingFrame& hand, const MovingFrame& pointer, double part) const;
  Spatial on_hand(const Spatial& pull, const MovingFrame& hand) const;
  void step(const Goal& goal, int part, Touch& touch);
  void look(const Goal& goal, Touch& touch);
  Spatial late_wrench() const;
  HandWrench give(const Spatial& wrench);
  void observe();

  const Model& model_;
  const HapticSettings settings_;
  Simulator simulator_;
  // the side of the world: simulate()
  State state_, good_;
  Input input_;
  Goal goal_;
  Vec3 com_ = Vec3::Zero();  // of the pointer, in its frame
  // between the two: simulate() writes the one that is not touched_
  Touch touch_[2];
  int touched_ = 0;
  // the side of the hand
  Workspace workspace_;
  HandCheck check_;
  Guard guard_;
  PassivityObserver passivity_;
  bool clutch_ = false, was_silent_ = false;
  double unheard_ = 0;     // s since the last good sample
  double since_step_ = 0;  // s, of a late step
  Pose hand_before_;
  Spatial felt_, asked_, offset_;
  std::int64_t ticks_ = 0, steps_ = 0, late_ = 0;
  double force_max_ = 0, torque_max_ = 0;
};

}  // namespace abut::haptic
