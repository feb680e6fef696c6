// HandCheck: lets through what can be a hand, and finds velocities where a device tells none.
//
// Refused: numbers that are not finite, a quaternion that is none, places farther than kFarthest
// from the device's middle, and jumps faster than kFastest. A hand that stays where it has jumped
// to for kBelieved samples is believed, as a new beginning.
#pragma once

#include <cstdint>

#include "abut/haptic/device/device.h"

namespace abut::haptic {

class HandCheck {
 public:
  static constexpr double kFarthest = 10;  // m
  static constexpr double kFastest = 20;   // m/s
  static constexpr int kBelieved = 5;
  // 1/s: the differences of positions are smoothed by a filter of this rate.
  static constexpr double kSmoothing = 600;

  enum class Verdict { good, refused, jumped };  // jumped: good, and elsewhere

  // `elapsed`: s since the last sample that was good. Fills in the velocities, and makes the
  // quaternion one of unit length.
  Verdict look(HandSample& sample, double elapsed);
  std::int64_t refused() const { return refused_; }

 private:
  Verdict refuse();
  bool begun_ = false;
  int jumps_ = 0;
  Pose last_, doubtful_;
  Vec3 velocity_ = Vec3::Zero(), turn_rate_ = Vec3::Zero();
  std::int64_t refused_ = 0;
};

}  // namespace abut::haptic
