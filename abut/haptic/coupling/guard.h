// Guard: the fail-safe. It opens and closes a gate that every force passes on its way to the hand.
//
// The gate closes when no data have come for kSilence, when the force that is asked for stays
// beyond the limit for kPatience, and while the clutch is pressed. It closes within kClosing and
// opens within kOpening, along a line: no force ever jumps. What passes is no larger than the limit
// at any time, an impact's single cycle included.
#pragma once

#include <cstdint>

#include "abut/haptic/coupling/coupling.h"

namespace abut::haptic {

class Guard {
 public:
  static constexpr double kSilence = 0.020;   // s
  static constexpr double kPatience = 0.005;  // s
  static constexpr double kRest = 0.5;        // s below the limit, before the gate opens again
  static constexpr double kClosing = 0.05, kOpening = 0.2;  // s

  Guard(double most_force, double most_torque)
      : most_force_(most_force), most_torque_(most_torque) {}

  // Once a tick of T seconds, before the wrench is known.
  void tick(double T, bool has_data, bool clutch);
  // The part of the wrench that may be felt.
  Spatial pass(double T, const Spatial& wrench);

  double gate() const { return gate_; }
  // The part of the coupling's spring that still holds the pointer: it fades after a silence.
  double hold() const { return hold_; }
  bool silent() const { return silent_; }
  bool tripped() const { return tripped_; }
  std::int64_t silences() const { return silences_; }
  std::int64_t trips() const { return trips_; }

 private:
  double most_force_, most_torque_;
  double silence_ = 0, excess_ = 0, calm_ = 0;  // s
  double gate_ = 0, hold_ = 1;
  bool tripped_ = false, silent_ = false;
  std::int64_t silences_ = 0, trips_ = 0;
};

}  // namespace abut::haptic
