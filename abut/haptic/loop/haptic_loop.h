// HapticLoop: HapticCycle and Device in real time.
//
// The loop has a thread of its own. At each tick it reads the hand, takes the steps of the cycle,
// and writes the wrench. A second thread stands by: if the loop has not begun a tick a quarter of a
// cycle after it was due, because its last step still runs or because the loop was not woken, the
// stand-by answers the tick by the rule for late ticks (haptic_cycle.h). One atomic word says whose
// turn it is; nobody waits for a lock.
//
//   abut::haptic::HapticLoop loop(cycle, device, {.time = 30});
//   loop.run();
//   print(loop.report().late);
//
// Simulated clock (LoopSettings::clock): ticks follow each other at once, in the caller's thread,
// and those that `late` chooses are late. The result then depends on nothing but what it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "abut/haptic/device/device.h"
#include "abut/haptic/loop/durations.h"
#include "abut/haptic/loop/haptic_cycle.h"

namespace abut::haptic {

// What happened at a tick, in the order in which it happened: enough to do it again.
struct TickEvent {
  enum class Kind : std::uint8_t {
    step,    // take, start, simulate, finish
    begin,   // take, start: of a step that was late
    late,    // take, answer_late
    absorb,  // simulate, absorb: the late step has ended
  };
  Kind kind = Kind::step;
  bool has_sample = false;
  std::int64_t tick = 0;
  HandSample sample;
  HandWrench wrench;             // that was written; of step and late
  double compute = 0, wake = 0;  // s
};

// Does it again. Returns the wrench of a step or a late tick.
HandWrench replay(const TickEvent& event, HapticCycle& cycle);

enum class Clock { real, simulated };

struct LoopSettings {
  double time = 0;  // s; 0: until it is stopped
  Clock clock = Clock::real;
  std::function<bool(std::int64_t tick)> late =
      {};            // simulated clock: whether the step of this tick is
  int late_for = 3;  // .. and how many ticks it is late for
  const std::atomic<bool>* stop = nullptr;
  // For graphics and recordings; on the loop's threads, one at a time. Must neither block nor
  // allocate.
  std::function<void(const TickEvent&)> on_event = {};
  // The same, after a step, while the cycle's state may be read.
  std::function<void(const HapticCycle&)> after_step = {};
  int priority = 80;  // of SCHED_FIFO; the stand-by has one more
};

struct LoopReport {
  std::int64_t cycles = 0;    // ticks
  std::int64_t late = 0;      // ticks whose own step did not end before the next tick was due
  std::int64_t stand_by = 0;  // of these, answered by the stand-by
  std::int64_t events_lost = 0;
  Durations compute,
      wake;  // s: from reading the hand to writing the wrench; after the tick was due
  bool fifo = false, locked = false;
  double wall = 0;  // s
};

class HapticLoop {
 public:
  HapticLoop(HapticCycle& cycle, Device& device, LoopSettings settings);
  // Until the end of the time, a stop, or a world that has diverged.
  void run();
  const LoopReport& report() const { return report_; }

 private:
  void run_simulated();
  void run_real();
  void loop();
  void stand_by();
  void begin_tick(std::int64_t tick);
  void answer_late(std::int64_t tick);
  void tell(TickEvent::Kind kind, std::int64_t tick, const HandWrench& wrench);
  void let_go();
  bool over(std::int64_t tick) const;
  bool take_turn(std::int64_t& answered);
  void give_turn(std::int64_t answered);
  double due(std::int64_t tick) const { return start_ + static_cast<double>(tick) * cycle_time_; }

  HapticCycle& cycle_;
  Device& device_;
  LoopSettings settings_;
  LoopReport report_;
  const double cycle_time_;
  const std::int64_t ticks_;  // 0: without end
  double start_ = 0, woken_ = 0, computed_ = 0;
  // of who has the turn
  HandSample sample_;
  bool has_sample_ = false;
  // whose turn it is: see haptic_loop.cpp
  std::atomic<std::int64_t> turn_{0};
  std::atomic<bool> ended_{false};
};

}  // namespace abut::haptic
