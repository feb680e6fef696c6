#include "abut/haptic/loop/haptic_loop.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

#include "abut/haptic/loop/real_time.h"
#include "abut/haptic/tolerances.h"

namespace abut::haptic {

namespace {

// turn_ is 4 * tick + one of these. The hand's side of the cycle, and the device, belong to whoever
// has made it kTaken; kFree: to nobody, and `tick` was the last that was answered; kSteps: the loop
// simulates `tick`, and the stand-by may take the turn if that takes too long.
enum Turn : std::int64_t { kFree = 0, kTaken = 1, kSteps = 2 };
constexpr std::int64_t word(std::int64_t tick, Turn turn) { return 4 * tick + turn; }
constexpr Turn turn_of(std::int64_t w) { return static_cast<Turn>(w & 3); }
constexpr std::int64_t tick_of(std::int64_t w) { return w >> 2; }

constexpr double kGrace = 0.25;  // of a cycle: so much later the stand-by answers
constexpr double kLongestSpin = 50 * 1000 * kNanosecond;  // before a tick, at the clock
constexpr double kLetGo = 0.05;                           // s: a gentle end

}  // namespace

HandWrench replay(const TickEvent& event, HapticCycle& cycle) {
  const HandSample* sample = event.has_sample ? &event.sample : nullptr;
  switch (event.kind) {
    case TickEvent::Kind::step:
      cycle.take(sample);
      cycle.start();
      cycle.simulate();
      return cycle.finish();
    case TickEvent::Kind::begin:
      cycle.take(sample);
      cycle.start();
      return {};
    case TickEvent::Kind::late:
      cycle.take(sample);
      return cycle.answer_late();
    case TickEvent::Kind::absorb:
      cycle.simulate();
      cycle.absorb();
      return {};
  }
  return {};
}

HapticLoop::HapticLoop(HapticCycle& cycle, Device& device, LoopSettings settings)
    : cycle_(cycle),
      device_(device),
      settings_(std::move(settings)),
      cycle_time_(cycle.settings().cycle()),
      ticks_(std::llround(settings_.time * cycle.settings().rate)) {}

void HapticLoop::run() {
  device_.start(cycle_time_);
  cycle_.warm_up(20);
  const double begin = now();
  if (settings_.clock == Clock::simulated)
    run_simulated();
  else
    run_real();
  report_.wall = now() - begin;
  device_.stop();
}

bool HapticLoop::over(std::int64_t tick) const {
  return (ticks_ > 0 && tick >= ticks_) ||
         (settings_.time == 0 && ticks_ == 0 && !settings_.stop) ||
         (settings_.stop && settings_.stop->load(std::memory_order_relaxed)) ||
         cycle_.diverged_body() >= 0;
}

void HapticLoop::begin_tick(std::int64_t) {
  has_sample_ = device_.read(sample_);
  cycle_.take(has_sample_ ? &sample_ : nullptr);
}

void HapticLoop::tell(TickEvent::Kind kind, std::int64_t tick, const HandWrench& wrench) {
  if (!settings_.on_event) return;
  TickEvent event;
  event.kind = kind;
  event.tick = tick;
  event.has_sample = has_sample_ && kind != TickEvent::Kind::absorb;
  if (event.has_sample) event.sample = sample_;
  event.wrench = wrench;
  event.compute = computed_;
  event.wake = woken_;
  settings_.on_event(event);
}

void HapticLoop::answer_late(std::int64_t tick) {
  begin_tick(tick);
  const HandWrench wrench = cycle_.answer_late();
  device_.write(wrench);
  ++report_.cycles;
  ++report_.late;
  ++report_.stand_by;
  tell(TickEvent::Kind::late, tick, wrench);
}

void HapticLoop::run_simulated() {
  for (std::int64_t tick = 0; !over(tick); ++tick) {
    const double begin = now();
    begin_tick(tick);
    cycle_.start();
    const bool late = settings_.late && settings_.late(tick);
    if (late) {
      // the step of this tick ends so many ticks later; the hand feels what the rule says
      tell(TickEvent::Kind::begin, tick, {});
      ++report_.cycles;
      ++report_.late;
      for (int i = 0; i < settings_.late_for && !over(tick + 1); ++i) answer_late(++tick);
      cycle_.simulate();
      cycle_.absorb();
      tell(TickEvent::Kind::absorb, tick, {});
      continue;
    }
    cycle_.simulate();
    const HandWrench wrench = cycle_.finish();
    device_.write(wrench);
    computed_ = now() - begin;
    report_.compute.add(computed_);
    report_.wake.add(0);
    ++report_.cycles;
    tell(TickEvent::Kind::step, tick, wrench);
    if (settings_.after_step) settings_.after_step(cycle_);
  }
}

void HapticLoop::run_real() {
  report_.locked = lock_memory();
  start_ = now() + 10 * cycle_time_ + 0.01;
  turn_ = word(-1, kFree);
  // an exception of a thread would end the program without a word of what it was
  std::exception_ptr failed;
  std::thread second([&] { stand_by(); });
  std::thread first([&] {
    try {
      loop();
    } catch (...) {
      failed = std::current_exception();
    }
    ended_ = true;
  });
  first.join();
  second.join();
  let_go();
  if (failed) std::rethrow_exception(failed);
}

// Waits while the other thread is at the hand's side, which takes some microseconds. `answered`:
// the last tick that was.
bool HapticLoop::take_turn(std::int64_t& answered) {
  while (true) {
    std::int64_t w = turn_.load(std::memory_order_acquire);
    if (turn_of(w) != kFree) {
      std::this_thread::yield();
      continue;
    }
    answered = tick_of(w);
    if (turn_.compare_exchange_weak(w, word(answered, kTaken), std::memory_order_acq_rel))
      return true;
  }
}

void HapticLoop::give_turn(std::int64_t answered) {
  turn_.store(word(answered, kFree), std::memory_order_release);
}

void HapticLoop::loop() {
  report_.fifo = set_fifo(settings_.priority);
  touch_stack();
  const double spin = std::min(kLongestSpin, 0.25 * cycle_time_);
  std::int64_t answered = -1;
  for (std::int64_t tick = 0; !over(tick); tick = std::max(tick, answered) + 1) {
    wait_until(due(tick), spin);
    woken_ = now() - due(tick);
    take_turn(answered);
    if (answered >= tick) {  // by the stand-by
      give_turn(answered);
      continue;
    }
    report_.wake.add(woken_);
    const double begin = now();
    begin_tick(tick);
    cycle_.start();
    turn_.store(word(tick, kSteps), std::memory_order_release);
    cycle_.simulate();
    std::int64_t mine = word(tick, kSteps);
    if (turn_.compare_exchange_strong(mine, word(tick, kTaken), std::memory_order_acq_rel)) {
      const HandWrench wrench = cycle_.finish();
      device_.write(wrench);
      answered = tick;
      computed_ = now() - begin;
      tell(TickEvent::Kind::step, tick, wrench);
    } else {
      take_turn(answered);
      cycle_.absorb();
      computed_ = now() - begin;
      tell(TickEvent::Kind::absorb, answered, {});
    }
    ++report_.cycles;
    report_.compute.add(computed_);
    if (begin + computed_ > due(tick + 1)) ++report_.late;
    if (settings_.after_step) settings_.after_step(cycle_);
    give_turn(answered);
  }
}

void HapticLoop::stand_by() {
  set_fifo(settings_.priority + 1);
  touch_stack();
  for (std::int64_t tick = 0; !ended_; ++tick) {
    wait_until(due(tick) + kGrace * cycle_time_, 0);
    std::int64_t w = turn_.load(std::memory_order_acquire);
    if (ended_ || tick_of(w) >= tick || turn_of(w) == kTaken) continue;
    const std::int64_t begun = turn_of(w) == kSteps ? tick_of(w) : -1;
    if (!turn_.compare_exchange_strong(w, word(tick, kTaken), std::memory_order_acq_rel)) continue;
    if (begun >= 0) tell(TickEvent::Kind::begin, begun, {});
    answer_late(tick);
    give_turn(tick);
  }
}

// Whatever is felt at the end fades.
void HapticLoop::let_go() {
  const auto parts = static_cast<int>(std::ceil(kLetGo / cycle_time_));
  const double begin = now();
  for (int i = 1; i <= parts; ++i) {
    wait_until(begin + i * cycle_time_, 0);
    device_.read(sample_);
    device_.write(cycle_.let_go(1 - static_cast<double>(i) / parts));
  }
}

}  // namespace abut::haptic
