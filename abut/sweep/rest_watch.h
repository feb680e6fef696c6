// RestWatch: how a run comes to rest, from its kinetic energy after every step.
//
//   abut::RestWatch rest(10);            // of a run of 10 s
//   rest.see(time, kinetic);             // every step
//   rest.settling_time(), rest.energy();
#pragma once

#include <algorithm>

namespace abut {

class RestWatch {
 public:
  explicit RestWatch(double seconds = 0) : tail_(kTail * seconds) {}

  void see(double time, double kinetic) {
    most_ = std::max(most_, kinetic);
    // a later maximum is itself above its part: the last moment above is the same
    if (kinetic > kSettled * most_) last_above_ = time;
    if (time < tail_) return;
    sum_ += kinetic;
    ++count_;
  }

  // s: from then on the kinetic energy is below a thousandth of its largest value.
  double settling_time() const { return last_above_; }
  // J: mean kinetic energy of the last tenth of the run.
  double energy() const { return count_ > 0 ? sum_ / count_ : 0; }

  static constexpr double kSettled = 0.001, kTail = 0.9;

 private:
  double tail_;
  double most_ = 0, last_above_ = 0, sum_ = 0;
  int count_ = 0;
};

}  // namespace abut
